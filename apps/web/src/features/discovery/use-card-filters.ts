import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useAddressParameters } from '@/shared/hooks/use-address-parameters';
import { SEARCH_DEBOUNCE_MS } from '@/shared/hooks/use-settled-value';
import { readFilters, writeFilters, type CardFilters } from './card-filters';

export interface CardFilterControl {
  filters: CardFilters;
  change: (changed: Partial<CardFilters>) => void;
  /** The text in the search box; the search follows once typing rests. */
  searchText: string;
  typeSearch: (text: string) => void;
}

/** The filters of the grid, kept in the address so that they survive a reload and can be shared. */
export function useCardFilters(): CardFilterControl {
  const [address, changeAddress] = useAddressParameters();
  const filters = useMemo(() => readFilters(address), [address]);
  const change = (changed: Partial<CardFilters>) =>
    changeAddress((current) => writeFilters(current, { ...readFilters(current), ...changed }));
  const [typed, setTyped] = useState<string | null>(null);
  // The address has caught up with what was typed.
  if (typed === filters.search) setTyped(null);
  const settle = useEffectEvent((search: string) => change({ search }));
  useEffect(() => {
    if (typed === null) return undefined;
    const timer = setTimeout(() => settle(typed), SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const changeAtOnce = (changed: Partial<CardFilters>) => {
    // Text that is still being typed must not return after the search was cleared.
    if (changed.search !== undefined) setTyped(changed.search);
    change(changed);
  };
  return { filters, change: changeAtOnce, searchText: typed ?? filters.search, typeSearch: setTyped };
}
