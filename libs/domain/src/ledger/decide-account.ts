import { userAccount } from './accounts.js';
import type { CommandOf } from './commands.js';
import type { Ruling } from './decide.js';
import { leavePool } from './decide-tokens.js';
import { closedRejection, paidBy, payoutInFull, refuse } from './funds.js';
import { Postings, mixTotal } from './postings.js';
import type { LedgerState } from './state.js';

type AccountCommand = CommandOf<'FreezeSpending' | 'UnfreezeSpending' | 'CloseAccount' | 'FinishClosingAccount'>;

/** A member's standing: frozen by disputes, closing, closed. */
export function decideAccount(state: LedgerState, command: AccountCommand): Ruling {
  switch (command.type) {
    case 'FreezeSpending':
      return freeze(state, command);
    case 'UnfreezeSpending':
      return unfreeze(state, command);
    case 'CloseAccount':
      return close(state, command);
    case 'FinishClosingAccount':
      return finishClosing(state, command);
  }
}

function freeze(state: LedgerState, { userId, disputeId }: CommandOf<'FreezeSpending'>): Ruling {
  if (state.closure(userId) === 'closed') return refuse({ code: 'ACCOUNT_CLOSED', message: 'This account is closed.' });
  return [{ type: 'SpendingFrozen', userId, disputeId, entries: [] }];
}

function unfreeze(state: LedgerState, { userId, disputeId }: CommandOf<'UnfreezeSpending'>): Ruling {
  const disputes = state.disputes(userId);
  if (disputeId === null ? disputes.length === 0 : !disputes.includes(disputeId)) {
    return refuse({ code: 'NOT_FROZEN', message: 'Spending is not paused for this dispute.' });
  }
  return [{ type: 'SpendingUnfrozen', userId, disputeId, entries: [] }];
}

function close(state: LedgerState, { userId }: CommandOf<'CloseAccount'>): Ruling {
  const closed = closedRejection(state, userId);
  return closed ? refuse(closed) : [{ type: 'AccountClosing', userId, entries: [] }];
}

/** When chats, pending rewards and application wallets are done: the rest goes to the treasury, tokens are burned. */
function finishClosing(state: LedgerState, { userId }: CommandOf<'FinishClosingAccount'>): Ruling {
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
