import { type AccountClass, CHART, CURRENCIES, DOLLAR_ACCOUNTS, Money } from '@app/domain';
import { dollarText } from '../general-ledger/dollars-text.js';
import { booksNames } from './books-names.js';
import {
  amountOf,
  type BooksStep,
  type Commodity,
  type DollarBooks,
  type DollarLine,
  isWhole,
  type LedgerStep,
  nothingOf,
  priceOf,
  type Step,
} from './dollar-books.js';

/** hledger's letters for classes of accounts. */
const TYPES: Readonly<Record<AccountClass, string>> = {
  asset: 'A',
  cash: 'C',
  liability: 'L',
  equity: 'E',
  revenue: 'R',
  expense: 'X',
};

/** Ledger takes lines of 4,096 bytes: this much of a text leaves room for the rest, at three bytes a character. */
const TEXT_CHARS_MAX = 500;

/**
 * What is left of a text in a comment. A line feed ends a comment, a comma a tag; Ledger looks in it for dates in
 * brackets and for words between colons.
 */
const plain = (text: string): string =>
  text
    .replace(/[\p{Cc},;|[\]]+/gu, ' ')
    .replace(/(?<=^|\s):+/g, '')
    .slice(0, TEXT_CHARS_MAX);

/** A code stands in parentheses. */
const code = (text: string): string => plain(text).replace(/[()]/g, ' ');

/**
 * Dollar accounts have types. Accounts of Nova are memorandum accounts without one, so statements leave them out; each
 * is declared where it is first used.
 */
export function hledgerHeader({ commodity }: DollarBooks): string {
  const sums = [commodity, ...CURRENCIES.filter((currency) => !isWhole(currency))];
  return [
    ...sums.map((name) => `commodity ${name}\n    format 1000.00 ${name}\n`),
    // hledger wants a decimal point in a format, Ledger wants none without decimals: whole units go without a format.
    ...CURRENCIES.filter(isWhole).map((name) => `commodity ${name}\n`),
    '\n',
    ...DOLLAR_ACCOUNTS.map((account) => `account ${account}\n    ; type: ${TYPES[CHART[account].class]}\n`),
    '\n',
  ].join('');
}

export function* hledgerTexts(step: Step, commodity: Commodity): Iterable<string> {
  switch (step.kind) {
    case 'ledger':
      return yield ledgerTransaction(step, commodity);
    case 'books':
      return yield booksTransaction(step, commodity);
    case 'opening':
      for (const account of step.opens) yield declared(account);
      yield `\n${step.day} (opening) Opening balances\n`;
      for (const balance of step.balances) yield `    ${balance.account}  ${amountOf(balance, commodity)}\n`;
      return yield '\n';
    case 'closing':
      yield `${step.day} (closing) Balance assertions  ; hash:${step.head.hash}\n`;
      for (const balance of step.balances) {
        yield `    ${balance.account}  ${nothingOf(balance, commodity)} = ${amountOf(balance, commodity)}\n`;
      }
      return yield '\n';
  }
}

const declared = (account: string): string => `account ${account}\n`;

function ledgerTransaction({ walked, lines, opens, day }: LedgerStep, commodity: Commodity): string {
  const { recorded, event, head } = walked;
  const price = priceOf(event);
  const cost = price === undefined ? '' : ` @@ ${dollarText(price)} ${commodity}`;
  const cause = event.cause === undefined ? '' : `, cause:${plain(event.cause)}`;
  const time = new Date(event.at).toISOString().slice(11);
  const text = [
    `${day} (${recorded.revision}) ${event.type}  ; event:${recorded.id}, time:${time}, actor:${plain(event.actor)}${cause}`,
    `    ; hash:${head.hash}`,
    ...dollarLines(lines, commodity),
    ...event.entries.map(
      ([account, currency, delta]) =>
        `    ${account}  ${Money.ofMinor(delta, currency).toDecimal()} ${currency}${cost}`,
    ),
  ].join('\n');
  return `${opens.map(declared).join('')}${opens.length === 0 ? '' : '\n'}${text}\n\n`;
}

function booksTransaction({ day, event, id, number, lines }: BooksStep, commodity: Commodity): string {
  const [name, description, tags] = booksNames(event);
  const about = ['', ...tags.map(([tag, text]) => `${tag}:${plain(text)}`)].join(', ');
  const text = [
    `${day} (${code(name ?? number)}) ${plain(description)}  ; event:${id}${about}`,
    ...dollarLines(lines, commodity),
  ].join('\n');
  return `${text}\n\n`;
}

const dollarLines = (lines: readonly DollarLine[], commodity: Commodity): string[] =>
  lines.map(({ account, cents, subject }) => {
    const about = subject === '' ? '' : `  ; subject:${plain(subject)}`;
    return `    ${account}  ${dollarText(cents)} ${commodity}${about}`;
  });
