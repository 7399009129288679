import { ApiError, apiResponse, type AdminTransactionFilters } from '@/shared/api';
import { filterQuery } from '../use-transaction-filters';

const NEW_LINE = 10;
const QUOTE = 34;

/**
 * Reads the export as it is streamed and counts its rows (line ends inside quoted fields do not count; the header is not
 * a row), then hands the file to the browser.
 *
 * @throws ApiError when the server refuses or the stream breaks; a broken file is never saved.
 */
export async function downloadTransactionsCsv(request: {
  filters: AdminTransactionFilters;
  signal: AbortSignal;
  onRows: (rows: number) => void;
}): Promise<void> {
  const { filters, signal, onRows } = request;
  const response = await apiResponse(`/api/admin/transactions.csv?${filterQuery(filters)}`, { signal });
  if (!response.ok) throw new ApiError(response.status, await response.text(), response.statusText);
  if (response.body === null) throw new ApiError(0, '', 'no body');

  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const counter = rowCounter();
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    onRows(counter(value));
  }
  save(new Blob(chunks, { type: 'text/csv' }), fileNameOf(response));
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

function fileNameOf(response: Response): string {
  const header = response.headers.get('content-disposition') ?? '';
  return /filename="?([^";]+)"?/.exec(header)?.[1] ?? 'nova-transactions.csv';
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
