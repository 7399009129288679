/** Cut to so many code points, so that no emoji is torn apart. */
export const cappedAt = (text: string, max: number): string => Array.from(text).slice(0, max).join('');
