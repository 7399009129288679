import type { Query } from '@/shared/api';
import { toQuery, useAddressFilters, type AddressFilters } from './use-address-filters';

/** The filters' names in the address bar, and in the API. */
const FILTER_NAMES = [
  'search',
  'type',
  'startDate',
  'endDate',
  'userId',
] as const satisfies readonly (keyof Query<'/api/admin/transactions'>)[];

export type FilterName = (typeof FILTER_NAMES)[number];
export type TransactionFilters = Readonly<Record<FilterName, string>>;
export type TransactionFilterState = AddressFilters<FilterName>;

/** The filters of the transactions table. */
export const useTransactionFilters = (): TransactionFilterState => useAddressFilters(FILTER_NAMES);

/** The filters as the API takes them, for both the table and the export. */
export const filterQuery = (filters: TransactionFilters) => toQuery<Query<'/api/admin/transactions'>>(filters);
