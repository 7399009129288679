import { accountNameOf, MEMBER_BALANCE_CURRENCY, Money, type Currency } from '@app/domain';
import { csvHeader, csvLines } from '../admin/csv.js';
import { type Books, memberAccounts, type MemberStatement } from './books.js';
import type { JournalMoment } from './moments.js';

const COLUMNS = ['Date', 'Account', 'Currency', 'What', 'Amount', 'Balance After', 'Revision'] as const;

/** For the description of the API. */
export const STATEMENT_CSV_EXAMPLE = `${COLUMNS.join(',')}\r\n2026-11-27T12:00:00.000Z,user:0190a8c4-7d3e-7b6f-8a51-2f0c9d7e6b14:purchased,NOVA,GiftSent,-1000.00,250.00,42\r\n`;

/** The account column of what pools owe: it is in no account of the member. */
const OWED = 'owed';

/**
 * A member's statement as CSV, in pieces: what each account had before the period, every entry with the balance after it, oldest
 * first, and what each has at the end. Memory does not grow with its length. No cell holds what a member typed.
 */
export async function* statementCsv(books: Books, statement: MemberStatement): AsyncGenerator<string, void, undefined> {
  yield csvHeader(COLUMNS);
  yield csvLines([...balances(statement, 'opening')]);
  for await (const rows of books.streamEntries(memberAccounts(statement.userId), statement)) {
    yield csvLines(
      rows.map(({ at, account, currency, type, delta, balance, revision }) => [
        at.toISOString(),
        account,
        currency,
        type,
        decimal(delta, currency),
        decimal(balance, currency),
        String(revision),
      ]),
    );
  }
  yield csvLines([...balances(statement, 'closing')]);
}

function* balances(statement: MemberStatement, which: 'opening' | 'closing'): Generator<readonly string[]> {
  const moment = statement[which];
  const what = which === 'opening' ? 'Opening balance' : 'Closing balance';
  for (const line of statement.lines) {
    const currency = MEMBER_BALANCE_CURRENCY[line.balance];
    yield row(moment, accountNameOf(line.kind, line.owner), currency, what, line[which]);
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
