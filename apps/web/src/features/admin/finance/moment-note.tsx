import { formatCount } from '@/shared/api';
import { CopyButton } from '@/shared/ui';
import type { JournalMoment } from './use-finance';

const HASH_SHOWN = 12;

/** `2026-11-21 09:30:00 UTC`: the books are kept in UTC, whoever looks at them. */
export const utcTime = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;

/** The same on one line; otherwise, a date would break at its hyphens. */
export const UtcTime = ({ iso }: { iso: string }) => (
  <time dateTime={iso} className="not-cramped:whitespace-nowrap">
    {utcTime(iso)}
  </time>
);

/** The event after which the books are shown, and the hash that covers everything up to it. */
export function MomentNote({ moment }: { moment: JournalMoment }) {
  if (moment.at === null) return <p className="text-sm text-ink-muted">Before the first event.</p>;
  return (
    <p className="flex min-h-11 flex-wrap items-center gap-x-1.5 text-sm text-ink-muted tabular-nums">
      <span>
        After event {formatCount(moment.revision)}, <UtcTime iso={moment.at} />,
      </span>
      <span className="inline-flex items-center cramped:flex-wrap">
        hash
        <code className="ml-1.5 text-xs" title={moment.hash}>
          {moment.hash.slice(0, HASH_SHOWN)}…
        </code>
        <CopyButton text={`${moment.revision}:${moment.hash}`} label="Copy revision and hash" />
      </span>
    </p>
  );
}
