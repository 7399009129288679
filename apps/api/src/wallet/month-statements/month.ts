import { readDayOrMoment } from '../../platform/day-or-moment.js';

/** A calendar month in UTC (rule wallet-21). */
export interface Month {
  /** `2026-11`. */
  readonly name: string;
  readonly start: Date;
  /** The start of the next month. */
  readonly end: Date;
}

const MONTH = /^\d{4}-\d{2}$/;

/** Reads `2026-11`; undefined for anything else. */
export function readMonth(text: unknown): Month | undefined {
  if (typeof text !== 'string' || !MONTH.test(text)) return undefined;
  const day = readDayOrMoment(`${text}-01`);
  if (!day) return undefined;
  const { start } = day;
  return { name: text, start, end: new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1)) };
}

const IN_WORDS = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `November 2026`. */
export const monthInWords = ({ start }: Month): string => IN_WORDS.format(start);
