/** Months and days as the dollar books name them, `2026-02` and `2026-02-28`, in the books' own time zone. */

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;
const DAY_MS = 86_400_000;

export const isMonth = (text: string): boolean => MONTH.test(text);

/** The day that a moment is in. Swedish writes a date as ISO does. */
export const dayOf = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date(iso));

export const monthOfDay = (day: string): string => day.slice(0, 'yyyy-mm'.length);

/** A month so many months later. */
export function monthAfter(month: string, count = 1): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count)).toISOString().slice(0, 'yyyy-mm'.length);
}

export const dayBefore = (day: string): string =>
  new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length);

export const firstDay = (month: string): string => `${month}-01`;

export const lastDay = (month: string): string => dayBefore(firstDay(monthAfter(month)));

const long = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' });

/** `February 2026`. */
export const monthLabel = (month: string): string => long.format(new Date(`${firstDay(month)}T00:00:00Z`));

/** The name of a period between two days: of its month if it is exactly that. No first day means all time before. */
export function periodLabel(first: string, last: string): string {
  if (first === '') return `up to ${last}`;
  const month = monthOfDay(last);
  return first === firstDay(month) && last === lastDay(month) ? monthLabel(month) : `${first} to ${last}`;
}

const MONTHS_LISTED = 36;

/** Months to choose from, newest first; a month in the address is among them, however old. */
export function monthOptions(newest: string, chosen: string): { value: string; label: string }[] {
  const months = Array.from({ length: MONTHS_LISTED }, (_, index) => monthAfter(newest, -index));
  const all = isMonth(chosen) && !months.includes(chosen) ? [...months, chosen] : months;
  return all.map((month) => ({ value: month, label: monthLabel(month) }));
}
