import { madeOnce } from '@/shared/made-once';

const parts = madeOnce(
  () =>
    new Intl.DateTimeFormat('en-US', {
      month: 'short',
      day: '2-digit',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    }),
);

/** `Nov 21, 2026 • 3:07 PM` (rule wallet-8), in the viewer's time zone. */
export function payoutDate(iso: string): string {
  const part = new Map(
    parts()
      .formatToParts(new Date(iso))
      .map(({ type, value }) => [type, value]),
  );
  const text = (type: Intl.DateTimeFormatPartTypes): string => part.get(type) ?? '';
  return `${text('month')} ${text('day')}, ${text('year')} • ${text('hour')}:${text('minute')} ${text('dayPeriod')}`;
}
