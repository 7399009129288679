import type { ColumnSort } from '@tanstack/react-table';
import { useAddressParameters } from '@/shared/hooks/use-address-parameters';
import { useAddressFilters } from '../use-address-filters';

/** What the server sorts users by; also the ids of the columns. */
const USER_SORTS = ['name', 'balance', 'rating', 'created'] as const;
export interface UserSort {
  id: (typeof USER_SORTS)[number];
  desc: boolean;
}

/** Newest first; left out of the address. */
const DEFAULT: UserSort = { id: 'created', desc: true };

const SEARCH = ['search'] as const;

/** Search, page and order of the users, kept in the address. */
export function useUserList() {
  const filters = useAddressFilters(SEARCH);
  const [parameters, changeAddress] = useAddressParameters();
  const sort = sortOf(parameters);
  const setSort = (next: ColumnSort) =>
    changeAddress((address) => {
      // A new order starts at the first page.
      for (const name of ['page', 'sort', 'order']) address.delete(name);
      if (next.id !== DEFAULT.id) address.set('sort', next.id);
      if (!next.desc) address.set('order', 'asc');
    });
  return { ...filters, search: filters.filters.search, sort, setSort };
}

function sortOf(parameters: URLSearchParams): UserSort {
  const named = parameters.get('sort');
  return { id: USER_SORTS.find((sort) => sort === named) ?? DEFAULT.id, desc: parameters.get('order') !== 'asc' };
}
