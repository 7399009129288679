import { CircleCheckBig, Gift, Target, type LucideIcon } from 'lucide-react';
import { formatCount } from '@/shared/api';
import { Skeleton } from '@/shared/ui';
import type { QuestSummary } from './quest-entries';

/** The three figures above the quests (rule quests-9). */
export function QuestSummaryCards({ summary }: { summary: QuestSummary | undefined }) {
  return (
    <dl aria-busy={summary === undefined} className="grid gap-3 sm:grid-cols-3 sm:gap-6">
      <Tile icon={CircleCheckBig} label="Completed Today" value={summary?.completed} />
      <Tile icon={Gift} label="Rewards Claimed" value={summary?.claimed} />
      <Tile icon={Target} label="Available Quests" value={summary?.available} />
    </dl>
  );
}

function Tile({ icon: Icon, label, value }: { icon: LucideIcon; label: string; value: number | undefined }) {
  return (
    <div className="flex items-center justify-between gap-x-3 rounded-lg border border-line bg-sky-800 px-4 py-3 cramped:flex-wrap sm:block sm:py-4 lg:p-6">
      <dt className="flex items-center gap-2 text-sm text-ink-muted">
        <Icon aria-hidden="true" className="size-4" />
        {label}
      </dt>
      <dd className="text-lg font-semibold text-ink tabular-nums sm:mt-2 lg:text-xl">
        {value === undefined ? <Skeleton className="h-7 w-10 lg:h-8.5" /> : formatCount(value)}
      </dd>
    </div>
  );
}
