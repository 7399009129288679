import { api, queryKeys, useCursorPages } from '@/shared/api';
import { isTransactionType } from './transaction-kinds';

/** No filter; an option of a select must not be empty (rule screens-15). */
export const EVERY_TYPE = 'all';

/** The statement, newest first, page by page; `type` keeps one kind of row. */
export const useStatement = (type: string) =>
  useCursorPages(queryKeys.statementOfType(type), ({ query, signal }) =>
    api.get('/api/nova/transactions', { query: { ...query, ...(isTransactionType(type) && { type }) }, signal }),
  );
