import { type AccountKind, accountCurrency, accountKind, parseAccountName } from '../ledger/accounts.js';
import type { LedgerEvent } from '../ledger/events.js';
import type { ModerationEvent, WatchSet } from './events.js';

/** The most watches at a time (rule admin-22). */
export const WATCHES_MAX = 50;

/** The target of watches' events: they are the stream `moderation-watches`; crossings are in `moderation-{id}`. */
export const WATCHES_TARGET = 'watches';

/** Totals that can be watched, by the kinds of accounts that they add up. */
const WATCHED_TOTALS: Readonly<Record<'total:members' | 'total:circulation', readonly AccountKind[]>> = {
  'total:members': ['user:purchased', 'user:earned', 'user:pending'],
  'total:circulation': [
    'user:purchased',
    'user:earned',
    'user:pending',
    'app:purchased',
    'app:earned',
    'chat',
    'pool:influence',
    'pool:karma',
    'pool:thread',
  ],
};

const isTotal = (name: string): name is keyof typeof WATCHED_TOTALS => Object.hasOwn(WATCHED_TOTALS, name);

/** What a watch adds up: one account, or all accounts of some kinds. */
export type Watched =
  | { readonly kinds: readonly AccountKind[] }
  | { readonly account: string; readonly kind: AccountKind; readonly owner: string };

/** What a name means; undefined if it is neither an account of NOVA nor a total. */
export function watchedBy(name: string): Watched | undefined {
  if (isTotal(name)) return { kinds: WATCHED_TOTALS[name] };
  const parsed = parseAccountName(name);
  if (!parsed || accountCurrency(parsed.kind, parsed.owner) !== 'NOVA') return undefined;
  return { account: name, ...parsed };
}

/** By how much an event changes what is watched, in minor units of NOVA. */
export function watchedChange(watched: Watched, { entries }: Pick<LedgerEvent, 'entries'>): bigint {
  let change = 0n;
  for (const [account, currency, delta] of entries) {
    if (currency !== 'NOVA') continue;
    if ('kinds' in watched ? watched.kinds.includes(accountKind(account)) : watched.account === account)
      change += delta;
  }
  return change;
}

export const isBeyond = ({ direction, limit }: Pick<WatchSet, 'direction' | 'limit'>, balance: bigint): boolean =>
  direction === 'above' ? balance > limit : balance < limit;

/** The watches that were set and not removed, by id. */
export function evolveWatches(watches: ReadonlyMap<string, WatchSet>, event: ModerationEvent) {
  if (event.subjectId === null || (event.type !== 'WatchSet' && event.type !== 'WatchRemoved')) return watches;
  const after = new Map(watches);
  if (event.type === 'WatchSet') after.set(event.subjectId, event);
  else after.delete(event.subjectId);
  return after;
}

/** The revision of the last crossing that is recorded, −1 before the first: an earlier one is not recorded again. */
export const evolveCrossings = (last: number, event: ModerationEvent): number =>
  event.type === 'WatchCrossed' ? event.revision : last;
