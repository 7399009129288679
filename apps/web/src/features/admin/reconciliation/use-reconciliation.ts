import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiFetch, queryKeys, type Pagination } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';
import type { Doer } from '../doer-name';

export const LINE_STATUSES = ['flagged', 'explained', 'matched', 'all'] as const;
export type LineStatus = (typeof LINE_STATUSES)[number];

/** A movement of the provider's balance against an event of the ledger. Amounts are US cents. */
export interface ReconciliationLine {
  id: string;
  side: 'provider' | 'ledger';
  kind: string;
  providerId: string | null;
  paymentIntentId: string | null;
  cents: number;
  feeCents: number;
  at: string;
  status: 'matched' | 'explained' | 'flagged';
  code: string | null;
  note: string | null;
  eventId: string | null;
  explanation: { by: string; at: string; reason: string | null } | null;
}

export interface ReconciliationRun extends Doer {
  id: string;
  from: string;
  until: string;
  startedAt: string;
  finishedAt: string | null;
  state: 'running' | 'done' | 'failed';
  matched: number;
  explained: number;
  flagged: number;
  grossCents: number;
  feeCents: number;
  netCents: number;
}

const PATH = '/api/admin/reconciliation';
export const LINE_PAGE_SIZE = 20;
const RUN_POLL_MS = 2_000;

const key = [...queryKeys.admin, 'reconciliation'];

export const useReconciliationLines = (status: LineStatus, page: number) =>
  useQuery({
    queryKey: [...key, 'lines', { status, page }],
    queryFn: ({ signal }) =>
      apiFetch<{ lines: ReconciliationLine[]; pagination: Pagination }>(
        `${PATH}/lines?status=${status}&page=${page}&limit=${LINE_PAGE_SIZE}`,
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

/** The last look; asked for again and again while it goes on. */
export const useLastRun = () =>
  useQuery({
    queryKey: [...key, 'runs'],
    queryFn: ({ signal }) => apiFetch<{ runs: ReconciliationRun[] }>(`${PATH}/runs?limit=1`, { signal }),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.runs[0]?.state === 'running' ? RUN_POLL_MS : false),
  });

export function useBeginRun() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => apiFetch<ReconciliationRun>(`${PATH}/runs`, { method: 'POST', body: {} }),
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
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      apiFetch<ReconciliationLine>(`${PATH}/lines/${encodeURIComponent(id)}/explain`, {
        method: 'POST',
        body: { reason },
      }),
    onSuccess() {
      toast({ title: 'Difference Explained', description: 'The audit has your reason.' });
      onDone();
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin }),
  });
}
