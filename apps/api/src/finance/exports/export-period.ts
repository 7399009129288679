import { DAY_MS, utcDay } from '@app/domain';
import type { DayOrMoment } from '../../platform/day-or-moment.js';
import type { AskedPeriod } from '../books.js';
import { type ExportFormat, hasDollars } from '../export.js';
import type { FiscalCalendar } from '../general-ledger/fiscal-calendar.js';

/** What is asked for: in formats with dollars, days are those of the books' time zone. */
export function exportPeriod({ from, to }: AskedPeriod, format: ExportFormat, calendar: FiscalCalendar): AskedPeriod {
  const inZone = (asked: DayOrMoment | undefined) => (asked && hasDollars(format) ? fiscalDay(asked, calendar) : asked);
  return { from: inZone(from), to: inZone(to) };
}

function fiscalDay(asked: DayOrMoment, calendar: FiscalCalendar): DayOrMoment {
  const { start, end } = asked;
  if (end.getTime() - start.getTime() !== DAY_MS) return asked;
  const day = utcDay(start.getTime());
  const { from, to } = calendar.days(day, day);
  return { start: from, end: new Date(to.getTime() + 1) };
}
