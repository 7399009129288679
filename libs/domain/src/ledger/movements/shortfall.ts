import { postRepayment, postWriteOff } from '../../finance/general-ledger/posting-rules.js';
import { novaText } from '../../money/money.js';
import type { Fact } from '../events.js';
import { closedRejection, insufficient, refuse, takeFunds } from '../funds.js';
import { Postings, smaller } from '../postings.js';
import type { Rejection } from '../rejections.js';
import type { LedgerState } from '../state.js';
import { COUNTS_NOWHERE, type Movement, type Ruling } from './movement.js';

export interface RepayShortfall {
  readonly type: 'RepayShortfall';
  readonly userId: string;
  readonly reversalId: string;
}

export interface WriteOffShortfall {
  readonly type: 'WriteOffShortfall';
  readonly userId: string;
  readonly reversalId: string;
  readonly adminId: string;
}

/** A member repaid, in whole or in part, what the reversal of a purchase could not take from them. */
export interface ShortfallRepaid extends Fact<'ShortfallRepaid'> {
  readonly userId: string;
  readonly reversalId: string;
  /** Minor units. */
  readonly amount: bigint;
}

/** An admin gave up the rest of a shortfall. No Nova moves. */
export interface ShortfallWrittenOff extends Fact<'ShortfallWrittenOff'> {
  readonly userId: string;
  readonly reversalId: string;
  readonly adminId: string;
  /** All that was still open, in minor units. */
  readonly amount: bigint;
}

const NO_SHORTFALL: Rejection = { code: 'NO_SHORTFALL', message: 'Nothing of this reversal is owed any more.' };

/** Takes purchased, then earned, then owed Nova, as far as it reaches. A paused member is no exception. */
function repay(state: LedgerState, { userId, reversalId }: RepayShortfall): Ruling {
  const rejection = closedRejection(state, userId);
  if (rejection) return refuse(rejection);
  const open = state.shortfall(userId, reversalId)?.open;
  if (open === undefined) return refuse(NO_SHORTFALL);
  const amount = smaller(open, state.novaBalance(userId));
  if (amount === 0n) return refuse(insufficient(0n));
  const funds = takeFunds(state, userId, amount);
  if ('rejection' in funds) return funds;
  const entries = new Postings().takeFromUser(userId, funds.mix).add('external:chargebacks', amount).entries();
  return [...funds.before, { type: 'ShortfallRepaid', userId, reversalId, amount, entries }];
}

function writeOff(state: LedgerState, { userId, reversalId, adminId }: WriteOffShortfall): Ruling {
  const amount = state.shortfall(userId, reversalId)?.open;
  if (amount === undefined) return refuse(NO_SHORTFALL);
  return [{ type: 'ShortfallWrittenOff', userId, reversalId, adminId, amount, entries: [] }];
}

/** What a member owes because they no longer had the Nova of a reversed purchase (rule ledger-40). */
export const shortfall: Movement<
  RepayShortfall | WriteOffShortfall,
  ShortfallRepaid | ShortfallWrittenOff,
  'shortfall_repaid'
> = {
  commands: { RepayShortfall: repay, WriteOffShortfall: writeOff },
  events: {
    ShortfallRepaid: {
      fields: { userId: 'text', reversalId: 'text', amount: 'minor' },
      effect: (state, { userId, reversalId, amount }) => state.reduceShortfall(userId, reversalId, amount),
      cameFrom: ({ userId, reversalId }) => ({ type: 'RepayShortfall', userId, reversalId }),
      onceOnly: null,
      sentence: ({ userId, amount }, { member }) =>
        `${member(userId)} repaid ${novaText(amount)} of a reversed purchase`,
      posts: postRepayment,
      statementRows: ({ reversalId: subject }) => [{ type: 'shortfall_repaid', subject }],
      ...COUNTS_NOWHERE,
    },
    ShortfallWrittenOff: {
      fields: { userId: 'text', reversalId: 'text', adminId: 'text', amount: 'minor' },
      effect: (state, { userId, reversalId, amount }) => state.reduceShortfall(userId, reversalId, amount),
      cameFrom: ({ userId, reversalId, adminId }) => ({ type: 'WriteOffShortfall', userId, reversalId, adminId }),
      onceOnly: ({ reversalId }) => `write-off of reversal ${reversalId}`,
      sentence: ({ userId, amount }, { member }) =>
        `${novaText(amount)} that ${member(userId)} owed for a reversed purchase were written off`,
      posts: postWriteOff,
      statementRows: null,
      ...COUNTS_NOWHERE,
    },
  },
  rows: { shortfall_repaid: { words: () => 'Repayment of a reversed Nova purchase', earnedFromOthers: false } },
};
