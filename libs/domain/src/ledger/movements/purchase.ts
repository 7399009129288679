import { postSaleReversal, postSale } from '../../finance/general-ledger/posting-rules.js';
import { novaText } from '../../money/money.js';
import { userAccount } from '../accounts.js';
import type { Fact } from '../events.js';
import { amountRejection, issueRejection, paidBy, payoutInFull, refuse } from '../funds.js';
import { Postings, smaller } from '../postings.js';
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

/** Nova that a member bought with a card, and what went back (rule wallet-17). */
export const purchase: Movement<
  RecordPurchase | ReversePurchase,
  NovaPurchased | PurchaseReversed,
  'purchase' | 'purchase_refund'
> = {
  commands: { RecordPurchase: recordPurchase, ReversePurchase: reversePurchase },
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
      effect: null,
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
  },
  rows: {
    purchase: { words: () => 'Nova purchase', earnedFromOthers: false },
    purchase_refund: { words: () => 'Refund of a Nova purchase', earnedFromOthers: false },
  },
};
