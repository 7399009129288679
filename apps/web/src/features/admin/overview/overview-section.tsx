import {
  Activity,
  ArrowDown,
  ArrowLeftRight,
  ArrowUp,
  CheckCheck,
  type LucideIcon,
  MessageCircle,
  Star,
  UserPlus,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { errorSentence, formatCount } from '@/shared/api';
import { Amount, ErrorNote, Skeleton } from '@/shared/ui';
import { Choice } from '../choice';
import { useAdminStats } from '../use-admin';
import { OverviewTrends } from './overview-trends';
import { type Change, type Overview, type Period, PERIODS } from './overview-types';
import { useOverview, usePeriod } from './use-overview';

/** The state of the platform, and its course over a period (rules admin-4, admin-5). */
export function OverviewSection() {
  const [period, setPeriod] = usePeriod();
  return (
    <>
      <AdminStatCards />
      <div className="mt-8 mb-4 flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 className="text-lg font-semibold text-ink">Platform Overview</h2>
          <p className="mt-1 text-sm text-ink-muted">The last {period} days in UTC, today included.</p>
        </div>
        <PeriodChoice period={period} onChange={setPeriod} />
      </div>
      <OverviewCards period={period} />
      <OverviewTrends period={period} />
      <ServerRelease />
    </>
  );
}

/** As health checks and metrics name it (`docs/monitoring.md`). */
function ServerRelease() {
  const { data } = useAdminStats();
  if (!data?.version) return null;
  return <p className="mt-8 text-xs text-ink-faint">The server runs Nova {data.version}.</p>;
}

const OPTIONS = PERIODS.map((days) => ({ value: String(days), label: `${days} days` }));

/** The choice of the period. */
function PeriodChoice({ period, onChange }: { period: Period; onChange: (period: Period) => void }) {
  return (
    <Choice
      label="Period"
      options={OPTIONS}
      value={String(period)}
      onChange={(value) => onChange(PERIODS.find((days) => String(days) === value) ?? period)}
    />
  );
}

/** The platform's four figures (rule admin-4). */
function AdminStatCards() {
  const { data, error, isFetching, refetch } = useAdminStats();
  if (error !== null) {
    return (
      <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
        {errorSentence(error, 'The figures could not be loaded.')}
      </ErrorNote>
    );
  }
  const cards = [
    { label: 'Total Users', value: data && formatCount(data.totalUsers) },
    { label: 'Total Chats', value: data && formatCount(data.totalChats) },
    { label: 'Nova in Circulation', value: data && <Amount value={data.novaInCirculation} /> },
    { label: 'Active Quests', value: data && formatCount(data.activeQuests) },
  ];
  return (
    <dl aria-busy={data === undefined} className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:gap-6 xl:grid-cols-4">
      {cards.map(({ label, value }) => (
        <div
          key={label}
          className="min-w-0 rounded-lg border border-line bg-sky-800 p-4 max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:gap-x-4 cramped:flex-wrap sm:p-6"
        >
          <dt className="text-sm text-ink-muted">{label}</dt>
          <dd className="text-base sm:mt-1 font-semibold text-ink tabular-nums sm:text-lg">
            {value ?? <Skeleton className="h-6 w-20 sm:h-7" />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const percent = (value: number | null): string => (value === null ? '–' : `${formatCount(value)}%`);

interface Tile {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly valueOf: (overview: Overview) => string;
  readonly noteOf: (overview: Overview) => ReactNode;
}

/** The figures of Platform Overview, all of them computed (rule admin-5). */
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

function OverviewCards({ period }: { period: Period }) {
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

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** How a count compares with the previous period, in words; the colour only underlines them. */
function ChangeNote({ change: { previous, change } }: { change: Change }) {
  if (change === null) return <span>None in the previous period.</span>;
  const before = `${formatCount(previous)} in the previous period`;
  if (change === 0) return <span>The same as in the previous period.</span>;
  const Icon = change > 0 ? ArrowUp : ArrowDown;
  return (
    <>
      <span className={`inline-flex items-center gap-0.5 font-medium ${change > 0 ? 'text-gain' : 'text-loss'}`}>
        <Icon aria-hidden="true" className="size-3" />
        {whole.format(Math.abs(change))}% {change > 0 ? 'more' : 'fewer'}
      </span>{' '}
      <span>than the {before}.</span>
    </>
  );
}
