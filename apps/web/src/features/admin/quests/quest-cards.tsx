import type { ReactNode } from 'react';
import { formatCount } from '@/shared/api';
import { Amount } from '@/shared/ui';
import { QuestName, QuestStatusBadge, QuestTimes } from './quest-facts';
import type { AdminQuest } from './use-admin-quests';

/** The quests on a phone: one card a quest. */
export function QuestCards({ quests }: { quests: readonly AdminQuest[] }) {
  return (
    <ul aria-label="Quests" className="divide-y divide-line border-t border-line">
      {quests.map((quest) => (
        <li key={quest.id} className="grid grid-cols-1 gap-3 p-4 sm:px-6">
          <div className="flex items-start justify-between gap-3 cramped:flex-wrap">
            <QuestName quest={quest} />
            <QuestStatusBadge quest={quest} />
          </div>
          <div className="flex items-end justify-between gap-x-4 text-xs text-ink-faint cramped:flex-wrap">
            <QuestTimes quest={quest} />
            <Amount value={quest.reward} className="text-sm font-semibold text-ink" />
          </div>
          <dl className="grid grid-cols-4 gap-2 cramped:grid-cols-1 text-xs text-ink-faint">
            <Figure title="Under way">{formatCount(quest.underWay)}</Figure>
            <Figure title="Completed">{formatCount(quest.completed)}</Figure>
            <Figure title="Claimed">{formatCount(quest.claimed)}</Figure>
            <Figure title="Nova paid">
              <Amount value={quest.novaPaid} bare />
            </Figure>
          </dl>
        </li>
      ))}
    </ul>
  );
}

function Figure({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd className="mt-0.5 text-sm text-ink tabular-nums">{children}</dd>
    </div>
  );
}
