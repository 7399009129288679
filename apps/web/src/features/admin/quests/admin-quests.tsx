import { Plus, Trophy } from 'lucide-react';
import { useState } from 'react';
import { errorSentence } from '@/shared/api';
import { Button, Card, EmptyState, ErrorNote, Field, Select, Skeleton } from '@/shared/ui';
import { Pager } from '../pager';
import { useWideScreen } from '../use-wide-screen';
import { QuestDialog } from './quest-dialog';
import { QuestCards, QuestTable } from './quest-list';
import { useAdminQuests, useQuestView } from './use-admin-quests';

const STATUS_OPTIONS = [
  { value: 'all', label: 'All quests' },
  { value: 'active', label: 'Active' },
  { value: 'scheduled', label: 'Scheduled' },
  { value: 'expired', label: 'Expired' },
];

/** Daily Quests in the Admin Panel (S1 §2.6): creation and list. */
export function AdminQuests() {
  const view = useQuestView();
  const [isCreating, setCreating] = useState(false);
  const quests = useAdminQuests(view);
  const create = (
    <Button icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setCreating(true)}>
      Create Quest
    </Button>
  );
  return (
    <Card className="mt-6" title="Daily Quests" flush actions={create} aria-busy={quests.isFetching}>
      <div className="px-4 pb-4 sm:px-6">
        <Field label="Status" className="max-w-48">
          <Select
            options={STATUS_OPTIONS}
            value={view.status === '' ? 'all' : view.status}
            onChange={({ target: { value } }) => view.choose(value === 'all' ? '' : value)}
          />
        </Field>
      </div>
      <QuestRows quests={quests} isFiltered={view.status !== ''} />
      {quests.data !== undefined && (
        <Pager label="Pages of quests" pagination={quests.data.pagination} onGoTo={view.goTo} />
      )}
      <QuestDialog open={isCreating} onOpenChange={setCreating} />
    </Card>
  );
}

interface QuestRowsProps {
  quests: ReturnType<typeof useAdminQuests>;
  isFiltered: boolean;
}

function QuestRows({ quests: { data, error, isFetching, isPlaceholderData, refetch }, isFiltered }: QuestRowsProps) {
  const isWide = useWideScreen();
  if (error !== null) {
    return (
      <ErrorNote className="mx-4 mb-4 sm:mx-6" onRetry={() => void refetch()} retrying={isFetching}>
        {errorSentence(error, 'The quests could not be loaded.')}
      </ErrorNote>
    );
  }
  if (data === undefined) return <SkeletonRows />;
  if (data.quests.length === 0) {
    return (
      <EmptyState
        icon={Trophy}
        title={isFiltered ? 'No such quests' : 'No quests yet'}
        text={isFiltered ? 'No quest has this status now.' : 'A quest gives members a reason to come back.'}
      />
    );
  }
  const List = isWide ? QuestTable : QuestCards;
  return (
    <div className={isPlaceholderData ? 'opacity-60 transition-opacity' : ''}>
      <List quests={data.quests} />
    </div>
  );
}

function SkeletonRows() {
  return (
    <ul aria-label="Loading quests" aria-busy="true" className="divide-y divide-line border-t border-line">
      {['first', 'second', 'third'].map((row) => (
        <li key={row} className="flex min-h-16 items-center gap-3 px-4 sm:px-6">
          <Skeleton className="h-4 w-48" />
          <Skeleton className="ml-auto h-4 w-24" />
        </li>
      ))}
    </ul>
  );
}
