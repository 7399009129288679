import { Activity, ArrowLeftRight, CheckCheck, MessageCircle, Star, UserPlus, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorSentence, formatCount } from '@/shared/api';
import { ErrorNote, Skeleton } from '@/shared/ui';
import { ChangeNote } from './change-note';
import type { Overview, Period } from './overview-types';
import { useOverview } from './use-overview';

const percent = (value: number | null): string => (value === null ? '–' : `${formatCount(value)}%`);

interface Tile {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly valueOf: (overview: Overview) => string;
  readonly noteOf: (overview: Overview) => ReactNode;
}

/** The figures of Platform Overview, every one computed (rule admin-5). */
const TILES: readonly Tile[] = [
  {
    label: 'Registrations',
    icon: UserPlus,
    valueOf: ({ registrations }) => formatCount(registrations.count),
    noteOf: ({ registrations }) => <ChangeNote change={registrations} />,
  },
  {
    label: 'Chats',
    icon: MessageCircle,
    valueOf: ({ chats }) => formatCount(chats.count),
    noteOf: ({ chats }) => <ChangeNote change={chats} />,
  },
  {
    label: 'Transactions',
    icon: ArrowLeftRight,
    valueOf: ({ transactions }) => formatCount(transactions.count),
    noteOf: ({ transactions }) => <ChangeNote change={transactions} />,
  },
  {
    label: 'Average rating',
    icon: Star,
    valueOf: ({ averageRating }) => averageRating?.toFixed(2) ?? '–',
    noteOf: ({ averageRating }) =>
      averageRating === null
        ? 'Nobody gave a rating in this period.'
        : 'Average of the ratings given in this period, 9.99 at best.',
  },
  {
    label: 'Success rate',
    icon: CheckCheck,
    valueOf: ({ successRate }) => percent(successRate),
    noteOf: ({ successRate }) =>
      successRate === null ? 'No chat was accepted in this period.' : 'Share of accepted chats that succeeded.',
  },
  {
    label: 'Uptime',
    icon: Activity,
    valueOf: ({ uptime }) => percent(uptime),
    noteOf: ({ uptime }) =>
      uptime === null
        ? 'Nothing was measured in this period.'
        : 'Share of minutes in which a server ran, since the first one in this period.',
  },
];

export function OverviewCards({ period }: { period: Period }) {
  const { data, error, isFetching, isPlaceholderData, refetch } = useOverview(period);
  if (error !== null) {
    return (
      <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
        {errorSentence(error, 'The overview could not be loaded.')}
      </ErrorNote>
    );
  }
  return (
    <dl
      aria-busy={data === undefined || isPlaceholderData}
      className="grid grid-cols-2 gap-3 cramped:grid-cols-1 aria-busy:opacity-60 lg:grid-cols-3 lg:gap-6"
    >
      {TILES.map(({ label, icon: Icon, valueOf, noteOf }) => (
        <div key={label} className="min-w-0 rounded-lg border border-line bg-sky-800 p-4 sm:p-6">
          <dt className="flex items-center gap-2 text-sm text-ink-muted">
            <Icon aria-hidden="true" className="size-4 shrink-0" />
            {label}
          </dt>
          <dd className="mt-1 text-lg font-semibold text-ink tabular-nums sm:text-xl">
            {data === undefined ? <Skeleton className="h-7 w-20 sm:h-8.5" /> : valueOf(data)}
          </dd>
          <dd className="mt-1 min-h-8 text-xs text-ink-faint">{data !== undefined && noteOf(data)}</dd>
        </div>
      ))}
    </dl>
  );
}
