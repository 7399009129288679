import { errorSentence, formatCount } from '@/shared/api';
import { Amount, ErrorNote, Skeleton } from '@/shared/ui';
import { useAdminStats } from './use-admin';

/** The four figures of the platform (rule admin-4). */
export function AdminStatCards() {
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
