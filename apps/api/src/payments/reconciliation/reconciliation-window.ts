import { DAY_MS } from '@app/domain';
import type { AskedPeriod } from '../../finance/books.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { RunWindow } from './reconciliation-runs.js';

const WINDOW_DAYS_MAX = 92;
const WINDOW_DAYS = 7;

/**
 * The window of a run that somebody asks for: without a beginning, as a daily run that ends then.
 * @param now the end of a run over everything so far
 * @param lookedUntil the end of the last daily run, if there was one
 * @throws AppError 400 a range that ends before it begins, in the future, or is longer than 92 days
 */
export function windowOf({ from, to }: AskedPeriod, now: Date, lookedUntil?: Date): RunWindow {
  const end = to?.end ?? now;
  const start = from?.start ?? dailyWindow(end, lookedUntil).from;
  const wrong = (message: string): AppError => new AppError(400, 'INVALID_RANGE', message);
  if (end.getTime() > now.getTime() + DAY_MS) throw wrong('The range ends in the future.');
  if (start >= end) throw wrong('The range ends before it begins.');
  if (end.getTime() - start.getTime() > WINDOW_DAYS_MAX * DAY_MS) {
    throw wrong(`The range is longer than ${WINDOW_DAYS_MAX} days. Split it.`);
  }
  return { from: start, until: end };
}

/**
 * The window of the daily run: seven days, so that late movements are in the next day's run as well. Longer if the last
 * runs failed or did not start, so that no day is left out; 92 days at most.
 * @param lookedUntil the end of the last daily run, if there was one
 */
export function dailyWindow(until: Date, lookedUntil = until): RunWindow {
  const daysBefore = (days: number): number => until.getTime() - days * DAY_MS;
  const from = Math.max(Math.min(daysBefore(WINDOW_DAYS), lookedUntil.getTime()), daysBefore(WINDOW_DAYS_MAX));
  return { from: new Date(from), until };
}
