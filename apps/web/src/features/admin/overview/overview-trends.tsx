import { lazy, type ReactNode } from 'react';
import { addNova, errorSentence, formatCount, formatNova } from '@/shared/api';
import { Card, ErrorNote, PartBoundary, Skeleton } from '@/shared/ui';
import type { Period, SeriesDay } from './overview-types';
import { useSeries } from './use-overview';

// The chart library is larger than the panel itself, so it loads only once the figures are there.
const charts = () => import('./trend-charts');
const CirculationChart = lazy(async () => ({ default: (await charts()).CirculationChart }));
const PurchaseChart = lazy(async () => ({ default: (await charts()).PurchaseChart }));
const GiftChart = lazy(async () => ({ default: (await charts()).GiftChart }));
const ChatChart = lazy(async () => ({ default: (await charts()).ChatChart }));

const plural = (number: number, one: string): string => `${formatCount(number)} ${number === 1 ? one : `${one}s`}`;
const total = (series: readonly SeriesDay[], figure: (day: SeriesDay) => number): number =>
  addNova(...series.map(figure));

/** Nova in circulation, purchases, gifts and chats by day: as charts, with the figures below. */
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
        <Trend title="Nova in circulation" said="At the end of each day">
          {series && <CirculationChart series={series} />}
        </Trend>
        <Trend title="Nova purchased" said={series && saidOf(series, 'purchased', 'purchases', 'purchase')}>
          {series && <PurchaseChart series={series} />}
        </Trend>
        <Trend title="Nova gifted" said={series && saidOf(series, 'gifted', 'gifts', 'gift')}>
          {series && <GiftChart series={series} />}
        </Trend>
        <Trend title="Chats" said="Requested and successful, each day">
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

/** One chart with its result in words; its height is reserved before it loads. */
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

const HEAD =
  'sticky top-0 bg-sky-800 px-3 py-2 text-right font-medium whitespace-nowrap text-ink-muted first:pl-4 first:text-left sm:first:pl-6';
const CELL = 'border-t border-line px-3 py-1.5 text-right whitespace-nowrap tabular-nums last:pr-6';

/** The data of the charts by day, newest first: for screen readers, and for exact figures. */
function SeriesTable({ series }: { series: readonly SeriesDay[] }) {
  return (
    <details className="mt-6 rounded-lg border border-line bg-sky-800">
      <summary className="min-h-11 px-4 py-3 text-sm font-medium text-ink-muted hover:text-ink sm:px-6">
        Figures by day
      </summary>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be within the keyboard's reach. */}
      <section aria-label="Figures by day" tabIndex={0} className="max-h-96 overflow-auto border-t border-line">
        <table className="w-full text-sm text-ink">
          <caption className="sr-only">Figures by UTC day, newest first. Amounts in Nova.</caption>
          <thead className="text-xs">
            <tr>
              {[
                'Day',
                'In circulation',
                'Purchased',
                'Purchases',
                'Gifted',
                'Gifts',
                'Chats requested',
                'Chats successful',
                'Registrations',
              ].map((title) => (
                <th key={title} scope="col" className={HEAD}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {series.toReversed().map((day) => (
              <tr key={day.day}>
                <th
                  scope="row"
                  className="border-t border-line px-4 py-1.5 text-left font-normal whitespace-nowrap text-ink-muted sm:px-6"
                >
                  {day.day}
                </th>
                <td className={CELL}>{formatNova(day.circulation)}</td>
                <td className={CELL}>{formatNova(day.purchased)}</td>
                <td className={CELL}>{formatCount(day.purchases)}</td>
                <td className={CELL}>{formatNova(day.gifted)}</td>
                <td className={CELL}>{formatCount(day.gifts)}</td>
                <td className={CELL}>{formatCount(day.chatsRequested)}</td>
                <td className={CELL}>{formatCount(day.chatsSuccessful)}</td>
                <td className={CELL}>{formatCount(day.registrations)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
