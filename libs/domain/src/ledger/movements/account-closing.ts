import { noteClosing, postClosing } from '../../finance/general-ledger/posting-rules.js';
import { userAccount } from '../accounts.js';
import type { Fact } from '../events.js';
import { closedRejection, leavePool, paidBy, payoutInFull, refuse } from '../funds.js';
import { mixTotal, Postings } from '../postings.js';
import type { LedgerState } from '../state.js';
import { COUNTS_NOWHERE, type Movement, type Ruling } from './movement.js';

export interface CloseAccount {
  readonly type: 'CloseAccount';
  readonly userId: string;
}

export interface FinishClosingAccount {
  readonly type: 'FinishClosingAccount';
  readonly userId: string;
}

export interface AccountClosing extends Fact<'AccountClosing'> {
  readonly userId: string;
}

/**
 * Nothing is open any more: NOVA → treasury, other currencies → burned, shares removed. What the member owed is lost.
 */
export interface AccountClosed extends Fact<'AccountClosed'> {
  readonly userId: string;
}

function close(state: LedgerState, { userId }: CloseAccount): Ruling {
  const closed = closedRejection(state, userId);
  return closed ? refuse(closed) : [{ type: 'AccountClosing', userId, entries: [] }];
}

/**
 * Runs after chats, pending rewards and application wallets are settled. The rest goes to the treasury, and tokens are
 * burned.
 */
function finishClosing(state: LedgerState, { userId }: FinishClosingAccount): Ruling {
  if (state.closure(userId) !== 'closing') {
    return refuse({ code: 'ACCOUNT_NOT_CLOSING', message: 'This account is not being closed.' });
  }
  if (state.hasOpenItems(userId)) {
    return refuse({ code: 'ACCOUNT_STILL_BUSY', message: 'Chats, rewards or wallets of this account are still open.' });
  }
  const before = payoutInFull(state, userId);
  if ('rejection' in before) return before;
  const paid = state.mix(userId);
  const nova = { ...paid, earned: paid.earned + paidBy(before) };
  const postings = new Postings().takeFromUser(userId, nova).add('treasury', mixTotal(nova));
  for (const [balance, currency] of [
    ['karma', 'KARMA'],
    ['influence', 'INFLUENCE'],
    ['seyvn', 'SEYVN'],
  ] as const) {
    const amount = state.balance(userId, balance);
    postings.add(userAccount(userId, balance), -amount, currency).add(`burned:${currency}`, amount, currency);
  }
  for (const pool of state.poolsOf(userId).toSorted()) {
    leavePool(state, postings, pool, userId, state.holder(pool, userId)?.shares ?? 0n);
  }
  return [...before, { type: 'AccountClosed', userId, entries: postings.entries() }];
}

/** A member's account closes in two steps, so that open items can end between them (rule ledger-29). */
export const accountClosing: Movement<
  CloseAccount | FinishClosingAccount,
  AccountClosing | AccountClosed,
  'account_closed'
> = {
  commands: { CloseAccount: close, FinishClosingAccount: finishClosing },
  events: {
    AccountClosing: {
      fields: { userId: 'text' },
      effect: (state, { userId }) => state.setClosure(userId, 'closing'),
      posts: noteClosing,
      cameFrom: ({ userId }) => ({ type: 'CloseAccount', userId }),
      onceOnly: ({ userId }) => `closing of account ${userId}`,
      sentence: ({ userId }, { member }) => `${member(userId)} is closing the account`,
      statementRows: null,
      ...COUNTS_NOWHERE,
    },
    AccountClosed: {
      fields: { userId: 'text' },
      effect: (state, { userId }) => {
        state.unfreeze(userId, null);
        state.forgetShortfalls(userId);
        state.setClosure(userId, 'closed');
      },
      posts: postClosing,
      cameFrom: ({ userId }) => ({ type: 'FinishClosingAccount', userId }),
      onceOnly: ({ userId }) => `end of account ${userId}`,
      sentence: ({ userId }, { member }) => `${member(userId)} closed the account`,
      statementRows: () => [{ type: 'account_closed' }],
      ...COUNTS_NOWHERE,
    },
  },
  rows: { account_closed: { words: () => 'Account closed', earnedFromOthers: false } },
};
