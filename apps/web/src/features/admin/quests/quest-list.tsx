import { clsx } from 'clsx';
import { Amount, Badge, formatDateTime, type BadgeProps } from '@/shared/ui';
import { formatCount, questKind } from '../../quests/quest-kinds';
import type { AdminQuest, QuestStatus } from './use-admin-quests';

const HEAD = 'px-3 py-2 text-xs font-medium whitespace-nowrap text-ink-muted first:pl-6 last:pr-6';
const CELL = 'px-3 py-2.5 align-top text-sm first:pl-6 last:pr-6';
const FIGURE = 'text-right whitespace-nowrap tabular-nums';

const STATUS: Readonly<Record<QuestStatus, { label: string; tone: BadgeProps['tone'] }>> = {
  active: { label: 'Active', tone: 'gain' },
  scheduled: { label: 'Scheduled', tone: 'hold' },
  expired: { label: 'Expired', tone: 'neutral' },
};

const count = new Intl.NumberFormat('en-US');

const COLUMNS: readonly { title: string; isFigure?: true }[] = [
  { title: 'Quest' },
  { title: 'Status' },
  { title: 'Runs' },
  { title: 'Reward', isFigure: true },
  { title: 'Under way', isFigure: true },
  { title: 'Completed', isFigure: true },
  { title: 'Claimed', isFigure: true },
  { title: 'Nova paid', isFigure: true },
];

interface QuestListProps {
  quests: readonly AdminQuest[];
}

export function QuestTable({ quests }: QuestListProps) {
  return (
    <section className="overflow-x-auto border-t border-line" aria-label="Quests">
      <table className="w-full" aria-label="Quests, newest first">
        <thead className="text-left">
          <tr>
            {COLUMNS.map(({ title, isFigure }) => (
              <th key={title} scope="col" className={clsx(HEAD, isFigure && 'text-right')}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-t border-line">
          {quests.map((quest) => (
            <tr key={quest.id} className="hover:bg-sky-700/30">
              <th scope="row" className={`${CELL} max-w-72 min-w-44 text-left font-normal`}>
                <QuestName quest={quest} />
              </th>
              <td className={CELL}>
                <StatusBadge quest={quest} />
              </td>
              <td className={`${CELL} text-xs whitespace-nowrap text-ink-muted`}>
                <Times quest={quest} />
              </td>
              <td className={`${CELL} ${FIGURE}`}>
                <Amount value={quest.reward} />
              </td>
              {[quest.underWay, quest.completed, quest.claimed].map((figure, index) => (
                <td key={COLUMNS[index + 4]?.title} className={`${CELL} ${FIGURE} text-ink-muted`}>
                  {count.format(figure)}
                </td>
              ))}
              <td className={`${CELL} ${FIGURE}`}>
                <Amount value={quest.novaPaid} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function QuestCards({ quests }: QuestListProps) {
  return (
    <ul aria-label="Quests" className="divide-y divide-line border-t border-line">
      {quests.map((quest) => (
        <li key={quest.id} className="grid grid-cols-1 gap-3 p-4">
          <div className="flex items-start justify-between gap-3">
            <QuestName quest={quest} />
            <StatusBadge quest={quest} />
          </div>
          <div className="flex items-end justify-between gap-4 text-xs text-ink-faint">
            <Times quest={quest} />
            <Amount value={quest.reward} className="text-sm font-semibold text-ink" />
          </div>
          <dl className="grid grid-cols-4 gap-2 text-xs text-ink-faint">
            <Figure title="Under way">{count.format(quest.underWay)}</Figure>
            <Figure title="Completed">{count.format(quest.completed)}</Figure>
            <Figure title="Claimed">{count.format(quest.claimed)}</Figure>
            <Figure title="Nova paid">
              <Amount value={quest.novaPaid} bare />
            </Figure>
          </dl>
        </li>
      ))}
    </ul>
  );
}

function Figure({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd className="mt-0.5 text-sm text-ink tabular-nums">{children}</dd>
    </div>
  );
}

function QuestName({ quest: { title, rules, createdBy } }: { quest: AdminQuest }) {
  const kind = questKind(rules.type);
  return (
    <span className="min-w-0">
      <bdi className="block text-sm font-medium text-ink">{title}</bdi>
      <span className="mt-0.5 flex items-center gap-1.5 text-xs text-ink-faint" title={`Made by ${createdBy}`}>
        <kind.icon aria-hidden="true" className="size-3.5 shrink-0" />
        {kind.title}: {formatCount(rules.type, rules.target ?? 1)}
      </span>
    </span>
  );
}

function StatusBadge({ quest: { status } }: { quest: AdminQuest }) {
  const { label, tone } = STATUS[status];
  return <Badge tone={tone}>{label}</Badge>;
}

function Times({ quest: { startTime, endTime } }: { quest: AdminQuest }) {
  return (
    <p>
      <time dateTime={startTime}>{formatDateTime(startTime)}</time>
      <span className="block">
        to <time dateTime={endTime}>{formatDateTime(endTime)}</time>
      </span>
    </p>
  );
}
