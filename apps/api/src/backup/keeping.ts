import { timeOf } from './manifest.js';

/** How many days, weeks and months back there is a backup for each (UTC; weeks begin on Mondays). */
export interface KeepingRule {
  readonly days: number;
  readonly weeks: number;
  readonly months: number;
}

const DAY_MS = 86_400_000;
/** 1 January 1970 was a Thursday. */
const MONDAY_SHIFT_DAYS = 3;

const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS);
const weekOf = (at: Date): number => Math.floor((dayOf(at) + MONDAY_SHIFT_DAYS) / 7);
const monthOf = (at: Date): number => at.getUTCFullYear() * 12 + at.getUTCMonth();

/**
 * Which backups are no longer kept: of the newest days, weeks and months that have any, the last of each stays. The newest
 * stays in any case, and so does what has another name.
 */
export function superfluous(names: readonly string[], { days, weeks, months }: KeepingRule): string[] {
  const made = names
    .flatMap((name) => {
      const at = timeOf(name);
      return at ? [{ name, at }] : [];
    })
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
  const kept = new Set(made.slice(0, 1).map(({ name }) => name));
  const keep = (periodOf: (at: Date) => number, count: number): void => {
    const periods = new Set<number>();
    for (const { name, at } of made) {
      const period = periodOf(at);
      if (periods.has(period) || periods.size >= count) continue;
      periods.add(period);
      kept.add(name);
    }
  };
  keep(dayOf, days);
  keep(weekOf, weeks);
  keep(monthOf, months);
  return made.filter(({ name }) => !kept.has(name)).map(({ name }) => name);
}
