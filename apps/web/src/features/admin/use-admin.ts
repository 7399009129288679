import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, queryKeys, refreshMoney, useActionKey, type Answer, type Schemas } from '@/shared/api';
import type { Order } from './use-address-order';
import type { UserSort } from './users/use-user-list';
import { filterQuery, type TransactionFilters } from './use-transaction-filters';

export type AdminUser = Schemas['AdminUserDto'];
export type AdminUserPage = Answer<'/api/admin/users'>;
export type AdminTransaction = Schemas['AdminTransactionDto'];
export type AdminTransactionPage = Answer<'/api/admin/transactions'>;
export type Pagination = Schemas['PaginationDto'];

/** Rule admin-3. */
export const USER_PAGE_SIZE = 10;
export const TRANSACTION_PAGE_SIZE = 20;

export const useAdminStats = () =>
  useQuery({
    queryKey: [...queryKeys.admin, 'stats'],
    queryFn: ({ signal }) => api.get('/api/admin/stats', { signal }),
    refetchOnMount: 'always',
  });

interface UserView {
  search: string;
  page: number;
  sort?: UserSort;
}

/** Members whose name or e-mail contains `search`; the previous page stays on the screen until the next has loaded. */
export const useAdminUsers = ({ search, page, sort }: UserView) =>
  useQuery({
    queryKey: [...queryKeys.admin, 'users', { search, page, sort }],
    queryFn({ signal }) {
      const order = sort && ({ sort: sort.id, order: sort.desc ? 'desc' : 'asc' } as const);
      return api.get('/api/admin/users', { query: { search, page, limit: USER_PAGE_SIZE, ...order }, signal });
    },
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

export const useAdminTransactions = (filters: TransactionFilters, order: Order, page: number) =>
  useQuery({
    queryKey: [...queryKeys.admin, 'transactions', { filters, page, order }],
    queryFn: ({ signal }) =>
      api.get('/api/admin/transactions', {
        query: { ...filterQuery(filters), order, page, limit: TRANSACTION_PAGE_SIZE },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

export type NovaChange = 'add' | 'deduct';

/** Adds or deducts a member's Nova once, however often the request is retried. */
export function useChangeNova(userId: string, change: NovaChange) {
  const client = useQueryClient();
  const key = useActionKey();
  return useMutation({
    mutationFn: (body: Schemas['AdjustNovaDto']) =>
      api.post(`/api/admin/users/{id}/${change}-nova`, {
        path: { id: userId },
        body,
        idempotencyKey: key.keyFor(body),
      }),
    onSuccess: () => key.done(),
    onSettled: (changed) => refreshMoney(client, changed && 'projected' in changed ? changed : undefined),
  });
}
