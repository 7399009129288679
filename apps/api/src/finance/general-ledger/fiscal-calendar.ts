import { DateTime } from 'luxon';
import { AppError } from '../../platform/errors/app-error.js';

/** A period of the books as moments, both included. */
export interface FiscalPeriod {
  readonly from: Date;
  readonly to: Date;
}

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;
const DAY = 'yyyy-MM-dd';

/** Days and months in the time zone of the books (`FISCAL_TIME_ZONE`, rule finance-8). */
export class FiscalCalendar {
  constructor(readonly timeZone: string) {}

  /** `2026-02`: from its first moment, whichever hour that is, to its last. */
  month(name: string): FiscalPeriod {
    const start = DateTime.fromFormat(MONTH.test(name) ? name : '', 'yyyy-MM', { zone: this.timeZone });
    if (!start.isValid) throw new AppError(400, 'INVALID_MONTH', 'A month is written like 2026-02.');
    return periodOf(start, start.plus({ months: 1 }));
  }

  /** Whole days. @throws AppError 400 a date that is none, or an end before the beginning */
  days(first: string, last: string): FiscalPeriod {
    const [start, end] = [first, last].map((text) => DateTime.fromFormat(text, DAY, { zone: this.timeZone }));
    if (!start?.isValid || !end?.isValid) throw new AppError(400, 'INVALID_DATE', 'A date is written like 2026-02-28.');
    if (end < start) throw new AppError(400, 'INVALID_PERIOD', 'The period ends before it begins.');
    return periodOf(start, end.plus({ days: 1 }));
  }

  /** The day that a moment is in. */
  dayOf(moment: Date): string {
    return DateTime.fromJSDate(moment, { zone: this.timeZone }).toFormat(DAY);
  }

  monthOf(moment: Date): string {
    return DateTime.fromJSDate(moment, { zone: this.timeZone }).toFormat('yyyy-MM');
  }

  /** The last month of which all is over by a moment, be it the end of a month in another time zone. */
  lastMonthBy(moment: Date): string {
    const next = DateTime.fromMillis(moment.getTime() + 1, { zone: this.timeZone });
    return next.minus({ months: 1 }).toFormat('yyyy-MM');
  }
}

/** Where clocks jump at midnight, a day begins with its first moment that exists. */
const periodOf = (start: DateTime, next: DateTime): FiscalPeriod => ({
  from: start.startOf('day').toJSDate(),
  to: new Date(next.startOf('day').toMillis() - 1),
});
