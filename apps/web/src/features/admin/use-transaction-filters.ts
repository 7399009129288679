import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { SEARCH_DEBOUNCE_MS, type AdminTransactionFilters } from '@/shared/api';

/** Names in the address bar; a filter that is off is not there. */
const FILTER_NAMES = [
  'search',
  'type',
  'startDate',
  'endDate',
  'userId',
] as const satisfies readonly (keyof AdminTransactionFilters)[];

export type FilterName = (typeof FILTER_NAMES)[number];

const PAGE = 'page';

/** The filters of the transactions table. They live in the address bar, so that a view can be kept and shared. */
export function useTransactionFilters() {
  const [parameters, setParameters] = useSearchParams();
  const filters: AdminTransactionFilters = {
    search: parameters.get('search') ?? '',
    type: parameters.get('type') ?? '',
    startDate: parameters.get('startDate') ?? '',
    endDate: parameters.get('endDate') ?? '',
    userId: parameters.get('userId') ?? '',
  };
  const page = Math.max(1, Math.trunc(Number(parameters.get(PAGE))) || 1);
  const [searchText, setSearchText] = useState(filters.search);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  /** Any change of a filter leads to the first page. */
  const change = (changed: Partial<AdminTransactionFilters>) =>
    setParameters(
      (current) => {
        const next = new URLSearchParams(current);
        next.delete(PAGE);
        for (const name of FILTER_NAMES) {
          const value = changed[name];
          if (value === undefined) continue;
          if (value === '') next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: true },
    );
  const cancelSearch = () => clearTimeout(timer.current);
  return {
    filters,
    page,
    searchText,
    isFiltered: FILTER_NAMES.some((name) => filters[name] !== ''),
    type(text: string) {
      setSearchText(text);
      cancelSearch();
      timer.current = setTimeout(() => change({ search: text.trim() }), SEARCH_DEBOUNCE_MS);
    },
    set: (name: FilterName, value: string) => change({ [name]: value }),
    clear(name: FilterName) {
      if (name === 'search') {
        cancelSearch();
        setSearchText('');
      }
      change({ [name]: '' });
    },
    clearAll: () => {
      cancelSearch();
      setSearchText('');
      change({ search: '', type: '', startDate: '', endDate: '', userId: '' });
    },
    goTo: (next: number) =>
      setParameters((current) => {
        const parametersOfPage = new URLSearchParams(current);
        parametersOfPage.set(PAGE, String(next));
        return parametersOfPage;
      }),
  };
}

export type TransactionFilterState = ReturnType<typeof useTransactionFilters>;

/** The filters as the API takes them, for the table and the export alike. */
export function filterQuery(filters: AdminTransactionFilters): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of FILTER_NAMES) if (filters[name] !== '') query.set(name, filters[name]);
  return query;
}
