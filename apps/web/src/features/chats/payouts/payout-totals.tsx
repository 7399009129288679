import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { type ReactNode, useState } from 'react';
import { chatKeys } from '@/features/chats';
import { api, formatCount, formatNova, type Schemas, serverNowMs } from '@/shared/api';
import { Amount, Card, Skeleton } from '@/shared/ui';

const MONTHS_SHOWN = 12;
const shortMonth = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });
const wholeMonth = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

type PaidMonth = Schemas['PayoutMonthDto'];

/** What all chats have paid, and a bar for each of the last twelve months (rule wallet-25). The list says failures. */
export function PayoutTotals() {
  const { data, isError } = useQuery({
    queryKey: chatKeys.payoutTotals,
    queryFn: ({ signal }) => api.get('/api/chats/completed-history/totals', { signal }),
    refetchOnMount: 'always',
  });
  if ((isError && data === undefined) || data?.chats === 0) return null;
  const { chats, hostedChats, novaEarned, influencePointsEarned, months = [] } = data ?? {};
  return (
    <Card
      aria-label="Totals"
      aria-busy={data === undefined}
      className="mb-6 grid grid-cols-1 gap-6 lg:grid-cols-2 lg:items-end"
    >
      <dl className="grid grid-cols-2 gap-4 cramped:grid-cols-1">
        <Total name="Nova earned">{novaEarned !== undefined && <Amount value={novaEarned} />}</Total>
        <Total name="Influence earned">
          {influencePointsEarned !== undefined && formatCount(influencePointsEarned)}
        </Total>
        <Total name="Chats">{chats !== undefined && formatCount(chats)}</Total>
        <Total name="You hosted">{hostedChats !== undefined && formatCount(hostedChats)}</Total>
      </dl>
      {data === undefined && <Skeleton className="h-40" />}
      {months.some(({ novaEarned: earned }) => earned > 0) && <MonthChart months={months} />}
    </Card>
  );
}

function Total({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-ink-muted">{name}</dt>
      <dd className="mt-1 text-lg font-semibold text-ink tabular-nums">
        {children === false ? <Skeleton className="h-7 w-24" /> : children}
      </dd>
    </div>
  );
}

/** Nova earned in each of the last months, as bars of which the highest is labelled. */
function MonthChart({ months }: { months: readonly PaidMonth[] }) {
  const [openedAtMs] = useState(serverNowMs);
  const shown = lastMonths(months, openedAtMs);
  const top = Math.max(...shown.map(({ novaEarned }) => novaEarned));
  return (
    <figure>
      <figcaption className="text-sm text-ink-muted">Nova earned by month</figcaption>
      <ol className="mt-2 flex h-36 gap-1 sm:gap-2">
        {shown.map(({ start, novaEarned }) => {
          const words = `${wholeMonth.format(start)}: ${formatNova(novaEarned)} Nova`;
          const isTop = top > 0 && novaEarned === top;
          return (
            <li key={start.getTime()} title={words} className="flex min-w-0 flex-1 flex-col justify-end">
              <span className="sr-only">{words}</span>
              <span aria-hidden="true" className="text-center text-xs text-ink tabular-nums">
                {isTop ? compact.format(novaEarned) : ''}
              </span>
              <span
                aria-hidden="true"
                className={clsx('block min-h-0.5 rounded-t-sm', novaEarned > 0 ? 'bg-nova' : 'bg-line')}
                style={{ height: `${top === 0 ? 0 : (novaEarned / top) * 70}%` }}
              />
              <span aria-hidden="true" className="mt-1 text-center text-xs text-ink-faint">
                {shortMonth.format(start).slice(0, 1)}
                <span className="max-sm:hidden">{shortMonth.format(start).slice(1)}</span>
              </span>
            </li>
          );
        })}
      </ol>
    </figure>
  );
}

/** The last twelve months (UTC), the oldest first, whether or not they have paid. */
function lastMonths(months: readonly PaidMonth[], nowMs: number): { start: Date; novaEarned: number }[] {
  const paid = new Map(months.map(({ month, novaEarned }) => [month, novaEarned]));
  const now = new Date(nowMs);
  return Array.from({ length: MONTHS_SHOWN }, (_, index) => {
    const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (MONTHS_SHOWN - 1 - index)));
    return { start, novaEarned: paid.get(start.toISOString().slice(0, 7)) ?? 0 };
  });
}
