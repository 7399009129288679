import { clsx } from 'clsx';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Amount } from '@/shared/ui';
import { eventPath } from '../admin-sections';
import type { BulkRow } from './use-bulk-grants';

/** The rows of a file, each with its outcome. Those with a problem come first. */
export function BulkRows({ rows, label }: { rows: readonly BulkRow[]; label: string }) {
  const sorted = rows.toSorted((a, b) => Number(a.ok) - Number(b.ok) || a.line - b.line);
  return (
    <ul aria-label={label} className="divide-y divide-line border-t border-line">
      {sorted.map((row) => (
        <RowItem key={row.line} row={row} />
      ))}
    </ul>
  );
}

function RowItem({ row }: { row: BulkRow }) {
  const { line, member, given, amount, reason, ok, message, eventId } = row;
  const Icon = ok ? CircleCheck : CircleAlert;
  return (
    <li className="flex items-start gap-3 px-4 py-3 text-sm sm:px-6">
      <Icon aria-hidden="true" className={clsx('mt-0.5 size-4 shrink-0', ok ? 'text-gain' : 'text-loss')} />
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere text-ink">
          {!ok && <span className="sr-only">Cannot be granted: </span>}
          {member === null ? <bdi>{given === '' ? 'Nobody' : given}</bdi> : <bdi>{member.displayName}</bdi>}
          <span className="text-ink-faint"> · line {line}</span>
          {eventId !== null && (
            <span>
              {' · '}
              <Link
                to={eventPath(eventId)}
                className="-my-3 py-3 text-ink-muted underline decoration-line-strong underline-offset-4"
              >
                Event
              </Link>
            </span>
          )}
        </p>
        {reason !== '' && (
          <p dir="auto" className="line-clamp-2 wrap-anywhere text-ink-muted">
            {reason}
          </p>
        )}
        {message !== null && <p className={ok ? 'text-hold' : 'text-loss'}>{message}</p>}
      </div>
      {amount !== null && <Amount value={amount} bare className={ok ? 'text-ink' : 'text-ink-faint'} />}
    </li>
  );
}
