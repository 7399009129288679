import { formatCount } from '@/shared/api';
import type { Progress } from '@/shared/downloads';

/** `mark` is where each format names an event's revision, at the start of a line. */
export const EXPORT_FORMATS = [
  {
    value: 'hledger',
    label: 'hledger',
    mark: /^\d{4}-\d\d-\d\d \((\d+)\) /gm,
    hasDollars: true,
    about: 'The books in Nova and dollars for hledger and Ledger, with opening balances and balance assertions.',
  },
  {
    value: 'beancount',
    label: 'Beancount',
    mark: /^ {2}revision: (\d+)$/gm,
    hasDollars: true,
    about: 'The books in Nova and dollars for Beancount, with opening balances and balance assertions.',
  },
  {
    value: 'postings',
    label: 'Postings (CSV)',
    mark: /^\d{4}-\d\d-\d\d,(\d+),/gm,
    hasDollars: true,
    about: 'The books in dollars, one posting per row, to import into an accounting program.',
  },
  {
    value: 'csv',
    label: 'Events (CSV)',
    mark: /^(\d+),/gm,
    hasDollars: false,
    about: 'Every event with its entries and its hash, one entry per row.',
  },
  {
    value: 'jsonl',
    label: 'Events (JSON lines)',
    mark: /^\{"revision":(\d+),/gm,
    hasDollars: false,
    about: 'Every event as it is stored, with its hash. A complete export can be imported into an empty system.',
  },
] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number]['value'];

/** Long enough to hold the start of an event in any format. */
const TAIL_BYTES = 32_768;

/**
 * After each piece of an export, reports how many of its events have arrived, from the last one that the piece names.
 */
export function exportProgress(format: ExportFormat, response: Response): (chunk: Uint8Array) => Progress {
  const first = Number(response.headers.get('x-first-revision') ?? 0);
  const last = Number(response.headers.get('x-last-revision') ?? -1);
  const mark = EXPORT_FORMATS.find(({ value }) => value === format)?.mark;
  const total = Math.max(last - first + 1, 0);
  const decoder = new TextDecoder();
  let done = 0;
  return (chunk) => {
    const tail = decoder.decode(chunk.subarray(-TAIL_BYTES));
    const named = mark ? [...tail.matchAll(mark)].at(-1)?.[1] : undefined;
    if (named !== undefined) done = Math.min(Math.max(Number(named) - first + 1, done), total);
    return { text: `${formatCount(done)} of ${formatCount(total)} events`, done, total: Math.max(total, 1) };
  };
}
