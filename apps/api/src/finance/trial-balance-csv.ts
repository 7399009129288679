import { Money } from '@app/domain';
import type { KindBalance } from '@app/projections';
import { csvHeader } from '../admin/csv.js';
import type { JournalMoment } from './moments.js';

const COLUMNS = ['Account Kind', 'Currency', 'Balance', 'Revision', 'Date', 'Hash'] as const;

/** A trial balance as CSV, each row with the moment that it is of. No cell holds what needs quotes. */
export function trialBalanceCsv({ revision, at, hash }: JournalMoment, lines: readonly KindBalance[]): string {
  const date = at === undefined ? '' : new Date(at).toISOString();
  const rows = lines.map(({ kind, currency, balance }) => [
    kind,
    currency,
    Money.ofMinor(balance, currency).toDecimal(),
    revision,
    date,
    hash,
  ]);
  return csvHeader(COLUMNS) + rows.map((cells) => `${cells.join(',')}\r\n`).join('');
}
