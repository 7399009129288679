import { Money } from '@app/domain';
import type { KindBalance } from '@app/projections';
import { csvHeader } from '../admin/csv.js';
import type { JournalMoment } from './moments.js';

const COLUMNS = ['Account Kind', 'Currency', 'Balance', 'Revision', 'Date', 'Hash'] as const;

/** For the description of the API. */
export const TRIAL_BALANCE_CSV_EXAMPLE = `${COLUMNS.join(',')}\r\nuser:purchased,NOVA,205766.17,42,2026-11-27T12:00:00.000Z,9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\r\n`;

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
