import { formatCount, formatNova } from '@/shared/api';
import type { SeriesDay } from './overview-types';

const HEAD =
  'sticky top-0 bg-sky-800 px-3 py-2 text-right font-medium whitespace-nowrap text-ink-muted first:pl-4 first:text-left sm:first:pl-6';
const CELL = 'border-t border-line px-3 py-1.5 text-right whitespace-nowrap tabular-nums last:pr-6';

/** What the charts show, day by day, the newest first: for screen readers, and for who wants the exact figure. */
export function SeriesTable({ series }: { series: readonly SeriesDay[] }) {
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
