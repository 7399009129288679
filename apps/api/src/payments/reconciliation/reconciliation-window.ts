import { DAY_MS } from '@app/domain';
import type { AskedPeriod } from '../../finance/books.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { RunWindow } from './reconciliation-runs.js';

const WINDOW_DAYS_MAX = 92;
const WINDOW_DAYS = 7;

/**
 * What a look takes: without a beginning the seven days up to its end.
 * @param now the end of a look at everything so far
 * @throws AppError 400 a range that ends before it begins, in the future, or is longer than 92 days
 */
export function windowOf({ from, to }: AskedPeriod, now: Date): RunWindow {
  const end = to?.end ?? now;
  const start = from?.start ?? new Date(end.getTime() - WINDOW_DAYS * DAY_MS);
  const wrong = (message: string): AppError => new AppError(400, 'INVALID_RANGE', message);
  if (end.getTime() > now.getTime() + DAY_MS) throw wrong('The range ends in the future.');
  if (start >= end) throw wrong('The range ends before it begins.');
  if (end.getTime() - start.getTime() > WINDOW_DAYS_MAX * DAY_MS) {
    throw wrong(`The range is longer than ${WINDOW_DAYS_MAX} days. Split it.`);
  }
  return { from: start, until: end };
}

/**
 * What the daily look takes: seven days, so that what came late is in the next day's look as well, and no day is left out
 * where the last ones failed or nothing ran; 92 days at most.
 * @param lookedUntil the end of the last daily look, if there was one
 */
export function dailyWindow(until: Date, lookedUntil = until): RunWindow {
  const daysBefore = (days: number): number => until.getTime() - days * DAY_MS;
  const from = Math.max(Math.min(daysBefore(WINDOW_DAYS), lookedUntil.getTime()), daysBefore(WINDOW_DAYS_MAX));
  return { from: new Date(from), until };
}
