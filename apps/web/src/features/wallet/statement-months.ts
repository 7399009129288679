import { madeOnce } from '@/shared/made-once';

/** A month of the calendar (UTC) as the API names it, and in words. */
export interface MonthOption {
  value: string;
  label: string;
}

const words = madeOnce(() => new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }));

/** The first and the last day of a month such as `2026-02`. */
export function daysOfMonth(month: string): { startDate: string; endDate: string } {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return { startDate: `${month}-01`, endDate: new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) };
}

/** Every month from the one in which a member joined to this one, newest first. */
export function statementMonths(joinedAt: string, nowMs: number): readonly MonthOption[] {
  const [joined, now] = [new Date(joinedAt), new Date(nowMs)];
  const first = joined.getUTCFullYear() * 12 + joined.getUTCMonth();
  const last = now.getUTCFullYear() * 12 + now.getUTCMonth();
  return Array.from({ length: Math.max(last - first, 0) + 1 }, (_, back) => {
    const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back));
    const label = words().format(start);
    return { value: start.toISOString().slice(0, 7), label: back === 0 ? `${label}, so far` : label };
  });
}
