import { LOW_RATING_MAX } from '@app/domain';
import { MessageSquareOff } from 'lucide-react';
import { errorSentence, formatCount, type Schemas } from '@/shared/api';
import {
  Badge,
  EmptyState,
  ErrorNote,
  RelativeTime,
  Skeleton,
  Tabs,
  TabsContent,
  TabsList,
  TabsTrigger,
} from '@/shared/ui';
import { useUserComments, type RatingEntry } from './user-calls';
import type { AdminUser } from '../use-admin';

/** What others wrote about a user, and what the user wrote about others (rule admin-11). */
export function UserComments({ user }: { user: AdminUser }) {
  const { data, error, isFetching, refetch } = useUserComments(user.id);
  if (error !== null) {
    return (
      <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
        {errorSentence(error, 'Failed to load user comments')}
      </ErrorNote>
    );
  }
  if (data === undefined) return <CommentsSkeleton />;
  return (
    <>
      <Figures stats={data.stats} />
      <Tabs defaultValue="about" className="mt-4">
        <TabsList aria-label="Whose ratings">
          <TabsTrigger value="about">Received ({formatCount(data.stats.totalRatingsReceived)})</TabsTrigger>
          <TabsTrigger value="made">Given ({formatCount(data.stats.totalRatingsMade)})</TabsTrigger>
        </TabsList>
        <TabsContent value="about">
          <Entries
            entries={data.ratingsAboutUser.map((entry) => ({ ...entry, name: entry.raterName }))}
            total={data.stats.totalRatingsReceived}
            none="Nobody has rated this member yet."
          />
        </TabsContent>
        <TabsContent value="made">
          <Entries
            entries={data.ratingsMadeByUser.map((entry) => ({ ...entry, name: entry.ratedUserName }))}
            total={data.stats.totalRatingsMade}
            none="This member has rated nobody yet."
          />
        </TabsContent>
      </Tabs>
    </>
  );
}

function Figures({ stats }: { stats: Schemas['CommentStatsDto'] }) {
  const average = (value: number, total: number) => (total === 0 ? '–' : `${value.toFixed(1)} of 100`);
  const figures = [
    { label: 'Average received', value: average(stats.averageRatingReceived, stats.totalRatingsReceived) },
    { label: 'Average given', value: average(stats.averageRatingGiven, stats.totalRatingsMade) },
  ];
  return (
    <dl className="grid grid-cols-2 gap-3">
      {figures.map(({ label, value }) => (
        <div key={label} className="rounded-md border border-line bg-sky-700/40 px-4 py-3">
          <dt className="text-xs text-ink-muted">{label}</dt>
          <dd className="mt-0.5 font-semibold text-ink tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface EntriesProps {
  entries: readonly (RatingEntry & { name: string })[];
  total: number;
  none: string;
}

function Entries({ entries, total, none }: EntriesProps) {
  if (entries.length === 0) return <EmptyState icon={MessageSquareOff} title="No ratings" text={none} />;
  return (
    <>
      <ul className="mt-2 divide-y divide-line">
        {entries.map((entry) => (
          <li key={entry.id} className="py-3">
            <Entry {...entry} />
          </li>
        ))}
      </ul>
      {entries.length < total && (
        <p className="pt-2 text-xs text-ink-faint">
          The newest {formatCount(entries.length)} of {formatCount(total)} are shown.
        </p>
      )}
    </>
  );
}

function Entry({ name, rating, comment, explanation, createdAt }: RatingEntry & { name: string }) {
  return (
    <>
      <p className="flex items-center gap-2 text-sm">
        <bdi className="min-w-0 truncate font-medium text-ink">{name}</bdi>
        <Badge tone={rating <= LOW_RATING_MAX ? 'hold' : 'gain'}>{rating} of 100</Badge>
        <RelativeTime iso={createdAt} className="ml-auto shrink-0 text-xs text-ink-faint" />
      </p>
      <p dir="auto" className="mt-1 text-sm wrap-anywhere whitespace-pre-line text-ink-muted">
        {comment ?? <span className="text-ink-faint italic">No text.</span>}
      </p>
      {explanation !== null && (
        <p
          dir="auto"
          className="mt-1 border-l-2 border-line-strong pl-3 text-sm wrap-anywhere whitespace-pre-line text-ink-muted"
        >
          {explanation}
        </p>
      )}
    </>
  );
}

const SKELETONS = ['figures', 'tabs', 'first', 'second'];

function CommentsSkeleton() {
  return (
    <ul aria-label="Loading comments" aria-busy="true" className="grid grid-cols-1 gap-4">
      {SKELETONS.map((name) => (
        <li key={name}>
          <Skeleton className="h-16" />
        </li>
      ))}
    </ul>
  );
}
