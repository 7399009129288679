import { useSyncExternalStore } from 'react';
import { steppedClock } from '../hooks/stepped-clock';
import { madeOnce } from '../made-once';

const MINUTE_MS = 60_000;

const clock = steppedClock(MINUTE_MS);

const exact = madeOnce(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' }));
const dayAndMinute = madeOnce(
  () =>
    new Intl.DateTimeFormat('en-US', {
      month: 'short',
      day: 'numeric',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    }),
);
const day = madeOnce(() => new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' }));
const timeOfDay = madeOnce(() => new Intl.DateTimeFormat('en-US', { timeStyle: 'short' }));
const relative = madeOnce(() => new Intl.RelativeTimeFormat('en-US', { numeric: 'auto', style: 'short' }));

const steps = [
  { unit: 'minute', ms: MINUTE_MS, below: 60 },
  { unit: 'hour', ms: 60 * MINUTE_MS, below: 24 },
  { unit: 'day', ms: 24 * 60 * MINUTE_MS, below: 7 },
] as const;

/** `Nov 21, 2026, 3:07 PM`: short month, day, year, hour and minute (rule screens-16), in the viewer's time zone. */
export function formatDateTime(iso: string): string {
  return dayAndMinute().format(new Date(iso));
}

/** Formats like `Nov 21, 2026, 3:07:42 PM`. */
export const formatExactTime = (iso: string): string => exact().format(new Date(iso));

/** Formats like `Nov 21, 2026`. */
export const formatDay = (iso: string): string => day().format(new Date(iso));

/** Formats like `3:07 PM`. */
export const formatTimeOfDay = (atMs: number): string => timeOfDay().format(atMs);

/** Formats like `just now`, `5 min. ago`, `yesterday`; from a week on, the date. */
export function formatRelative(iso: string, atMs: number): string {
  const elapsedMs = new Date(iso).getTime() - atMs;
  if (Math.abs(elapsedMs) < MINUTE_MS) return 'just now';
  for (const step of steps) {
    const count = Math.trunc(elapsedMs / step.ms);
    if (Math.abs(count) < step.below) return relative().format(count, step.unit);
  }
  return formatDay(iso);
}

/** Says how long ago; hovering shows the exact time. */
export function RelativeTime({ iso, className }: { iso: string; className?: string }) {
  const atMs = useSyncExternalStore(clock.subscribe, clock.nowMs);
  return (
    <time dateTime={iso} title={formatExactTime(iso)} className={className}>
      {formatRelative(iso, Math.max(atMs, new Date(iso).getTime()))}
    </time>
  );
}
