import { queryKeys, useCursorPages, type TransactionPage } from '@/shared/api';

/** No filter; an option of a select must not be empty (S0 §5). */
export const EVERY_TYPE = 'all';

/** The statement, newest first, page by page; `type` keeps one kind of row. */
export const useStatement = (type: string) =>
  useCursorPages<TransactionPage>({
    queryKey: queryKeys.statementOfType(type),
    path: '/api/nova/transactions',
    parameters: { type: type === EVERY_TYPE ? '' : type },
  });
