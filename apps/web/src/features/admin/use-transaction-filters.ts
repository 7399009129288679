import type { AdminTransactionFilters } from '@/shared/api';
import { useAddressFilters, type AddressFilters } from './use-address-filters';

/** Names in the address bar, and of the API. */
const FILTER_NAMES = [
  'search',
  'type',
  'startDate',
  'endDate',
  'userId',
] as const satisfies readonly (keyof AdminTransactionFilters)[];

export type FilterName = (typeof FILTER_NAMES)[number];
export type TransactionFilterState = AddressFilters<FilterName>;

/** The filters of the transactions table. */
export const useTransactionFilters = (): TransactionFilterState => useAddressFilters(FILTER_NAMES);

/** The filters as the API takes them, for the table and the export alike. */
export function filterQuery(filters: AdminTransactionFilters): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of FILTER_NAMES) if (filters[name] !== '') query.set(name, filters[name]);
  return query;
}
