import type { AdminTransactionFilters } from '@/shared/api';
import { download } from '../download';
import { filterQuery } from '../use-transaction-filters';

const NEW_LINE = 10;
const QUOTE = 34;

/**
 * Saves the export and counts its rows as they come (line ends inside quoted fields do not count; the header is not a row).
 *
 * @throws ApiError when the server refuses or the stream breaks; a broken file is never saved.
 */
export async function downloadTransactionsCsv(request: {
  filters: AdminTransactionFilters;
  signal: AbortSignal;
  onRows: (rows: number) => void;
}): Promise<void> {
  const { filters, signal, onRows } = request;
  await download({
    path: `/api/admin/transactions.csv?${filterQuery(filters)}`,
    fallbackName: 'nova-transactions.csv',
    signal,
    onResponse() {
      const counter = rowCounter();
      return (chunk) => onRows(counter(chunk));
    },
  });
}

/** Counts finished rows over chunks; the number so far, without the header. */
function rowCounter(): (chunk: Uint8Array) => number {
  let lines = 0;
  let isQuoted = false;
  return (chunk) => {
    for (const byte of chunk) {
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === NEW_LINE && !isQuoted) lines += 1;
    }
    return Math.max(lines - 1, 0);
  };
}
