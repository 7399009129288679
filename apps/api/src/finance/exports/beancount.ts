import {
  accountCurrency,
  accountKind,
  type AccountKind,
  type AccountName,
  accountOwner,
  CURRENCIES,
  DAY_MS,
  DOLLAR_ACCOUNTS,
  type DollarAccount,
  Money,
  utcDay,
} from '@app/domain';
import { dollarText } from '../general-ledger/dollars-text.js';
import { booksNames } from './books-names.js';
import {
  amountOf,
  type Balance,
  type BooksStep,
  type ClosingStep,
  type Commodity,
  type DollarBooks,
  type DollarLine,
  type LedgerStep,
  priceOf,
  type Step,
} from './dollar-books.js';

/** Beancount wants one of five roots, and parts that begin with a capital or a digit. */
const ACCOUNTS: Readonly<Record<AccountKind, readonly [prefix: string, suffix?: string]>> = {
  'user:purchased': ['Liabilities:User', 'Purchased'],
  'user:earned': ['Liabilities:User', 'Earned'],
  'user:pending': ['Liabilities:User', 'Pending'],
  'user:karma': ['Liabilities:User', 'Karma'],
  'user:influence': ['Liabilities:User', 'Influence'],
  'user:seyvn': ['Liabilities:User', 'Seyvn'],
  'app:purchased': ['Liabilities:App', 'Purchased'],
  'app:earned': ['Liabilities:App', 'Earned'],
  chat: ['Liabilities:Chat'],
  'pool:influence': ['Liabilities:Pool:Influence'],
  'pool:karma': ['Liabilities:Pool:Karma'],
  'pool:thread': ['Liabilities:Pool:Thread'],
  treasury: ['Equity:Treasury'],
  'external:stripe': ['Assets:External:Stripe'],
  'external:chargebacks': ['Assets:External:Chargebacks'],
  issuance: ['Equity:Issuance'],
  burned: ['Equity:Burned'],
};

/** Of an id's characters Beancount knows all but the underscore: such an id is written in hexadecimal. */
const idPart = (id: string): string =>
  /^[A-Za-z0-9-]+$/.test(id) ? `Id-${id}` : `Hex-${Buffer.from(id).toString('hex')}`;

/** The name of an account where the exact one is no name for Beancount; different accounts have different names. */
export function beancountAccount(account: AccountName): string {
  const [prefix, suffix] = ACCOUNTS[accountKind(account)];
  const owner = accountOwner(account);
  return [prefix, ...(owner ? [idPart(owner)] : []), ...(suffix ? [suffix] : [])].join(':');
}

const dollarAccount = (account: DollarAccount): string =>
  account.replace(/(?<=^|:)[a-z]/g, (letter) => letter.toUpperCase());

const quoted = (text: string): string => `"${text.replace(/\p{Cc}+/gu, ' ').replace(/[\\"]/g, '\\$&')}"`;

/** Dollar accounts are open from the beginning, accounts of Nova from the day on which they are first used. */
export function beancountHeader({ commodity, firstDay }: DollarBooks): string {
  return [
    'option "title" "Nova"\n',
    `option "operating_currency" "${commodity}"\noption "operating_currency" "NOVA"\n\n`,
    ...[commodity, ...CURRENCIES].map((name) => `${firstDay} commodity ${name}\n`),
    ...DOLLAR_ACCOUNTS.map((account) => `${firstDay} open ${dollarAccount(account)} ${commodity}\n`),
    '\n',
  ].join('');
}

export function* beancountTexts(step: Step, commodity: Commodity): Iterable<string> {
  switch (step.kind) {
    case 'ledger':
      return yield ledgerTransaction(step, commodity);
    case 'books':
      return yield booksTransaction(step, commodity);
    case 'opening':
      for (const account of step.opens) yield opened(step.day, account);
      yield `\n${step.day} * "Opening balances"\n`;
      for (const balance of step.balances) {
        yield `  ${nameOf(balance)}  ${amountOf(balance, commodity)}\n    account: "${balance.account}"\n`;
      }
      return yield '\n';
    case 'closing':
      return yield* assertions(step, commodity);
  }
}

/** An assertion holds at the beginning of its day; without a tolerance it would take amounts that are a bit off. */
function* assertions({ day, balances }: ClosingStep, commodity: Commodity): Iterable<string> {
  const next = utcDay(Date.parse(day) + DAY_MS);
  for (const balance of balances) {
    yield `${next} balance ${nameOf(balance)}  ${amountOf(balance, commodity).replace(' ', ' ~ 0 ')}\n`;
  }
}

const nameOf = (balance: Balance): string =>
  'cents' in balance ? dollarAccount(balance.account) : beancountAccount(balance.account);

function opened(day: string, account: AccountName): string {
  return `${day} open ${beancountAccount(account)} ${accountCurrency(accountKind(account), accountOwner(account))}\n`;
}

/** One event: what the journal says of it as metadata, and each posting's exact account name beneath it. */
function ledgerTransaction({ walked, lines, opens, day }: LedgerStep, commodity: Commodity): string {
  const { recorded, event, head } = walked;
  const price = priceOf(event);
  const cost = price === undefined ? '' : ` @@ ${dollarText(price)} ${commodity}`;
  const text = [
    `${day} * ${quoted(event.type)}`,
    `  revision: ${recorded.revision}`,
    `  event: ${quoted(recorded.id)}`,
    `  time: ${quoted(new Date(event.at).toISOString())}`,
    `  actor: ${quoted(event.actor)}`,
    ...(event.cause === undefined ? [] : [`  cause: ${quoted(event.cause)}`]),
    `  hash: ${quoted(head.hash)}`,
    ...dollarLines(lines, commodity),
    ...event.entries.flatMap(([account, currency, delta]) => [
      `  ${beancountAccount(account)}  ${Money.ofMinor(delta, currency).toDecimal()} ${currency}${cost}`,
      `    account: ${quoted(account)}`,
    ]),
  ].join('\n');
  const before = opens.map((account) => opened(day, account)).join('');
  return `${before}${before && '\n'}${text}\n\n`;
}

function booksTransaction({ day, event, id, number, lines }: BooksStep, commodity: Commodity): string {
  const [, description, tags] = booksNames(event);
  const text = [
    `${day} * ${quoted(description)}`,
    `  number: ${quoted(number)}`,
    `  event: ${quoted(id)}`,
    ...tags.map(([name, value]) => `  ${name}: ${quoted(value)}`),
    ...dollarLines(lines, commodity),
  ].join('\n');
  return `${text}\n\n`;
}

const dollarLines = (lines: readonly DollarLine[], commodity: Commodity): string[] =>
  lines.flatMap(({ account, cents, subject }) => [
    `  ${dollarAccount(account)}  ${dollarText(cents)} ${commodity}`,
    `    account: ${quoted(account)}`,
    ...(subject === '' ? [] : [`    subject: ${quoted(subject)}`]),
  ]);
