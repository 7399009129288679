import { Trophy } from 'lucide-react';
import { errorSentence } from '@/shared/api';
import { Badge, Card, EmptyState, ErrorNote, PageHeader } from '@/shared/ui';
import { CompletionNews } from './completion-news';
import { QuestCard, QuestCardSkeleton } from './quest-card';
import { inPlaces, questEntries, questSummary, type QuestEntry } from './quest-entries';
import { QuestSummaryCards } from './quest-summary-cards';
import { useFirstStates } from './use-first-states';
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
