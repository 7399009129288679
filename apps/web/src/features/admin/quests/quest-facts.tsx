import { clsx } from 'clsx';
import { Badge, formatDateTime, type BadgeProps } from '@/shared/ui';
import { formatCount, questKind } from '../../quests/quest-kinds';
import type { AdminQuest, QuestStatus } from './use-admin-quests';

const STATUS: Readonly<Record<QuestStatus, { label: string; tone: BadgeProps['tone'] }>> = {
  active: { label: 'Active', tone: 'gain' },
  scheduled: { label: 'Scheduled', tone: 'hold' },
  expired: { label: 'Expired', tone: 'neutral' },
};

/** The quest's title and what it counts. */
export function QuestName({
  quest: { title, rules, createdBy },
  isCut = false,
}: {
  quest: AdminQuest;
  /** Cut to one line, in a table. */
  isCut?: boolean;
}) {
  const kind = questKind(rules.type);
  return (
    <span className={clsx('block min-w-0', isCut && 'py-1.5')}>
      <span
        dir="auto"
        className={clsx('block text-left text-sm font-medium text-ink', isCut && 'truncate')}
        title={isCut ? title : undefined}
      >
        {title}
      </span>
      <span className="mt-0.5 flex items-center gap-1.5 text-xs text-ink-faint" title={`Made by ${createdBy}`}>
        <kind.icon aria-hidden="true" className="size-3.5 shrink-0" />
        {kind.title}: {formatCount(rules.type, rules.target)}
      </span>
    </span>
  );
}

export function QuestStatusBadge({ quest: { status } }: { quest: AdminQuest }) {
  const { label, tone } = STATUS[status];
  return <Badge tone={tone}>{label}</Badge>;
}

/** The quest's start and end, in the browser's zone. */
export function QuestTimes({ quest: { startTime, endTime } }: { quest: AdminQuest }) {
  return (
    <p className="text-xs text-ink-muted not-cramped:whitespace-nowrap">
      <time dateTime={startTime}>{formatDateTime(startTime)}</time>
      <span className="block">
        to <time dateTime={endTime}>{formatDateTime(endTime)}</time>
      </span>
    </p>
  );
}
