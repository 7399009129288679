import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiFetch, queryKeys, type Pagination } from '@/shared/api';
import { toast } from '@/shared/ui';

export type BulkMode = 'atomic' | 'each';

/** What becomes, or became, of one row of a file. */
export interface BulkRow {
  /** The line of the file, from 1. */
  line: number;
  member: { id: string; displayName: string } | null;
  given: string;
  amount: number | null;
  reason: string;
  ok: boolean;
  code: string | null;
  message: string | null;
  eventId: string | null;
}

export interface BulkBatch {
  batchId: string;
  admin: { id: string; displayName: string };
  mode: BulkMode;
  createdAt: string;
  finished: boolean;
  rows: number;
  granted: number;
  total: number;
}

export interface BulkVerdict {
  rows: BulkRow[];
  acceptable: number;
  refused: number;
  total: number;
  /** The batch that granted this very file before. */
  appliedBefore: BulkBatch | null;
}

export interface BulkResult {
  batch: BulkBatch;
  rows: BulkRow[];
  refused: number;
  repeated: boolean;
  message: string;
}

export interface BulkOrder {
  csv: string;
  batchId: string;
  mode: BulkMode;
  again: boolean;
}

const PATH = '/api/admin/bulk-grants';
const BULK_PAGE_SIZE = 10;

export const useCheckGrants = () =>
  useMutation({
    mutationFn: (csv: string) => apiFetch<BulkVerdict>(`${PATH}/check`, { method: 'POST', body: { csv } }),
  });

export function useApplyGrants() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BulkOrder) => apiFetch<BulkResult>(PATH, { method: 'POST', body }),
    onSuccess: ({ message }) => toast({ title: 'Nova Granted', description: message }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin }),
  });
}

export const useBulkBatches = (page: number) =>
  useQuery({
    queryKey: [...queryKeys.admin, 'bulk-grants', page],
    queryFn: ({ signal }) =>
      apiFetch<{ batches: BulkBatch[]; pagination: Pagination }>(`${PATH}?page=${page}&limit=${BULK_PAGE_SIZE}`, {
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
