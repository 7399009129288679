import type { Currency } from './currencies.js';

/** What a member has, one balance each (`ledger.md`, Currencies and accounts). The order is the order of columns in the state. */
export const MEMBER_BALANCES = ['purchased', 'earned', 'pending', 'karma', 'influence', 'seyvn'] as const;
export type MemberBalance = (typeof MEMBER_BALANCES)[number];

export const MEMBER_BALANCE_CURRENCY: Record<MemberBalance, Currency> = {
  purchased: 'NOVA',
  earned: 'NOVA',
  pending: 'NOVA',
  karma: 'KARMA',
  influence: 'INFLUENCE',
  seyvn: 'SEYVN',
};

export type AppBalance = 'purchased' | 'earned';

/** The name of an account, exactly as events, exports and audits show it. */
export type AccountName =
  | `user:${string}:${MemberBalance}`
  | `app:${string}:${AppBalance}`
  | `chat:${string}`
  | 'pool:influence'
  | 'pool:karma'
  | `pool:thread:${string}`
  | 'treasury'
  | 'external:stripe'
  | 'external:chargebacks'
  | `issuance:${Currency}`
  | `burned:${Currency}`;

/** The kinds that a trial balance is printed by. */
export const ACCOUNT_KINDS = [
  'user:purchased',
  'user:earned',
  'user:pending',
  'user:karma',
  'user:influence',
  'user:seyvn',
  'app:purchased',
  'app:earned',
  'chat',
  'pool:influence',
  'pool:karma',
  'pool:thread',
  'treasury',
  'external:stripe',
  'external:chargebacks',
  'issuance',
  'burned',
] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];

/** Ids in account names: what a UUID or a client id is made of, so that a name never needs escaping. */
const ID = /^[A-Za-z0-9_-]{1,64}$/;

export const isAccountId = (id: unknown): id is string => typeof id === 'string' && ID.test(id);

export const userAccount = <B extends MemberBalance>(userId: string, balance: B): `user:${string}:${B}` =>
  `user:${userId}:${balance}`;
export const appAccount = (clientId: string, balance: AppBalance): AccountName => `app:${clientId}:${balance}`;
export const chatAccount = (chatId: string): AccountName => `chat:${chatId}`;
export const threadPool = (hostId: string): `pool:thread:${string}` => `pool:thread:${hostId}`;

export type PoolName = 'pool:influence' | 'pool:karma' | `pool:thread:${string}`;

/** Accounts that are the other side of what enters or leaves; all others may never go below zero. */
export const mayGoBelowZero = (account: string): boolean =>
  account.startsWith('external:') || account.startsWith('issuance:') || account.startsWith('burned:');

/** The kind of an account, for totals. Throws on a name that is no account's: a journal holding one is broken. */
export function accountKind(account: string): AccountKind {
  const [first, second, third] = account.split(':');
  if (first === 'user' || first === 'app') return `${first}:${third}` as AccountKind;
  if (first === 'pool') return `pool:${second}` as AccountKind;
  if (first === 'external') return account as AccountKind;
  if (first === 'chat' || first === 'treasury' || first === 'issuance' || first === 'burned') return first;
  throw new Error(`no such account: ${account}`);
}
