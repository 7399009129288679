import { Link } from 'react-router-dom';
import { RelativeTime } from '@/shared/ui';
import { eventPath } from '../admin-sections';
import { auditActionLabel, isLedgerAction } from './audit-actions';
import { AuditFigure, AuditTarget } from './audit-details';
import type { AuditEntry } from './use-audit';

/** The audit where a table has no room. */
export function AuditCards({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <ul className="divide-y divide-line border-t border-line">
      {entries.map((entry) => (
        <AuditCard key={entry.id} entry={entry} />
      ))}
    </ul>
  );
}

function AuditCard({ entry }: { entry: AuditEntry }) {
  const { id, action, adminName, targetId, amount, rating, reason, createdAt } = entry;
  return (
    <li className="grid grid-cols-1 gap-1.5 px-4 py-3 text-sm sm:px-6">
      <p className="flex items-baseline justify-between gap-x-3 cramped:flex-wrap">
        <span className="font-medium text-ink">{auditActionLabel(action)}</span>
        {(amount !== null || rating !== null) && <AuditFigure entry={entry} />}
      </p>
      {targetId !== null && (
        <p>
          <AuditTarget entry={entry} />
        </p>
      )}
      {reason !== null && (
        <p dir="auto" className="wrap-anywhere text-ink-muted">
          {reason}
        </p>
      )}
      <p className="flex min-h-6 items-center justify-between gap-x-3 text-xs cramped:flex-wrap text-ink-faint">
        <span>
          <bdi>{adminName}</bdi> · <RelativeTime iso={createdAt} />
        </span>
        {isLedgerAction(action) && (
          <Link
            to={eventPath(id)}
            className="-my-3 py-3.5 text-ink-muted underline decoration-line-strong underline-offset-4"
          >
            Open the event
          </Link>
        )}
      </p>
    </li>
  );
}
