import { Link } from 'react-router-dom';
import { formatDateTime, RelativeTime } from '@/shared/ui';
import { eventPath } from '../admin-sections';
import type { Approval } from './use-approvals';

/** What became of an act, and why. */
export function ApprovalOutcome({ approval }: { approval: Approval }) {
  const { status, decidedBy, decidedAt, decisionReason, eventId, message, expiresAt, admin } = approval;
  const by = <bdi className="font-medium text-ink">{decidedBy?.displayName}</bdi>;
  const when = <span>{decidedAt !== null && <RelativeTime iso={decidedAt} />}</span>;
  switch (status) {
    case 'waiting':
      return <span>Ends {formatDateTime(expiresAt)} if nobody approves it.</span>;
    case 'expired':
      return <span>Nobody approved it in time.</span>;
    case 'approved':
      return (
        <span>
          Approved by {by} {when}. It is being carried out.
        </span>
      );
    case 'done':
      return (
        <span>
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
        </span>
      );
    case 'refused':
      return (
        <span>
          Approved by {by} {when}, but it could not be done: <span>{message}</span>
        </span>
      );
    case 'declined':
      return (
        <span>
          <span>{decidedBy?.id === admin.id ? 'Withdrawn' : <span>Declined by {by}</span>}</span> {when}
          {decisionReason === null ? '.' : ': '}
          {decisionReason !== null && (
            <span dir="auto" className="wrap-anywhere">
              {decisionReason}
            </span>
          )}
        </span>
      );
  }
}
