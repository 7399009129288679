import { splitByWeights } from '../../money/money.js';
import { userAccount } from '../accounts.js';
import { PAYMENT_SPLIT } from '../constants.js';
import type { Entry, Fact, LedgerFact } from '../events.js';
import { poolOrTreasury, recipientRejection, refuse, spend } from '../funds.js';
import { TOKEN_POOLS } from '../pools.js';
import { Postings } from '../postings.js';
import type { LedgerState } from '../state.js';
import type { Ruling } from './movement.js';

/** A payment from one member to another, half to the recipient and half to the holders of Influence (rule gifts-2). */
export interface MemberPayment<T extends string> extends Fact<T> {
  readonly senderId: string;
  readonly recipientId: string;
  readonly amount: bigint;
  readonly recipientShare: bigint;
  /** To pool:influence, or to the treasury if nobody holds Influence. */
  readonly influenceShare: bigint;
}

/** The first fields of every such event. */
export const MEMBER_PAYMENT_FIELDS = {
  senderId: 'text',
  recipientId: 'text',
  amount: 'minor',
  recipientShare: 'minor',
  influenceShare: 'minor',
} as const;

/** Pays half to the member and half to the holders of Influence, or to the treasury if nobody holds any. */
export function payMember(
  state: LedgerState,
  {
    senderId,
    recipientId,
    amount,
  }: { readonly senderId: string; readonly recipientId: string; readonly amount: bigint },
  event: (shares: { recipientShare: bigint; influenceShare: bigint }, entries: readonly Entry[]) => LedgerFact,
): Ruling {
  if (senderId === recipientId) {
    return refuse({ code: 'SELF_PAYMENT', message: 'You cannot send Nova to yourself.' });
  }
  const rejection = recipientRejection(state, recipientId);
  if (rejection) return refuse(rejection);
  const funds = spend(state, senderId, amount);
  if ('rejection' in funds) return funds;
  const [recipientShare = 0n, influenceShare = 0n] = splitByWeights(amount, PAYMENT_SPLIT);
  const entries = new Postings()
    .takeFromUser(senderId, funds.mix)
    .add(userAccount(recipientId, 'earned'), recipientShare)
    .add(poolOrTreasury(state, TOKEN_POOLS.influence), influenceShare)
    .entries();
  return [...funds.before, event({ recipientShare, influenceShare }, entries)];
}
