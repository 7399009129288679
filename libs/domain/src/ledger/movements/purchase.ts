import { postReinstatement, postSale, postSaleReversal } from '../../finance/general-ledger/posting-rules.js';
import { novaText } from '../../money/money.js';
import { userAccount } from '../accounts.js';
import type { Fact } from '../events.js';
import {
  amountRejection,
  closedRejection,
  issueRejection,
  paidBy,
  payoutInFull,
  refuse,
  supplyRejection,
} from '../funds.js';
import { Postings, smaller, sumOf, type Mix } from '../postings.js';
import type { Rejection } from '../rejections.js';
import type { LedgerState } from '../state.js';
import { COUNTS_NOWHERE, type Movement, type Ruling } from './movement.js';

export interface RecordPurchase {
  readonly type: 'RecordPurchase';
  readonly userId: string;
  readonly amount: bigint;
  readonly paymentIntentId: string;
  readonly chargedCents: number;
  readonly livemode: boolean;
}

export interface ReversePurchase {
  readonly type: 'ReversePurchase';
  readonly userId: string;
  readonly amount: bigint;
  readonly paymentIntentId: string;
  readonly reversalId: string;
  readonly reason: 'refund' | 'dispute';
}

/** What a reinstatement must know of the reversal: the state keeps no history. */
export interface ReversedPurchaseFacts extends Mix {
  readonly userId: string;
  readonly paymentIntentId: string;
  readonly reversalId: string;
  readonly reason: 'refund' | 'dispute';
  /** What was reversed, in minor units. */
  readonly amount: bigint;
  /** With `earned`, what the reversal took from the member; the rest of `amount` was its shortfall. */
  readonly purchased: bigint;
  readonly earned: bigint;
}

interface Reinstated extends ReversedPurchaseFacts {
  /** The event id and revision of the reversal in the journal. */
  readonly originalId: string;
  readonly originalRevision: number;
  readonly adminId: string;
  /** What the member has repaid of the shortfall, in minor units. While some of it is open, the state says so itself. */
  readonly repaid: bigint;
}

export interface ReinstatePurchase extends Reinstated {
  readonly type: 'ReinstatePurchase';
}

/** A card payment arrived: external:stripe → purchased. */
export interface NovaPurchased extends Fact<'NovaPurchased'> {
  readonly userId: string;
  readonly amount: bigint;
  readonly paymentIntentId: string;
  /** The charge to the card, in US cents. */
  readonly chargedCents: number;
  /** False for the sandbox and for test keys. A live key refuses a journal that holds sandbox purchases. */
  readonly livemode: boolean;
}

/** A refund or a lost dispute takes purchased, then earned; what the member no longer has is a chargeback. */
export interface PurchaseReversed extends Fact<'PurchaseReversed'> {
  readonly userId: string;
  readonly amount: bigint;
  /** The part that the member no longer had, taken from external:chargebacks. */
  readonly shortfall: bigint;
  readonly paymentIntentId: string;
  readonly reversalId: string;
  readonly reason: 'refund' | 'dispute';
}

/** A dispute was won on appeal, or a refund failed late: the member gets back what the reversal took (rule ledger-39). */
export interface PurchaseReinstated extends Fact<'PurchaseReinstated'>, Reinstated {}

/** The facts of a reversal that a reinstatement needs. */
export function reversedPurchaseFacts({
  userId,
  paymentIntentId,
  reversalId,
  reason,
  amount,
  entries,
}: PurchaseReversed): ReversedPurchaseFacts {
  const purchased = -sumOf(entries, `user:${userId}:purchased`);
  const earned = -sumOf(entries, `user:${userId}:earned`);
  return { userId, paymentIntentId, reversalId, reason, amount, purchased, earned };
}

const REVERSAL_REASONS: readonly string[] = ['refund', 'dispute'] satisfies ReversePurchase['reason'][];

function recordPurchase(state: LedgerState, command: RecordPurchase): Ruling {
  const { type: _, ...facts } = command;
  if (!Number.isSafeInteger(command.chargedCents) || command.chargedCents < 0) {
    return refuse({ code: 'INVALID_COMMAND', message: 'The charge is not a whole number of cents.' });
  }
  const rejection = issueRejection(state, command.userId, command.amount);
  if (rejection) return refuse(rejection);
  const entries = new Postings()
    .add('external:stripe', -command.amount)
    .add(userAccount(command.userId, 'purchased'), command.amount)
    .entries();
  return [{ type: 'NovaPurchased', ...facts, entries }];
}

/** Takes back purchased, then earned, then owed; the rest is a chargeback. A closed account has nothing. */
function reversePurchase(state: LedgerState, command: ReversePurchase): Ruling {
  const { type: _, ...facts } = command;
  const { userId, amount } = command;
  const rejection = amountRejection(amount);
  if (rejection) return refuse(rejection);
  const paid = state.mix(userId);
  const purchased = smaller(amount, paid.purchased);
  const before = amount > paid.purchased + paid.earned ? payoutInFull(state, userId) : [];
  if ('rejection' in before) return before;
  const earned = smaller(amount - purchased, paid.earned + paidBy(before));
  const shortfall = amount - purchased - earned;
  const entries = new Postings()
    .takeFromUser(userId, { purchased, earned })
    .add('external:chargebacks', -shortfall)
    .add('external:stripe', amount)
    .entries();
  return [...before, { type: 'PurchaseReversed', ...facts, shortfall, entries }];
}

/** What was repaid of the shortfall comes back as purchased; the rest of it, open or written off, is no longer missing. */
function reinstatePurchase(state: LedgerState, command: ReinstatePurchase): Ruling {
  const { type: _, ...facts } = command;
  const { userId, reversalId, amount, purchased, earned } = facts;
  const taken = purchased + earned;
  const open = state.shortfall(userId, reversalId)?.open;
  const repaid = open === undefined ? facts.repaid : amount - taken - open;
  const rejection =
    reinstatementRejection(state, { ...facts, repaid }) ??
    closedRejection(state, userId) ??
    supplyRejection(state, taken + repaid);
  if (rejection) return refuse(rejection);
  const entries = new Postings()
    .add('external:stripe', -amount)
    .giveToUser(userId, { purchased: purchased + repaid, earned })
    .add('external:chargebacks', amount - taken - repaid)
    .entries();
  return [{ type: 'PurchaseReinstated', ...facts, repaid, entries }];
}

function reinstatementRejection(state: LedgerState, facts: Reinstated): Rejection | undefined {
  const { amount, purchased, earned, repaid, reason, originalRevision } = facts;
  const isEarlier =
    Number.isSafeInteger(originalRevision) && originalRevision >= 0 && originalRevision <= state.revision;
  const isWhole = purchased >= 0n && earned >= 0n && repaid >= 0n && purchased + earned + repaid <= amount;
  if (isEarlier && isWhole && REVERSAL_REASONS.includes(reason)) return amountRejection(amount);
  return { code: 'INVALID_COMMAND', message: 'The reversal is not as it is described.' };
}

/** Nova that a member bought with a card, what went back, and what came again after all (rule wallet-17). */
export const purchase: Movement<
  RecordPurchase | ReversePurchase | ReinstatePurchase,
  NovaPurchased | PurchaseReversed | PurchaseReinstated,
  'purchase' | 'purchase_refund' | 'purchase_reinstated'
> = {
  commands: { RecordPurchase: recordPurchase, ReversePurchase: reversePurchase, ReinstatePurchase: reinstatePurchase },
  events: {
    NovaPurchased: {
      fields: {
        userId: 'text',
        amount: 'minor',
        paymentIntentId: 'text',
        chargedCents: 'number',
        livemode: 'boolean',
      },
      effect: null,
      posts: postSale,
      cameFrom: ({ userId, amount, paymentIntentId, chargedCents, livemode }) => ({
        type: 'RecordPurchase',
        userId,
        amount,
        paymentIntentId,
        chargedCents,
        livemode,
      }),
      onceOnly: ({ paymentIntentId }) => `payment ${paymentIntentId}`,
      sentence: ({ userId, amount }, { member }) => `${member(userId)} bought ${novaText(amount)}`,
      statementRows: ({ paymentIntentId: subject }) => [{ type: 'purchase', subject }],
      throughApp: null,
      quests: null,
      chart: ({ amount }) => ['purchases', amount],
      announces: null,
    },
    PurchaseReversed: {
      fields: {
        userId: 'text',
        amount: 'minor',
        shortfall: 'minor',
        paymentIntentId: 'text',
        reversalId: 'text',
        reason: 'text',
      },
      effect: (state, { userId, reversalId, shortfall }) => {
        if (shortfall > 0n && state.closure(userId) !== 'closed') state.openShortfall(userId, reversalId, shortfall);
      },
      posts: postSaleReversal,
      cameFrom: ({ userId, amount, paymentIntentId, reversalId, reason }) =>
        REVERSAL_REASONS.includes(reason)
          ? { type: 'ReversePurchase', userId, amount, paymentIntentId, reversalId, reason }
          : undefined,
      onceOnly: ({ reversalId }) => `reversal ${reversalId}`,
      sentence: ({ userId, amount, reason }, { member }) => {
        const how = reason === 'refund' ? 'were refunded' : 'were charged back';
        return `${novaText(amount)} of a purchase by ${member(userId)} ${how}`;
      },
      statementRows: ({ paymentIntentId: subject, shortfall }) => [{ type: 'purchase_refund', subject, shortfall }],
      ...COUNTS_NOWHERE,
    },
    PurchaseReinstated: {
      fields: {
        userId: 'text',
        paymentIntentId: 'text',
        reversalId: 'text',
        reason: 'text',
        originalId: 'text',
        originalRevision: 'number',
        adminId: 'text',
        amount: 'minor',
        purchased: 'minor',
        earned: 'minor',
        repaid: 'minor',
      },
      effect: (state, { userId, reversalId }) => {
        const open = state.shortfall(userId, reversalId)?.open;
        if (open !== undefined) state.reduceShortfall(userId, reversalId, open);
      },
      posts: postReinstatement,
      // The journal's audit compares the facts with the reversal itself.
      cameFrom: ({ userId, paymentIntentId, reversalId, reason, originalId, originalRevision, adminId, ...rest }) => {
        const { amount, purchased, earned, repaid } = rest;
        const original = { userId, paymentIntentId, reversalId, reason, originalId, originalRevision };
        return { type: 'ReinstatePurchase', ...original, adminId, amount, purchased, earned, repaid };
      },
      onceOnly: ({ reversalId }) => `reinstatement of reversal ${reversalId}`,
      sentence: ({ userId, amount, reason }, { member }) => {
        const how = reason === 'refund' ? 'refunded' : 'charged-back';
        return `${novaText(amount)} of a ${how} purchase by ${member(userId)} were reinstated`;
      },
      statementRows: ({ paymentIntentId: subject }) => [{ type: 'purchase_reinstated', subject }],
      ...COUNTS_NOWHERE,
    },
  },
  rows: {
    purchase: { words: () => 'Nova purchase', earnedFromOthers: false },
    purchase_refund: { words: () => 'Refund of a Nova purchase', earnedFromOthers: false },
    purchase_reinstated: { words: () => 'Refund of a Nova purchase undone', earnedFromOthers: false },
  },
};
