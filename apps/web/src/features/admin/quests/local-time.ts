const two = (part: number): string => String(part).padStart(2, '0');

/** Formats a moment for a `datetime-local` input, in the browser's zone: `2026-01-31T18:00`. */
export function toLocalInput(ms: number): string {
  const date = new Date(ms);
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The moment in such an input, in milliseconds since 1970; null for none. */
export function fromLocalInput(text: string): number | null {
  // A date and time without an offset is read in the browser's zone.
  const ms = text === '' ? Number.NaN : new Date(text).getTime();
  return Number.isNaN(ms) ? null : ms;
}

/** The name of the browser's time zone, with its current offset: `Europe/Berlin (GMT+1)`. */
export function zoneName(atMs: number): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZoneName: 'shortOffset' });
  const offset = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value;
  const { timeZone } = format.resolvedOptions();
  return offset === undefined || offset === timeZone ? timeZone : `${timeZone} (${offset})`;
}
