import { isCurrency, type Currency } from './currencies.js';

/** A member's balances (rule ledger-2). The order is that of the state's columns. */
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

/** What statements call a member's accounts. */
export const MEMBER_BALANCE_LABELS: Readonly<Record<MemberBalance, string>> = {
  purchased: 'Purchased Nova',
  earned: 'Earned Nova',
  pending: 'Pending rewards',
  karma: 'Karma',
  influence: 'Influence',
  seyvn: 'Seyvn',
};

export type AppBalance = 'purchased' | 'earned';

/** The name of an account, exactly as events, exports and audits show it. */
export type AccountName =
  | `user:${string}:${MemberBalance}`
  | `app:${string}:${AppBalance}`
  | `chat:${string}`
  | PoolName
  | 'treasury'
  | 'external:stripe'
  | 'external:chargebacks'
  | `issuance:${Currency}`
  | `burned:${Currency}`;

type ThreadPoolName = `pool:thread:${string}`;
export type PoolName = 'pool:influence' | 'pool:karma' | ThreadPoolName;

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

/** Ids in account names: the characters of UUIDs and client ids, so that a name never needs escaping. */
const ID = /^[A-Za-z0-9_-]{1,64}$/;

export const isAccountId = (id: unknown): id is string => typeof id === 'string' && ID.test(id);

export const userAccount = <B extends MemberBalance>(userId: string, balance: B): `user:${string}:${B}` =>
  `user:${userId}:${balance}`;

/** The member of an account; undefined if it is no member's account. */
export const memberOf = (account: string): string | undefined =>
  account.startsWith('user:') ? account.slice('user:'.length, account.lastIndexOf(':')) : undefined;
export const appAccount = (clientId: string, balance: AppBalance): AccountName => `app:${clientId}:${balance}`;
export const chatAccount = (chatId: string): AccountName => `chat:${chatId}`;
export const threadPool = (hostId: string): ThreadPoolName => `pool:thread:${hostId}`;
export const isThreadPool = (pool: string): pool is ThreadPoolName => pool.startsWith('pool:thread:');

/** Accounts that are the other side of value entering or leaving the system. Only these may be below zero. */
export const mayGoBelowZero = (account: string): boolean =>
  account.startsWith('external:') || account.startsWith('issuance:') || account.startsWith('burned:');

/**
 * The kind of an account, for totals.
 * @throws Error for a name of no kind: a journal that holds one is broken
 */
export function accountKind(account: string): AccountKind {
  const kind = kindOf(account);
  if (!kind) throw new Error(`no such account: ${account}`);
  return kind;
}

const KINDS: ReadonlyMap<string, AccountKind> = new Map(ACCOUNT_KINDS.map((kind) => [kind, kind]));

function kindOf(account: string): AccountKind | undefined {
  const [first = '', second = '', third = ''] = account.split(':');
  if (first === 'user' || first === 'app') return KINDS.get(`${first}:${third}`);
  return KINDS.get(first === 'pool' || first === 'external' ? `${first}:${second}` : first);
}

/**
 * The part that distinguishes an account from others of its kind: the member's, chat's, client's or host's id; the
 * currency for `issuance` and `burned`; empty if the kind has one account. With its kind it is the account's name
 * (`accountNameOf`).
 */
export function accountOwner(account: string): string {
  const [first, second = '', third = ''] = account.split(':');
  if (first === 'pool') return third;
  return first === 'external' ? '' : second;
}

/** The name of an account by its kind and owner: what `accountKind` and `accountOwner` took apart. */
export function accountNameOf(kind: AccountKind, owner: string): AccountName {
  if (owner === '') return kind as AccountName;
  const [first, second] = kind.split(':');
  const isBalance = first === 'user' || first === 'app';
  return (isBalance ? `${first}:${owner}:${second}` : `${kind}:${owner}`) as AccountName;
}

/**
 * Kinds whose accounts belong to a member, chat, host or application. The others are a few accounts of the platform.
 */
export const OWNED_KINDS: ReadonlySet<AccountKind> = new Set<AccountKind>([
  ...MEMBER_BALANCES.map((balance) => `user:${balance}` as const),
  'app:purchased',
  'app:earned',
  'chat',
  'pool:thread',
]);

/** The currency of an account: a member's by the balance, `issuance` and `burned` by their name, all others NOVA. */
export function accountCurrency(kind: AccountKind, owner: string): Currency {
  if (kind === 'issuance' || kind === 'burned') return owner as Currency;
  const balance = MEMBER_BALANCES.find((name) => kind === `user:${name}`);
  return balance ? MEMBER_BALANCE_CURRENCY[balance] : 'NOVA';
}

/** The kind and owner of the account that a text names, or undefined if it is no account name. */
export function parseAccountName(text: string): { readonly kind: AccountKind; readonly owner: string } | undefined {
  const kind = kindOf(text);
  if (!kind) return undefined;
  const owner = accountOwner(text);
  if (accountNameOf(kind, owner) !== text) return undefined;
  if (kind === 'issuance' || kind === 'burned') return isCurrency(owner) ? { kind, owner } : undefined;
  return OWNED_KINDS.has(kind) === isAccountId(owner) ? { kind, owner } : undefined;
}
