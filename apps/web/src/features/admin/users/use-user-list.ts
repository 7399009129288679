import type { ColumnSort } from '@tanstack/react-table';
import { useSearchParams } from 'react-router-dom';
import { useAddressFilters } from '../use-address-filters';

/** What the server sorts users by; also the ids of the columns. */
export const USER_SORTS = ['name', 'balance', 'rating', 'created'] as const;
export type UserSort = (typeof USER_SORTS)[number];

/** Newest first; it is not written in the address. */
const DEFAULT: ColumnSort = { id: 'created', desc: true };

const SEARCH = ['search'] as const;

/** Search, page and order of the users, kept in the address. */
export function useUserList() {
  const filters = useAddressFilters(SEARCH);
  const [parameters, setParameters] = useSearchParams();
  const sort = sortOf(parameters);
  const setSort = (next: ColumnSort) =>
    setParameters(
      (current) => {
        const changed = new URLSearchParams(current);
        // Another order begins at its first page.
        for (const name of ['page', 'sort', 'order']) changed.delete(name);
        if (next.id !== DEFAULT.id) changed.set('sort', next.id);
        if (!next.desc) changed.set('order', 'asc');
        return changed;
      },
      { replace: true },
    );
  return { ...filters, search: filters.filters.search, sort, setSort };
}

function sortOf(parameters: URLSearchParams): ColumnSort {
  const named = parameters.get('sort');
  return { id: USER_SORTS.find((sort) => sort === named) ?? DEFAULT.id, desc: parameters.get('order') !== 'asc' };
}
