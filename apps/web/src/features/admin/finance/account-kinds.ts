import {
  accountOwner,
  MEMBER_BALANCES,
  MEMBER_BALANCE_LABELS,
  OWNED_KINDS,
  type AccountKind,
  type Currency,
} from '@app/domain';

/** The names of the kinds of accounts (`docs/ledger.md`, Accounts). */
const KIND_LABELS: Readonly<Record<AccountKind, string>> = {
  'user:purchased': 'Members: purchased Nova',
  'user:earned': 'Members: earned Nova',
  'user:pending': 'Members: pending rewards',
  'user:karma': 'Members: Karma',
  'user:influence': 'Members: Influence',
  'user:seyvn': 'Members: Seyvn',
  'app:purchased': 'Applications: purchased Nova',
  'app:earned': 'Applications: earned Nova',
  chat: 'Held for open chats',
  'pool:influence': 'Influence pool',
  'pool:karma': 'Karma pool',
  'pool:thread': 'Thread pools',
  treasury: 'Treasury',
  'external:stripe': 'Card payments',
  'external:chargebacks': 'Chargebacks',
  issuance: 'Issued',
  burned: 'Burned',
};

export const CURRENCY_LABELS: Readonly<Record<Currency, string>> = {
  NOVA: 'Nova',
  KARMA: 'Karma',
  INFLUENCE: 'Influence',
  SEYVN: 'Seyvn',
};

export const kindLabel = (kind: AccountKind): string => KIND_LABELS[kind];

/** The name of one of a member's accounts in their statement. */
export function balanceLabel(account: string): string {
  const balance = MEMBER_BALANCES.find((name) => account.endsWith(`:${name}`));
  return balance ? MEMBER_BALANCE_LABELS[balance] : account;
}

/** The only account of a kind in a currency; null if the kind has an account for each owner. */
export function soleAccount(kind: AccountKind, currency: Currency): string | null {
  if (OWNED_KINDS.has(kind)) return null;
  return kind === 'issuance' || kind === 'burned' ? `${kind}:${currency}` : kind;
}

/** Who or what an account belongs to; a person's name if there is one. */
export const ownerLabel = (account: string, owner: { displayName: string } | null): string =>
  owner?.displayName ?? (accountOwner(account) || account);
