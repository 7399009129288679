import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiFetch, queryKeys, type Pagination } from '@/shared/api';
import type { AddressFilters } from '../use-address-filters';

export const AUDIT_PAGE_SIZE = 20;

/** One thing that an admin did. */
export interface AuditEntry {
  /** Of the event. */
  id: string;
  adminId: string;
  adminName: string;
  /** The event's type. */
  action: string;
  /** The member whom it concerns; of a blocked address its row, which has no name. */
  targetId: string | null;
  targetName: string | null;
  subjectId: string | null;
  /** Nova. */
  amount: number | null;
  rating: number | null;
  reason: string | null;
  createdAt: string;
}

export interface AuditPage {
  entries: AuditEntry[];
  pagination: Pagination;
}

/** Names in the address bar, and of the API. */
export const AUDIT_FILTERS = ['action', 'adminId', 'targetId'] as const;
export type AuditFilterState = AddressFilters<(typeof AUDIT_FILTERS)[number]>;

export const useAudit = ({ filters, page }: AuditFilterState) =>
  useQuery({
    queryKey: [...queryKeys.admin, 'audit', { filters, page }],
    queryFn({ signal }) {
      const query = new URLSearchParams({ page: String(page), limit: String(AUDIT_PAGE_SIZE) });
      for (const name of AUDIT_FILTERS) if (filters[name] !== '') query.set(name, filters[name]);
      return apiFetch<AuditPage>(`/api/admin/audit?${query}`, { signal });
    },
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
