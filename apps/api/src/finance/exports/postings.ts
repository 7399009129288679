import { csvRows } from '../../admin/csv.js';
import { dollarText } from '../general-ledger/dollars-text.js';
import { booksNames } from './books-names.js';
import { type Commodity, type Step } from './dollar-books.js';
import type { OwnAccounts } from './own-accounts.js';

/** A posting a row, ready for another program's import; a transaction's rows share date and number. */
export const postingsHeader = (): string =>
  csvRows([['date', 'number', 'account', 'own_account', 'subject', 'debit', 'credit', 'currency', 'memo']]);

/** What is posted in dollars in the period. @param accounts names the own account of each; absent, that column is empty */
export function* postingsTexts(step: Step, commodity: Commodity, accounts?: OwnAccounts): Iterable<string> {
  if (step.kind !== 'ledger' && step.kind !== 'books') return;
  const [number, memo] = step.kind === 'ledger' ? ofLedger(step) : ofBooks(step);
  yield csvRows(
    step.lines.map(({ account, subject, cents }) => [
      step.day,
      number,
      account,
      accounts?.get(account) ?? '',
      subject,
      cents > 0n ? dollarText(cents) : '',
      cents < 0n ? dollarText(-cents) : '',
      commodity,
      memo,
    ]),
  );
}

const ofLedger = ({ walked: { recorded, event } }: Extract<Step, { kind: 'ledger' }>) =>
  [String(recorded.revision), `${event.type} ${recorded.id}`] as const;

function ofBooks({ event, number }: Extract<Step, { kind: 'books' }>) {
  const [movement, description] = booksNames(event);
  return [number, movement === undefined ? description : `${description} ${movement}`] as const;
}
