import { accountKind, accountOwner, type AccountKind, type AccountName, Money } from '@app/domain';
import type { WalkedEvent } from './journal-walk.js';

/** Accounts are opened by the plugin, where they are first used: an export knows nothing of what comes later. */
export const beancountHeader = (): string =>
  'option "title" "Nova"\noption "operating_currency" "NOVA"\nplugin "beancount.plugins.auto_accounts"\n\n';

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

const quoted = (text: string): string => `"${text.replace(/[\r\n]+/g, ' ').replace(/[\\"]/g, '\\$&')}"`;

/** One event: what the journal says of it as metadata, and each posting's exact account name beneath it. */
export function beancountTransaction({ recorded, event, head }: WalkedEvent): string {
  const time = new Date(event.at).toISOString();
  const lines = [
    `${time.slice(0, 10)} * ${quoted(event.type)}`,
    `  revision: ${recorded.revision}`,
    `  event: ${quoted(recorded.id)}`,
    `  time: ${quoted(time)}`,
    `  actor: ${quoted(event.actor)}`,
    ...(event.cause === undefined ? [] : [`  cause: ${quoted(event.cause)}`]),
    `  hash: ${quoted(head.hash)}`,
  ];
  for (const [account, currency, delta] of event.entries) {
    lines.push(`  ${beancountAccount(account)}  ${Money.ofMinor(delta, currency).toDecimal()} ${currency}`);
    lines.push(`    account: ${quoted(account)}`);
  }
  return `${lines.join('\n')}\n\n`;
}
