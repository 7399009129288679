import { BULK_ROWS_MAX, Money, REASON_MAX, trimText } from '@app/domain';
import { hash } from 'node:crypto';
import { isPlainText } from '../../platform/text.js';
import { ADJUSTMENT_MAX_NOVA } from '../commands/adjust-nova.js';
import { BrokenCsv, type CsvRow, type Delimiter, readCsv } from './csv-rows.js';

/** One grant as its row asks for it, or what is wrong with the row. */
export interface GrantRow {
  /** The line of the file, from 1. */
  readonly line: number;
  /** E-mail address or id of a member, as it was written. */
  readonly member: string;
  /** Minor units; undefined where the row has no amount that can be granted. */
  readonly amount: bigint | undefined;
  readonly reason: string;
  readonly problem: RowProblem | undefined;
}

export interface RowProblem {
  readonly code: string;
  /** A sentence for people. */
  readonly message: string;
}

/** Of an address (254), with room for the white space around it. */
const MEMBER_MAX = 320;
/** How much of an overlong cell is shown. */
const SHOWN_MAX = 80;
const AMOUNT = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2})?$/;
const HEADER = /^(?:e-?mail(?: address)?|user(?:[ _-]?id)?|member(?:[ _-]?id)?|id)(?: or (?:user|member) id)?$/i;

/**
 * The grants of a file: `e-mail or user id, amount, reason`, at most 500. A first line that names its columns is left out.
 * @throws BrokenCsv the file as a whole cannot be read
 */
export function readGrantRows(csv: string): GrantRow[] {
  const { delimiter, rows: all } = readCsv(csv);
  const [first, ...others] = all;
  if (!first)
    throw new BrokenCsv('There are no rows. Each row has an e-mail address or user id, an amount and a reason.');
  const rows = HEADER.test(first.cells[0]?.trim() ?? '') ? others : [first, ...others];
  if (rows.length === 0) throw new BrokenCsv('There are no rows below the names of the columns.');
  if (rows.length > BULK_ROWS_MAX) {
    throw new BrokenCsv(`There are ${rows.length} rows. At most ${BULK_ROWS_MAX} are allowed.`);
  }
  return rows.map((row) => toGrantRow(row, delimiter));
}

function toGrantRow({ line, cells }: CsvRow, delimiter: Delimiter): GrantRow {
  const [member = '', amountText = '', reason = ''] = cells.map(trimText);
  const isAmbiguous = delimiter !== ',' && amountText.includes(',');
  const amount = isAmbiguous ? undefined : readAmount(amountText);
  const problem = problemOf({ cells, member, amountText, amount, isAmbiguous, reason });
  return { line, member: shortened(member), amount, reason, problem };
}

/** `1250`, `1,250` (where commas separate thousands for certain) and `1,250.50` in minor units; undefined for everything else. */
function readAmount(text: string): bigint | undefined {
  if (text.length > SHOWN_MAX || !AMOUNT.test(text)) return undefined;
  const { minor } = Money.parse(text);
  return minor > 0n && minor <= Money.fromNumber(ADJUSTMENT_MAX_NOVA).minor ? minor : undefined;
}

function problemOf(row: {
  readonly cells: readonly string[];
  readonly member: string;
  readonly amountText: string;
  readonly amount: bigint | undefined;
  readonly isAmbiguous: boolean;
  readonly reason: string;
}): RowProblem | undefined {
  const { cells, member, amountText, amount, isAmbiguous, reason } = row;
  if (cells.slice(3).some((cell) => cell.trim() !== '')) {
    return {
      code: 'INVALID_ROW',
      message: 'The row has more than three columns. Put a reason with commas in quotation marks.',
    };
  }
  if (!isPlainText(member, { min: 1, max: MEMBER_MAX })) {
    return { code: 'INVALID_MEMBER', message: 'The first column must be an e-mail address or a user id.' };
  }
  if (amountText === '') return { code: 'INVALID_AMOUNT', message: 'The second column must be an amount of Nova.' };
  if (isAmbiguous) {
    return {
      code: 'AMBIGUOUS_AMOUNT',
      message: 'A comma in an amount may mean thousands or decimals. Write 1500 or 1.50, without a comma.',
    };
  }
  if (amount === undefined) {
    return {
      code: 'INVALID_AMOUNT',
      message: 'The amount must be a number greater than 0 with at most 2 decimals, and at most 1,000,000,000 Nova.',
    };
  }
  if (!isPlainText(reason, { max: REASON_MAX })) {
    return { code: 'INVALID_REASON', message: `The reason must be text of at most ${REASON_MAX} characters.` };
  }
  return undefined;
}

const shortened = (text: string): string => (text.length > MEMBER_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text);

/** The same for every file that asks for the same, however it is quoted, spaced or titled. */
export const grantsFingerprint = (rows: readonly GrantRow[]): string =>
  hash(
    'sha256',
    JSON.stringify(rows.map(({ member, amount, reason }) => [member.toLowerCase(), String(amount), reason])),
    'hex',
  );
