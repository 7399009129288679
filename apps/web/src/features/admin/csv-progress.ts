import { formatCount } from '@/shared/api';
import type { Progress } from '@/shared/downloads';

const NEW_LINE = 10;
const QUOTE = 34;

/**
 * After each piece of a CSV file, reports how many of its rows have arrived, and the total if it is known. Line ends
 * inside quoted fields do not count; the header is not a row.
 */
export function csvProgress(total?: number): (chunk: Uint8Array) => Progress {
  let lines = 0;
  let isQuoted = false;
  return (chunk) => {
    for (const byte of chunk) {
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === NEW_LINE && !isQuoted) lines += 1;
    }
    const rows = Math.max(lines - 1, 0);
    if (total === undefined) return { text: `${formatCount(rows)} rows` };
    return { text: `${formatCount(rows)} of ${formatCount(total)} rows`, done: Math.min(rows, total), total };
  };
}
