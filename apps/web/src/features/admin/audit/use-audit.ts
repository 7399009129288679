import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, queryKeys, type Answer, type Schemas } from '@/shared/api';
import type { AddressFilters } from '../use-address-filters';

export const AUDIT_PAGE_SIZE = 20;

/** One thing that an admin did. */
export type AuditEntry = Schemas['AuditEntryDto'];

export type AuditPage = Answer<'/api/admin/audit'>;

/** Names in the address bar, and of the API. */
export const AUDIT_FILTERS = ['action', 'adminId', 'targetId'] as const;
export type AuditFilterState = AddressFilters<(typeof AUDIT_FILTERS)[number]>;

export const useAudit = ({ filters, page }: AuditFilterState) =>
  useQuery({
    queryKey: [...queryKeys.admin, 'audit', { filters, page }],
    queryFn: ({ signal }) =>
      api.get('/api/admin/audit', { query: { ...filters, page, limit: AUDIT_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
