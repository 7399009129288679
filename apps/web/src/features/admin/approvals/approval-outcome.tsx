import { Link } from 'react-router-dom';
import { formatDateTime, RelativeTime } from '@/shared/ui';
import { eventPath } from '../admin-sections';
import type { Approval } from './use-approvals';

/** What became of an act, and why. */
export function ApprovalOutcome({ approval }: { approval: Approval }) {
  const { status, decidedBy, decidedAt, decisionReason, eventId, message, expiresAt, admin } = approval;
  const by = <bdi className="font-medium text-ink">{decidedBy?.displayName}</bdi>;
  const when = decidedAt !== null && <RelativeTime iso={decidedAt} />;
  switch (status) {
    case 'waiting':
      return <>Ends {formatDateTime(expiresAt)} if nobody approves it.</>;
    case 'expired':
      return <>Nobody approved it in time.</>;
    case 'approved':
      return (
        <>
          Approved by {by} {when}. It is being carried out.
        </>
      );
    case 'done':
      return (
        <>
          Approved by {by} {when}
          {message === null ? '.' : `: ${message}`}
          {eventId !== null && (
            <>
              {' '}
              <Link
                to={eventPath(eventId)}
                className="text-ink underline decoration-line-strong underline-offset-4 hover:decoration-ink"
              >
                Open the event
              </Link>
            </>
          )}
        </>
      );
    case 'refused':
      return (
        <>
          Approved by {by} {when}, but it could not be done: {message}
        </>
      );
    case 'declined':
      return (
        <>
          {decidedBy?.id === admin.id ? 'Withdrawn' : <>Declined by {by}</>} {when}
          {decisionReason === null ? '.' : ': '}
          {decisionReason !== null && (
            <span dir="auto" className="wrap-anywhere">
              {decisionReason}
            </span>
          )}
        </>
      );
  }
}
