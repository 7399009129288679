import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useAddressParameters } from '@/shared/hooks/use-address-parameters';
import { SEARCH_DEBOUNCE_MS } from '@/shared/hooks/use-settled-value';
import { readFilters, writeFilters, type CardFilters } from './card-filters';

export interface CardFilterControl {
  filters: CardFilters;
  change: (changed: Partial<CardFilters>) => void;
  /** What stands in the search box; the search follows once typing rests. */
  searchText: string;
  typeSearch: (text: string) => void;
}

/** The filters of the grid, kept in the address, so that they survive a reload and can be sent to someone. */
export function useCardFilters(): CardFilterControl {
  const [address, changeAddress] = useAddressParameters();
  const filters = useMemo(() => readFilters(address), [address]);
  const change = (changed: Partial<CardFilters>) =>
    changeAddress((current) => writeFilters(current, { ...readFilters(current), ...changed }));
  const [typed, setTyped] = useState<string | null>(null);
  // The address has what was typed.
  if (typed === filters.search) setTyped(null);
  const settle = useEffectEvent((search: string) => change({ search }));
  useEffect(() => {
    if (typed === null) return undefined;
    const timer = setTimeout(() => settle(typed), SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const changeAtOnce = (changed: Partial<CardFilters>) => {
    // What is being typed must not come after a search that was cleared.
    if (changed.search !== undefined) setTyped(changed.search);
    change(changed);
  };
  return { filters, change: changeAtOnce, searchText: typed ?? filters.search, typeSearch: setTyped };
}
