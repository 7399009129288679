import { lazy, type ReactNode } from 'react';
import { addNova, errorSentence, formatCount, formatNova } from '@/shared/api';
import { Card, ErrorNote, PartBoundary, Skeleton } from '@/shared/ui';
import type { Period, SeriesDay } from './overview-types';
import { SeriesTable } from './series-table';
import { useSeries } from './use-overview';

// The charts' library is larger than the panel itself: it comes when the figures have come.
const charts = () => import('./trend-charts');
const CirculationChart = lazy(async () => ({ default: (await charts()).CirculationChart }));
const PurchaseChart = lazy(async () => ({ default: (await charts()).PurchaseChart }));
const GiftChart = lazy(async () => ({ default: (await charts()).GiftChart }));
const ChatChart = lazy(async () => ({ default: (await charts()).ChatChart }));

const plural = (number: number, one: string): string => `${formatCount(number)} ${number === 1 ? one : `${one}s`}`;
const total = (series: readonly SeriesDay[], figure: (day: SeriesDay) => number): number =>
  addNova(...series.map(figure));

/** Nova in circulation, purchases, gifts and chats by day: drawn, and in figures below. */
export function OverviewTrends({ period }: { period: Period }) {
  const { data: series, error, isFetching, isPlaceholderData, refetch } = useSeries(period);
  if (error !== null) {
    return (
      <ErrorNote className="mt-6" onRetry={() => void refetch()} retrying={isFetching}>
        {errorSentence(error, 'The charts could not be loaded.')}
      </ErrorNote>
    );
  }
  return (
    <div aria-busy={series === undefined || isPlaceholderData} className="aria-busy:opacity-60">
      <div className="mt-6 grid grid-cols-1 gap-6 lg:grid-cols-2">
        <Trend title="Nova in circulation" said={series && `${nova(series.at(-1)?.circulation ?? 0)} now`}>
          {series && <CirculationChart series={series} />}
        </Trend>
        <Trend title="Nova purchased" said={series && saidOf(series, 'purchased', 'purchases', 'purchase')}>
          {series && <PurchaseChart series={series} />}
        </Trend>
        <Trend title="Nova gifted" said={series && saidOf(series, 'gifted', 'gifts', 'gift')}>
          {series && <GiftChart series={series} />}
        </Trend>
        <Trend title="Chats" said={series && chatsSaid(series)}>
          {series && <ChatChart series={series} />}
        </Trend>
      </div>
      {series && <SeriesTable series={series} />}
    </div>
  );
}

const nova = (amount: number): string => `${formatNova(amount)} Nova`;

function saidOf(
  series: readonly SeriesDay[],
  amount: 'purchased' | 'gifted',
  number: 'purchases' | 'gifts',
  one: string,
): string {
  return `${nova(total(series, (day) => day[amount]))} in ${plural(
    total(series, (day) => day[number]),
    one,
  )}`;
}

function chatsSaid(series: readonly SeriesDay[]): string {
  const requested = total(series, (day) => day.chatsRequested);
  const successful = total(series, (day) => day.chatsSuccessful);
  return `${formatCount(requested)} requested, ${formatCount(successful)} successful`;
}

/** One chart with what it comes to in words; its height is there before it is. */
function Trend({ title, said, children }: { title: string; said: string | undefined; children: ReactNode }) {
  return (
    <Card
      title={title}
      description={
        said === undefined ? <Skeleton className="h-5 w-48" /> : <span className="tabular-nums">{said}</span>
      }
    >
      <div className="h-56">
        <PartBoundary skeleton={<Skeleton className="h-56" />} failure="The chart could not be loaded.">
          {children ?? <Skeleton className="h-56" />}
        </PartBoundary>
      </div>
    </Card>
  );
}
