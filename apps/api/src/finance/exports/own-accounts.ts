import { DOLLAR_ACCOUNTS, type DollarAccount } from '@app/domain';
import { parse } from 'csv-parse/sync';
import { AppError } from '../../platform/errors/app-error.js';

/** The numbers of a company's own accounts, by ours: all of them. */
export type OwnAccounts = ReadonlyMap<DollarAccount, string>;

/** Characters of a mapping: several times one with long numbers. */
export const OWN_ACCOUNTS_CHARS_MAX = 4_000;

/** Missing accounts that a sentence names. */
const MISSING_NAMED_MAX = 6;

const NUMBER = /^[\p{L}\p{N}][\p{L}\p{N} ._/-]{0,39}$/u;

/**
 * Reads lines of `account,number`; a first line `account,number` is a header. A mapping with a gap would post half a
 * transaction, so every account of the chart needs its number.
 * @throws AppError 400 INVALID_ACCOUNTS says what is wrong, or missing
 */
export function readOwnAccounts(text: string): OwnAccounts {
  if (text.length > OWN_ACCOUNTS_CHARS_MAX) {
    throw refused(`The mapping of accounts is longer than ${OWN_ACCOUNTS_CHARS_MAX} characters.`);
  }
  const found = new Map<DollarAccount, string>();
  for (const [place, [name = '', number = '', ...more]] of rowsOf(text).entries()) {
    if (place === 0 && name === 'account') continue;
    const account = DOLLAR_ACCOUNTS.find((known) => known === name);
    if (!account)
      throw refused(`The mapping names ${JSON.stringify(name.slice(0, 80))}, which is no account of the dollar books.`);
    if (found.has(account)) throw refused(`The mapping names ${account} twice.`);
    if (more.length > 0 || !NUMBER.test(number)) {
      throw refused(`The mapping has no number for ${account}: write ${account},1200.`);
    }
    found.set(account, number);
  }
  const missing = DOLLAR_ACCOUNTS.filter((account) => !found.has(account));
  const named = missing.slice(0, MISSING_NAMED_MAX).join(', ');
  const others = missing.length - MISSING_NAMED_MAX;
  if (missing.length > 0) throw refused(`The mapping lacks ${named}${others > 0 ? ` and ${others} more` : ''}.`);
  return found;
}

function rowsOf(text: string): string[][] {
  try {
    return parse(text, { bom: true, trim: true, skip_empty_lines: true, relax_column_count: true });
  } catch {
    throw refused('The mapping of accounts is not CSV.');
  }
}

const refused = (sentence: string): AppError =>
  new AppError(400, 'INVALID_ACCOUNTS', `${sentence} Nothing was exported.`);
