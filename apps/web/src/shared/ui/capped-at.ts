/** Cuts a text to `max` code points, so that no emoji is split. */
export const cappedAt = (text: string, max: number): string => Array.from(text).slice(0, max).join('');
