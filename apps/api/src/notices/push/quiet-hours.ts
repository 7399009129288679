import { DateTime } from 'luxon';

/** In which hours of the member's day no notification comes; from the first minute, until before the other. */
export interface QuietHours {
  /** Minutes since midnight. */
  readonly from: number;
  readonly to: number;
  /** IANA. */
  readonly timeZone: string;
}

/**
 * Seconds until the hours begin; 0 within them, and infinite where both times are the same. A time zone that this server does
 * not know counts as UTC.
 * @param at milliseconds since 1970
 */
export function secondsUntilQuiet({ from, to, timeZone }: QuietHours, at: number): number {
  if (from === to) return Infinity;
  const there = DateTime.fromMillis(at, { zone: timeZone });
  const local = there.isValid ? there : DateTime.fromMillis(at, { zone: 'utc' });
  const minute = local.hour * 60 + local.minute;
  const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
  if (isQuiet) return 0;
  const begin = local.set({ hour: Math.floor(from / 60), minute: from % 60, second: 0, millisecond: 0 });
  return (begin > local ? begin : begin.plus({ days: 1 })).diff(local, 'seconds').seconds;
}
