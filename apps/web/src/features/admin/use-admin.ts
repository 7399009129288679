import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ColumnSort } from '@tanstack/react-table';
import {
  apiFetch,
  queryKeys,
  refreshMoney,
  useActionKey,
  type AdminNovaChanged,
  type AdminStats,
  type AdminTransactionFilters,
  type AdminTransactionPage,
  type AdminUserPage,
} from '@/shared/api';
import type { Order } from './use-address-order';
import { filterQuery } from './use-transaction-filters';

/** S1 §9 Admin paging. */
export const USER_PAGE_SIZE = 10;
export const TRANSACTION_PAGE_SIZE = 20;

export const useAdminStats = () =>
  useQuery({
    queryKey: [...queryKeys.admin, 'stats'],
    queryFn: ({ signal }) => apiFetch<AdminStats>('/api/admin/stats', { signal }),
    refetchOnMount: 'always',
  });

/** Members whose name or e-mail holds `search`; the page before stays on the screen until the next has come. */
export const useAdminUsers = ({ search, page, sort }: { search: string; page: number; sort?: ColumnSort }) =>
  useQuery({
    queryKey: [...queryKeys.admin, 'users', { search, page, sort }],
    queryFn({ signal }) {
      const query = new URLSearchParams({ search, page: String(page), limit: String(USER_PAGE_SIZE) });
      if (search === '') query.delete('search');
      if (sort !== undefined) {
        query.set('sort', sort.id);
        query.set('order', sort.desc ? 'desc' : 'asc');
      }
      return apiFetch<AdminUserPage>(`/api/admin/users?${query}`, { signal });
    },
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

export const useAdminTransactions = (filters: AdminTransactionFilters, order: Order, page: number) =>
  useQuery({
    queryKey: [...queryKeys.admin, 'transactions', { filters, page, order }],
    queryFn({ signal }) {
      const query = filterQuery(filters);
      query.set('order', order);
      query.set('page', String(page));
      query.set('limit', String(TRANSACTION_PAGE_SIZE));
      return apiFetch<AdminTransactionPage>(`/api/admin/transactions?${query}`, { signal });
    },
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

export type NovaChange = 'add' | 'deduct';

/** Adds or deducts a member's Nova, once however often it is tried. */
export function useChangeNova(userId: string, change: NovaChange) {
  const client = useQueryClient();
  const key = useActionKey();
  return useMutation({
    mutationFn: (body: { amount: number; reason?: string }) =>
      apiFetch<AdminNovaChanged>(`/api/admin/users/${encodeURIComponent(userId)}/${change}-nova`, {
        method: 'POST',
        body,
        idempotencyKey: key.keyFor(body),
      }),
    onSuccess: () => key.done(),
    onSettled: (changed) => refreshMoney(client, changed),
  });
}
