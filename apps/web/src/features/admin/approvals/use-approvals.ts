import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, queryKeys, refreshMoney, type Schemas } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';

/** An act that waits, or waited, for a second admin. */
export type Approval = Schemas['ApprovalDto'];
export type ApprovalStatus = Approval['status'];

/** The answer to an act that waits. */
export type WaitingAct = Schemas['WaitingActDto'];

export const isWaiting = (answer: object): answer is WaitingAct => 'code' in answer && answer.code === 'WAITING';

/** The title of the toast for an act that waits. */
export const WAITING_TITLE = 'Waiting for a Second Admin';

export const APPROVAL_PAGE_SIZE = 20;
const LOOK_EVERY_MS = 5_000;

const approvalsKey = [...queryKeys.admin, 'approvals'];

export const useApprovals = (status: 'waiting' | 'all', page: number) =>
  useQuery({
    queryKey: [...approvalsKey, { status, page }],
    queryFn: ({ signal }) =>
      api.get('/api/admin/approvals', { query: { status, page, limit: APPROVAL_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

/** How many acts wait now; 0 until that is known. */
export const useWaitingCount = (): number =>
  useQuery({
    queryKey: [...approvalsKey, 'count'],
    queryFn: ({ signal }) => api.get('/api/admin/approvals', { query: { limit: 1 }, signal }),
    refetchInterval: 60_000,
  }).data?.waiting ?? 0;

/** What became of an act; looked at again while it waits. */
export const useApproval = (id: string) =>
  useQuery({
    queryKey: [...approvalsKey, id],
    queryFn: ({ signal }) => api.get('/api/admin/approvals/{id}', { path: { id }, signal }),
    refetchInterval: ({ state }) => (isOpen(state.data?.status) ? LOOK_EVERY_MS : false),
  });

const isOpen = (status: ApprovalStatus | undefined): boolean => status === 'waiting' || status === 'approved';

const DECIDED: Partial<Record<ApprovalStatus, string>> = {
  done: 'Act Approved',
  approved: 'Act Approved',
  refused: 'Approved, but Not Done',
  declined: 'Act Declined',
};

/** Approves an act, or declines it with a reason. */
export function useDecide(id: string, onDone: () => void = () => undefined) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (reason: string | null) =>
      reason === null
        ? api.post('/api/admin/approvals/{id}/approve', { path: { id } })
        : api.post('/api/admin/approvals/{id}/decline', { path: { id }, body: { reason } }),
    onSuccess({ status, message }) {
      toast({ title: DECIDED[status] ?? 'Act Decided', ...(message !== null && { description: message }) });
      onDone();
    },
    onError: (error) => errorToast('Error', error, 'The act could not be decided.'),
    onSettled: () => refreshMoney(client),
  });
}

export type Controls = Schemas['ControlsDto'];

export const useControls = () =>
  useQuery({
    queryKey: [...queryKeys.admin, 'controls'],
    queryFn: ({ signal }) => api.get('/api/admin/controls', { signal }),
    refetchOnMount: 'always',
  });

export const useAdmins = () =>
  useQuery({
    queryKey: [...queryKeys.admin, 'admins'],
    queryFn: ({ signal }) => api.get('/api/admin/admins', { signal }),
    refetchOnMount: 'always',
  });
