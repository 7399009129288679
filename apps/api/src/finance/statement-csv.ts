import { accountNameOf, MEMBER_BALANCE_CURRENCY, Money, type Currency } from '@app/domain';
import { textCell } from '../admin/csv.js';
import { type Books, memberAccounts, type MemberStatement } from './books.js';
import type { JournalMoment } from './moments.js';

export const STATEMENT_COLUMNS = [
  'Date',
  'Account',
  'Currency',
  'What',
  'Amount',
  'Balance After',
  'Revision',
] as const;

/** The account column of what pools owe: it is in no account of the member. */
const OWED = 'owed';

/**
 * A member's statement as rows: what each account had before the period, every entry with the balance after it, oldest first,
 * and what each has at the end. Memory does not grow with its length.
 */
export async function* statementRecords(
  books: Books,
  statement: MemberStatement,
): AsyncGenerator<readonly string[], void, undefined> {
  yield* balances(statement, 'opening');
  for await (const rows of books.streamEntries(memberAccounts(statement.userId), statement)) {
    for (const { at, account, currency, type, delta, balance, revision } of rows) {
      const amounts = [decimal(delta, currency), decimal(balance, currency)];
      yield [at.toISOString(), textCell(account), currency, type, ...amounts, String(revision)];
    }
  }
  yield* balances(statement, 'closing');
}

function* balances(statement: MemberStatement, which: 'opening' | 'closing'): Generator<readonly string[]> {
  const moment = statement[which];
  const what = which === 'opening' ? 'Opening balance' : 'Closing balance';
  for (const line of statement.lines) {
    const currency = MEMBER_BALANCE_CURRENCY[line.balance];
    yield row(moment, textCell(accountNameOf(line.kind, line.owner)), currency, what, line[which]);
  }
  yield row(moment, OWED, 'NOVA', what, statement.owed[which]);
}

const row = ({ at, revision }: JournalMoment, account: string, currency: Currency, what: string, balance: bigint) => [
  at === undefined ? '' : new Date(at).toISOString(),
  account,
  currency,
  what,
  '',
  decimal(balance, currency),
  revision < 0 ? '' : String(revision),
];

const decimal = (minor: bigint, currency: Currency): string => Money.ofMinor(minor, currency).toDecimal();
