import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, queryKeys, refreshMoney, type Schemas } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';

export const LINE_STATUSES = ['flagged', 'explained', 'matched', 'all'] as const;
export type LineStatus = (typeof LINE_STATUSES)[number];

/** A movement of the provider's balance compared with an event of the ledger. Amounts are US cents. */
export type ReconciliationLine = Schemas['ReconciliationLineDto'];

export type ReconciliationRun = Schemas['ReconciliationRunDto'];

export const LINE_PAGE_SIZE = 20;
const RUN_POLL_MS = 2_000;

const key = [...queryKeys.admin, 'reconciliation'];

export const useReconciliationLines = (status: LineStatus, page: number) =>
  useQuery({
    queryKey: [...key, 'lines', { status, page }],
    queryFn: ({ signal }) =>
      api.get('/api/admin/reconciliation/lines', { query: { status, page, limit: LINE_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

/** The last comparison; polled while it runs. */
export const useLastRun = () =>
  useQuery({
    queryKey: [...key, 'runs'],
    queryFn: ({ signal }) => api.get('/api/admin/reconciliation/runs', { query: { limit: 1 }, signal }),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.runs[0]?.state === 'running' ? RUN_POLL_MS : false),
  });

export function useBeginRun() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.post('/api/admin/reconciliation/runs', { body: {} }),
    onSuccess: ({ state, flagged }) =>
      toast({
        title: state === 'running' ? 'Reconciliation Begun' : 'Reconciled',
        description: state === 'running' ? 'It goes on by itself.' : `${flagged} flagged.`,
      }),
    onError: (error) => errorToast('Error', error, 'Failed to reconcile'),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin }),
  });
}

export function useExplain(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string } & Schemas['ExplainDifferenceDto']) =>
      api.post('/api/admin/reconciliation/lines/{id}/explain', { path: { id }, body }),
    onSuccess() {
      toast({ title: 'Difference Explained', description: 'The audit has your reason.' });
      onDone();
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin }),
  });
}

/** Settles a difference through the ledger. */
export function useSettle(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      api.post('/api/admin/reconciliation/lines/{id}/settle', { path: { id }, body: { reason } }),
    onSuccess() {
      toast({ title: 'Difference Settled', description: 'The ledger has it now, with your reason.' });
      onDone();
    },
    onSettled: () => refreshMoney(client),
  });
}
