import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { SEARCH_DEBOUNCE_MS } from '@/shared/api';
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
  const [address, setAddress] = useSearchParams();
  const filters = useMemo(() => readFilters(address), [address]);
  const change = useCallback(
    (changed: Partial<CardFilters>) =>
      setAddress((current) => writeFilters(current, { ...readFilters(current), ...changed }), { replace: true }),
    [setAddress],
  );
  const [typed, setTyped] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const typeSearch = useCallback(
    (text: string) => {
      setTyped(text);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        change({ search: text });
        setTyped(null);
      }, SEARCH_DEBOUNCE_MS);
    },
    [change],
  );
  const changeAtOnce = useCallback(
    (changed: Partial<CardFilters>) => {
      // What is being typed must not come after a search that was cleared.
      if ('search' in changed) {
        clearTimeout(timer.current);
        setTyped(null);
      }
      change(changed);
    },
    [change],
  );
  return { filters, change: changeAtOnce, searchText: typed ?? filters.search, typeSearch };
}
