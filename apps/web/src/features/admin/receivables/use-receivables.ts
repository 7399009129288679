import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, queryKeys, type Schemas, useActionKey } from '@/shared/api';
import { toast } from '@/shared/ui';

export type Receivable = Schemas['ReceivableDto'];

export const RECEIVABLE_PAGE_SIZE = 20;

export const useReceivables = (page: number) =>
  useQuery({
    queryKey: [...queryKeys.admin, 'receivables', page],
    queryFn: ({ signal }) =>
      api.get('/api/admin/receivables', { query: { page, limit: RECEIVABLE_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

/** Gives up what a member still owes, once, however often the request is retried. */
export function useWriteOff(reversalId: string, onDone: () => void) {
  const client = useQueryClient();
  const key = useActionKey();
  return useMutation({
    mutationFn: (body: Schemas['WriteOffDto']) =>
      api.post('/api/admin/receivables/{reversalId}/write-off', {
        path: { reversalId },
        body,
        idempotencyKey: key.keyFor(body),
      }),
    onSuccess({ message }) {
      key.done();
      toast({ title: 'Written Off', description: message });
      onDone();
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin }),
  });
}
