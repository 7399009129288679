import type { Fact } from '../events.js';
import { refuse } from '../funds.js';
import type { LedgerState } from '../state.js';
import { COUNTS_NOWHERE, type Movement, type Ruling } from './movement.js';

export interface FreezeSpending {
  readonly type: 'FreezeSpending';
  readonly userId: string;
  readonly disputeId: string;
}

export interface UnfreezeSpending {
  readonly type: 'UnfreezeSpending';
  readonly userId: string;
  readonly disputeId: string | null;
}

export interface SpendingFrozen extends Fact<'SpendingFrozen'> {
  readonly userId: string;
  readonly disputeId: string;
}

/** Won, or lifted by an admin. `disputeId` null lifts every freeze of the member. */
export interface SpendingUnfrozen extends Fact<'SpendingUnfrozen'> {
  readonly userId: string;
  readonly disputeId: string | null;
}

function freezeSpending(state: LedgerState, { userId, disputeId }: FreezeSpending): Ruling {
  if (state.closure(userId) === 'closed') return refuse({ code: 'ACCOUNT_CLOSED', message: 'This account is closed.' });
  return [{ type: 'SpendingFrozen', userId, disputeId, entries: [] }];
}

function unfreezeSpending(state: LedgerState, { userId, disputeId }: UnfreezeSpending): Ruling {
  const disputes = state.disputes(userId);
  if (disputeId === null ? disputes.length === 0 : !disputes.includes(disputeId)) {
    return refuse({ code: 'NOT_FROZEN', message: 'Spending is not paused for this dispute.' });
  }
  return [{ type: 'SpendingUnfrozen', userId, disputeId, entries: [] }];
}

/** A payment dispute pauses a member's spending until it is won or an admin lifts it (rule wallet-18). */
export const freeze: Movement<FreezeSpending | UnfreezeSpending, SpendingFrozen | SpendingUnfrozen, never> = {
  commands: { FreezeSpending: freezeSpending, UnfreezeSpending: unfreezeSpending },
  events: {
    SpendingFrozen: {
      fields: { userId: 'text', disputeId: 'text' },
      effect: (state, { userId, disputeId }) => state.freeze(userId, disputeId),
      posts: null,
      cameFrom: ({ userId, disputeId }) => ({ type: 'FreezeSpending', userId, disputeId }),
      onceOnly: ({ disputeId }) => `pause for dispute ${disputeId}`,
      sentence: ({ userId }, { member }) => `Spending of ${member(userId)} was paused by a payment dispute`,
      statementRows: null,
      ...COUNTS_NOWHERE,
    },
    SpendingUnfrozen: {
      fields: { userId: 'text', disputeId: 'nullable-text' },
      effect: (state, { userId, disputeId }) => state.unfreeze(userId, disputeId),
      posts: null,
      cameFrom: ({ userId, disputeId }) => ({ type: 'UnfreezeSpending', userId, disputeId }),
      onceOnly: ({ disputeId }) => (disputeId === null ? undefined : `end of the pause for dispute ${disputeId}`),
      sentence: ({ userId }, { member }) => `Spending of ${member(userId)} was allowed again`,
      statementRows: null,
      ...COUNTS_NOWHERE,
    },
  },
  rows: {},
};
