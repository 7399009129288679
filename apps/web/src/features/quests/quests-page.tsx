import { CircleCheckBig, Gift, type LucideIcon, Target, Trophy } from 'lucide-react';
import { useState } from 'react';
import { errorSentence, formatCount } from '@/shared/api';
import { Badge, Card, EmptyState, ErrorNote, PageHeader, Skeleton } from '@/shared/ui';
import { QuestCard, QuestCardSkeleton } from './quest-card';
import {
  inPlaces,
  questEntries,
  type QuestEntry,
  type QuestState,
  questSummary,
  type QuestSummary,
} from './quest-entries';
import { useQuestProgress, useQuests } from './use-quests';

/** Daily Quests (rule quests-9). */
export function QuestsPage() {
  const quests = useQuests();
  const progress = useQuestProgress();
  const summary = quests.data && progress.data && questSummary(quests.data, progress.data);
  const failed = [quests, progress].find(({ data, error }) => data === undefined && error !== null);
  const retry = () => {
    void quests.refetch();
    void progress.refetch();
  };
  const active = quests.data?.filter(({ isActive }) => isActive).length;
  return (
    <>
      <PageHeader
        title="Daily Quests"
        backTo="/"
        backLabel="Back to discovery"
        actions={active !== undefined && <Badge tone={active > 0 ? 'nova' : 'neutral'}>{active} Active</Badge>}
      />
      {failed && (
        <ErrorNote className="mb-6" onRetry={retry} retrying={quests.isFetching || progress.isFetching}>
          {errorSentence(failed.error, 'The quests could not be loaded.')}
        </ErrorNote>
      )}
      {!(failed && summary === undefined) && <QuestSummaryCards summary={summary} />}
      {quests.data !== undefined && <QuestList entries={questEntries(quests.data, progress.data)} />}
      {quests.data === undefined && !failed && <LoadingQuests />}
    </>
  );
}

function QuestList({ entries }: { entries: readonly QuestEntry[] }) {
  const placed = inPlaces(entries, useFirstStates(entries));
  const running = placed.filter(({ quest }) => quest.isActive);
  const over = placed.filter(({ quest }) => !quest.isActive);
  return (
    <>
      <CompletionNews entries={entries} />
      {running.length === 0 ? (
        <Card className="mt-6">
          <EmptyState
            icon={Trophy}
            title="No Active Quests"
            text="Check back later for new daily quests and rewards!"
          />
        </Card>
      ) : (
        <section>
          <h2 className="sr-only">Active</h2>
          <QuestCards label="Active quests" entries={running} />
        </section>
      )}
      {over.length > 0 && (
        <section className="mt-10">
          <h2 className="text-base font-semibold text-ink">Ended</h2>
          <p className="mt-1 text-sm text-ink-muted">You can claim completed quests for 24 hours after the end.</p>
          <QuestCards label="Ended quests" entries={over} />
        </section>
      )}
    </>
  );
}

function QuestCards({ label, entries }: { label: string; entries: readonly QuestEntry[] }) {
  return (
    <ul aria-label={label} className="mt-4 grid grid-cols-1 gap-4 sm:mt-6 sm:gap-6 lg:grid-cols-2">
      {entries.map((entry) => (
        <QuestCard key={entry.quest.id} entry={entry} />
      ))}
    </ul>
  );
}

function LoadingQuests() {
  return (
    <ul
      aria-label="Loading quests"
      aria-busy="true"
      className="mt-4 grid grid-cols-1 gap-4 sm:mt-6 sm:gap-6 lg:grid-cols-2"
    >
      {['first', 'second'].map((place) => (
        <QuestCardSkeleton key={place} />
      ))}
    </ul>
  );
}

/** The state of each quest when this page first showed the member's progress. */
function useFirstStates(entries: readonly QuestEntry[]): ReadonlyMap<string, QuestState> {
  const [seen, setSeen] = useState<ReadonlyMap<string, QuestState>>(new Map());
  const fresh = entries.filter(({ quest, progress }) => progress !== undefined && !seen.has(quest.id));
  if (fresh.length === 0) return seen;
  const next = new Map([...seen, ...fresh.map(({ quest, state }) => [quest.id, state] as const)]);
  setSeen(next);
  return next;
}

/** Tells screen readers that a quest was completed while the page was open. */
function CompletionNews({ entries }: { entries: readonly QuestEntry[] }) {
  const known = entries.some(({ progress }) => progress !== undefined);
  const claimable = entries.filter(({ state }) => state === 'claimable').map(({ quest }) => quest);
  const [seen, setSeen] = useState<{ ids: readonly string[]; news: string } | null>(null);
  const ids = claimable.map(({ id }) => id);
  if (known && (seen === null || seen.ids.join() !== ids.join())) {
    const fresh = seen === null ? [] : claimable.filter(({ id }) => !seen.ids.includes(id));
    setSeen({ ids, news: fresh.map(({ title }) => `Quest complete: ${title}.`).join(' ') });
  }
  return <output className="sr-only">{seen?.news}</output>;
}

/** The three figures above the quests (rule quests-9). */
function QuestSummaryCards({ summary }: { summary: QuestSummary | undefined }) {
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
