import type { ApprovalRequested, ApprovedActEnded, ModerationEvent } from './events.js';

/** An act waits for so long; then nobody approves it any more (rule admin-20). */
export const APPROVAL_LIFETIME_MS = 7 * 24 * 60 * 60 * 1_000;

/** An act that needed a second admin (rule admin-20); its events are the stream `moderation-{id}`. */
export interface Approval {
  readonly request: ApprovalRequested;
  readonly status: 'waiting' | 'approved' | 'declined' | 'done' | 'refused';
  /** Who approved or declined it. */
  readonly decidedBy: string | undefined;
  readonly end: ApprovedActEnded | undefined;
}

export function evolveApproval(state: Approval | undefined, event: ModerationEvent): Approval | undefined {
  if (event.type === 'ApprovalRequested') {
    return { request: event, status: 'waiting', decidedBy: undefined, end: undefined };
  }
  if (!state) return state;
  if (event.type === 'ApprovalGiven') return { ...state, status: 'approved', decidedBy: event.adminId };
  if (event.type === 'ApprovalDeclined') return { ...state, status: 'declined', decidedBy: event.adminId };
  if (event.type !== 'ApprovedActEnded') return state;
  return { ...state, status: event.refusal === null ? 'done' : 'refused', end: event };
}

export interface ApprovalRefusal {
  readonly code: 'NOT_WAITING' | 'APPROVAL_EXPIRED' | 'OWN_ACT' | 'NO_ADMIN' | 'REQUESTER_NO_ADMIN';
  readonly message: string;
}

const ENDED: Readonly<Record<Exclude<Approval['status'], 'waiting'>, string>> = {
  approved: 'This act has been approved already.',
  declined: 'This act has been declined already.',
  done: 'This act has been approved already.',
  refused: 'This act has been approved already.',
};

/** Why an admin may not approve or decline an act; undefined if they may. */
export function decisionRefusal(
  approval: Approval,
  by: { readonly adminId: string; readonly decision: 'approve' | 'decline'; readonly admins: ReadonlySet<string> },
  at: number,
): ApprovalRefusal | undefined {
  const { request, status } = approval;
  if (!by.admins.has(by.adminId)) return { code: 'NO_ADMIN', message: 'Only admins may do this.' };
  if (status !== 'waiting') return { code: 'NOT_WAITING', message: ENDED[status] };
  if (at >= request.expiresAt) {
    return { code: 'APPROVAL_EXPIRED', message: 'Nobody approved this act in time. It must be asked for anew.' };
  }
  if (by.decision === 'decline') return undefined;
  if (by.adminId === request.adminId) {
    return { code: 'OWN_ACT', message: 'You asked for this yourself. Another admin must approve it.' };
  }
  if (!by.admins.has(request.adminId)) {
    return { code: 'REQUESTER_NO_ADMIN', message: 'Whoever asked for this is no longer an admin.' };
  }
  return undefined;
}
