import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { addressOf, api, type Query, queryKeys, useCursorPages } from '@/shared/api';

/** Which movements the statement shows (rule wallet-24); an absent field does not filter. */
export type StatementFilter = Pick<
  Query<'/api/nova/transactions'>,
  'type' | 'direction' | 'startDate' | 'endDate' | 'search'
>;

/** The statement, newest first, page by page; small movements of a day are one row unless it is told `single`. */
export function useStatement(filter: StatementFilter, { single = false } = {}) {
  const asked = { ...filter, ...(!single && { groupBy: 'day' as const }) };
  return useCursorPages(
    queryKeys.statementOf({ ...filter, single }),
    ({ query, signal }) => api.get('/api/nova/transactions', { query: { ...query, ...asked }, signal }),
    (query) => addressOf('/api/nova/transactions', { query: { ...query, ...asked } }),
  );
}

export const useStatementTotals = (filter: StatementFilter) =>
  useQuery({
    queryKey: queryKeys.statementOf({ ...filter, totals: true }),
    queryFn: ({ signal }) => api.get('/api/nova/transactions/totals', { query: filter, signal }),
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  });
