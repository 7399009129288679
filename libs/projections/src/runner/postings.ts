import {
  accountKind,
  accountOwner,
  MEMBER_BALANCES,
  TOKEN_POOLS,
  type AccountKind,
  type AccountName,
  type Currency,
  type Entry,
  type MemberBalance,
  type PoolName,
} from '@app/domain';

/** An account's parsed name. The same account stays the same object for long, and so do its strings. */
export interface PostedAccount {
  readonly name: AccountName;
  readonly kind: AccountKind;
  /** The part that distinguishes it from others of its kind (`accountOwner`). */
  readonly owner: string;
  /** For a member's account: the member, and which of their balances it is. */
  readonly member?: { readonly userId: string; readonly balance: MemberBalance };
  /** The pool whose account this is. */
  readonly pool?: PoolName;
  /** The pool in which this account's balance is the member's shares. */
  readonly sharesOf?: PoolName;
}

export interface Posting {
  readonly account: PostedAccount;
  readonly currency: Currency;
  readonly delta: bigint;
}

/** How many accounts are cached. Beyond that, the cache is emptied and fills again. */
const ACCOUNTS_MAX = 200_000;
const accounts = new Map<AccountName, PostedAccount>();

/**
 * Parses an event's entries once for all read models. Every event brings its names as new strings. Replacing them by
 * cached ones makes all later look-ups, by identity, cheap.
 */
export const postingsOf = (entries: readonly Entry[]): Posting[] =>
  entries.map(([name, currency, delta]) => ({ account: accountOf(name), currency, delta }));

function accountOf(name: AccountName): PostedAccount {
  const known = accounts.get(name);
  if (known) return known;
  if (accounts.size >= ACCOUNTS_MAX) accounts.clear();
  const account = parseAccount(name);
  accounts.set(name, account);
  return account;
}

function parseAccount(name: AccountName): PostedAccount {
  const kind = accountKind(name);
  const owner = accountOwner(name);
  if (name.startsWith('pool:')) return { name, kind, owner, pool: name as PoolName };
  if (!name.startsWith('user:')) return { name, kind, owner };
  const colon = name.lastIndexOf(':');
  const balance = MEMBER_BALANCES.find((candidate) => candidate === name.slice(colon + 1));
  if (!balance) throw new Error(`no such account: ${name}`);
  const member = { userId: name.slice('user:'.length, colon), balance };
  if (balance === 'influence' || balance === 'karma')
    return { name, kind, owner, member, sharesOf: TOKEN_POOLS[balance] };
  return { name, kind, owner, member };
}
