import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, queryKeys, type Schemas } from '@/shared/api';
import { toast } from '@/shared/ui';
import { isWaiting, WAITING_TITLE } from '../approvals/use-approvals';

/** The outcome of one row of a file, before or after the grant. */
export type BulkRow = Schemas['BulkRowDto'];

export type BulkBatch = Schemas['BulkBatchDto'];

export type BulkVerdict = Schemas['BulkVerdictDto'];

export type BulkResult = Schemas['BulkResultDto'];

export type BulkOrder = Schemas['ApplyBulkGrantsDto'];
export type BulkMode = BulkOrder['mode'];

const BULK_PAGE_SIZE = 10;

export const useCheckGrants = () =>
  useMutation({
    mutationFn: (csv: string) => api.post('/api/admin/bulk-grants/check', { body: { csv } }),
  });

export function useApplyGrants() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BulkOrder) => api.post('/api/admin/bulk-grants', { body }),
    onSuccess(answer) {
      toast({ title: isWaiting(answer) ? WAITING_TITLE : 'Nova Granted', description: answer.message });
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin }),
  });
}

export const useBulkBatches = (page: number) =>
  useQuery({
    queryKey: [...queryKeys.admin, 'bulk-grants', page],
    queryFn: ({ signal }) => api.get('/api/admin/bulk-grants', { query: { page, limit: BULK_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
