import { postReversal } from '../../finance/general-ledger/posting-rules.js';
import { Money, novaText, splitByWeights } from '../../money/money.js';
import { PAYMENT_SPLIT } from '../constants.js';
import type { Fact, LedgerFact } from '../events.js';
import { amountRejection, paidBy, payoutInFull, refuse, supplyRejection } from '../funds.js';
import { mixMinus, mixTotal, Postings, purchasedFirst, smaller, sumOf, type Mix } from '../postings.js';
import type { Rejection } from '../rejections.js';
import type { LedgerState } from '../state.js';
import { postApp } from './app-wallet.js';
import type { EventRules, Movement, Ruling, StatementRowOf, ThroughApp } from './movement.js';

/** The types of movements that an admin can reverse. */
export const REVERSIBLE_TYPES = [
  'GiftSent',
  'NovaGranted',
  'NovaDeducted',
  'AppTokensSpent',
  'AppTokensEarned',
] as const;
export type ReversibleType = (typeof REVERSIBLE_TYPES)[number];

/** What a reversal must know of its original. The state keeps no history, so commands and events carry it. */
export interface OriginalFacts extends Mix {
  readonly originalType: ReversibleType;
  /** A gift's sender; otherwise the member whom the original names. */
  readonly userId: string;
  /** A gift's recipient, or the developer to whom the application's wallet belongs; null if an admin was the other side. */
  readonly counterpartyId: string | null;
  /** The OAuth application that took part, if any. */
  readonly clientId?: string;
  /** With `earned`, what the original took from its giver, in minor units. Of a grant all is `earned`. */
  readonly purchased: bigint;
  readonly earned: bigint;
}

interface Original extends OriginalFacts {
  /** The original's event id and revision in the journal. */
  readonly originalId: string;
  readonly originalRevision: number;
}

export interface ReverseMovement extends Original {
  readonly type: 'ReverseMovement';
  readonly adminId: string;
  /** Whether to return what can be returned if that is not all; false refuses then. */
  readonly partly: boolean;
}

/** An admin took a movement back, once, in full or as far as the balances allowed (rule ledger-38). */
export interface MovementReversed extends Fact<'MovementReversed'>, Original {
  readonly adminId: string;
  /** What came back, in minor units: more than nothing, at most `purchased` + `earned`. */
  readonly returned: bigint;
}

/** The facts of an event that can be reversed; undefined for every other event. */
export function originalFacts(event: LedgerFact): OriginalFacts | undefined {
  if (event.type === 'GiftSent') {
    const { type: originalType, senderId: userId, recipientId: counterpartyId, clientId } = event;
    const via = clientId === undefined ? {} : { clientId };
    return { originalType, userId, counterpartyId, ...via, ...takenFrom(event, `user:${userId}`) };
  }
  if (event.type === 'NovaGranted') {
    const { type: originalType, userId, amount: earned } = event;
    return { originalType, userId, counterpartyId: null, purchased: 0n, earned };
  }
  if (event.type === 'NovaDeducted') {
    const { type: originalType, userId } = event;
    return { originalType, userId, counterpartyId: null, ...takenFrom(event, `user:${userId}`) };
  }
  if (event.type === 'AppTokensSpent' || event.type === 'AppTokensEarned') {
    const { type: originalType, userId, ownerId: counterpartyId, clientId } = event;
    const giver = originalType === 'AppTokensSpent' ? `user:${userId}` : `app:${clientId}`;
    return { originalType, userId, counterpartyId, clientId, ...takenFrom(event, giver) };
  }
  return undefined;
}

const takenFrom = ({ entries }: LedgerFact, holder: string): Mix => ({
  purchased: -sumOf(entries, `${holder}:purchased`),
  earned: -sumOf(entries, `${holder}:earned`),
});

/** The Nova found for a return, taken from its holders, and the buckets in which the giver gets it. */
interface Found {
  readonly before: readonly LedgerFact[];
  readonly postings: Postings;
  readonly back: Mix;
}

function reverseMovement(state: LedgerState, command: ReverseMovement): Ruling {
  const { type: _, partly, ...facts } = command;
  const rejection = originalRejection(state, facts) ?? closedSideRejection(state, facts);
  if (rejection) return refuse(rejection);
  const found = findNova(state, facts);
  if ('rejection' in found) return found;
  const { before, postings, back } = found;
  const [amount, returned] = [mixTotal(facts), mixTotal(back)];
  if (returned === 0n) {
    return refuse({
      code: 'NOTHING_TO_RETURN',
      message: 'Nothing of this can be returned: the Nova is no longer there.',
    });
  }
  if (returned < amount && !partly) return refuse(notInFull(amount, returned));
  return [
    ...before,
    { type: 'MovementReversed', ...facts, returned, entries: giveBack(postings, facts, back).entries() },
  ];
}

const notInFull = (amount: bigint, available: bigint): Rejection => ({
  code: 'NOT_IN_FULL',
  message: `Only ${Money.ofMinor(available).toString()} of ${Money.ofMinor(amount).toString()} Nova can be returned.`,
  available,
});

/** Facts that no original has. */
function originalRejection(state: LedgerState, facts: Original): Rejection | undefined {
  const { originalType, originalRevision, userId, counterpartyId, clientId, purchased, earned } = facts;
  if (!REVERSIBLE_TYPES.includes(originalType)) {
    return { code: 'NOT_REVERSIBLE', message: 'A movement of this kind cannot be reversed.' };
  }
  const isEarlier =
    Number.isSafeInteger(originalRevision) && originalRevision >= 0 && originalRevision <= state.revision;
  const isMix = purchased >= 0n && earned >= 0n && (originalType !== 'NovaGranted' || purchased === 0n);
  if (!isEarlier || !isMix || !hasItsParties(state, { originalType, userId, counterpartyId, clientId })) {
    return { code: 'INVALID_COMMAND', message: 'The original movement is not as it is described.' };
  }
  return amountRejection(mixTotal(facts));
}

function hasItsParties(
  state: LedgerState,
  {
    originalType,
    userId,
    counterpartyId,
    clientId,
  }: Pick<OriginalFacts, 'originalType' | 'userId' | 'counterpartyId'> & { readonly clientId: string | undefined },
): boolean {
  switch (originalType) {
    case 'GiftSent':
      return counterpartyId !== null && counterpartyId !== userId;
    case 'NovaGranted':
    case 'NovaDeducted':
      return counterpartyId === null && clientId === undefined;
    case 'AppTokensSpent':
    case 'AppTokensEarned':
      return clientId !== undefined && counterpartyId !== null && state.app(clientId)?.ownerId === counterpartyId;
  }
}

/** Nothing goes to an account that is closing or closed, and nothing is left in a closed one. */
function closedSideRejection(state: LedgerState, facts: OriginalFacts): Rejection | undefined {
  const { giver, taker } = sidesOf(facts);
  if (giver !== null && state.closure(giver)) {
    return { code: 'ACCOUNT_CLOSED', message: 'The account that would get the Nova back is closed.' };
  }
  if (taker === null || state.closure(taker) !== 'closed') return undefined;
  return { code: 'ACCOUNT_CLOSED', message: 'The account that would return the Nova is closed.' };
}

/** The members on both sides of an original: for an application, its developer. */
function sidesOf({ originalType, userId, counterpartyId }: OriginalFacts) {
  const isPaidToUser = originalType === 'NovaGranted' || originalType === 'AppTokensEarned';
  return isPaidToUser ? { giver: counterpartyId, taker: userId } : { giver: userId, taker: counterpartyId };
}

function findNova(state: LedgerState, facts: OriginalFacts): Found | { readonly rejection: Rejection } {
  const { originalType, userId, counterpartyId, clientId = '' } = facts;
  switch (originalType) {
    case 'GiftSent':
      return findGift(state, facts, counterpartyId ?? '');
    case 'NovaGranted':
    case 'AppTokensEarned':
      return findAtMember(state, userId, facts);
    case 'NovaDeducted': {
      const tooMuch = supplyRejection(state, mixTotal(facts));
      if (tooMuch) return refuse(tooMuch);
      return { before: [], postings: new Postings().add('issuance:NOVA', -mixTotal(facts)), back: facts };
    }
    case 'AppTokensSpent': {
      const { taken, back } = refill(facts, state.app(clientId) ?? NOTHING);
      return { before: [], postings: new Postings().takeFromApp(clientId, taken), back };
    }
  }
}

const NOTHING: Mix = { purchased: 0n, earned: 0n };

/**
 * The recipient's half comes from the recipient, the other from the treasury, even if it went to the holders of
 * Influence, who keep theirs. In part, what stays away uses up purchased Nova first, as with a chat's refund.
 */
function findGift(state: LedgerState, facts: OriginalFacts, recipientId: string): Found | { rejection: Rejection } {
  const [share = 0n, otherShare = 0n] = splitByWeights(mixTotal(facts), PAYMENT_SPLIT);
  const found = findAtMember(state, recipientId, { purchased: 0n, earned: share });
  if ('rejection' in found) return found;
  const fromTreasury = smaller(otherShare, state.platformBalance('treasury'));
  const returned = mixTotal(found.back) + fromTreasury;
  const kept = purchasedFirst(mixTotal(facts) - returned, facts);
  return { ...found, postings: found.postings.add('treasury', -fromTreasury), back: mixMinus(facts, kept) };
}

/** What pools owe a member is paid first when a bucket lacks something. Frozen members are no exception. */
function findAtMember(state: LedgerState, userId: string, wanted: Mix): Found | { rejection: Rejection } {
  const paid = state.mix(userId);
  const isLacking = wanted.earned > paid.earned || wanted.purchased > paid.purchased;
  const before = isLacking ? payoutInFull(state, userId) : [];
  if ('rejection' in before) return before;
  const { taken, back } = refill(wanted, { ...paid, earned: paid.earned + paidBy(before) });
  return { before, postings: new Postings().takeFromUser(userId, taken), back };
}

/** Takes from the buckets that the original filled, and what one lacks from the other. */
function refill(wanted: Mix, from: Mix): { readonly taken: Mix; readonly back: Mix } {
  const same: Mix = {
    purchased: smaller(wanted.purchased, from.purchased),
    earned: smaller(wanted.earned, from.earned),
  };
  const [lacking, left] = [mixMinus(wanted, same), mixMinus(from, same)];
  const asPurchased = smaller(lacking.purchased, left.earned);
  const asEarned = smaller(lacking.earned, left.purchased);
  return {
    taken: { purchased: same.purchased + asEarned, earned: same.earned + asPurchased },
    back: { purchased: same.purchased + asPurchased, earned: same.earned + asEarned },
  };
}

function giveBack(postings: Postings, { originalType, userId, clientId = '' }: OriginalFacts, back: Mix): Postings {
  if (originalType === 'NovaGranted') return postings.add('issuance:NOVA', mixTotal(back));
  if (originalType === 'AppTokensEarned') return postings.giveToApp(clientId, back);
  return postings.giveToUser(userId, back);
}

const THROUGH: Partial<Record<ReversibleType, ThroughApp['type']>> = {
  GiftSent: 'transfer_reversed',
  AppTokensSpent: 'spend_reversed',
  AppTokensEarned: 'earn_reversed',
};

type Rows =
  | 'gift_send_reversed'
  | 'gift_receive_reversed'
  | 'admin_grant_reversed'
  | 'admin_deduct_reversed'
  | 'app_spend_reversed'
  | 'app_earn_reversed';

function rowOf(event: MovementReversed, userId: string): StatementRowOf<Rows> {
  const { originalType, originalId: subject, counterpartyId, clientId = null } = event;
  switch (originalType) {
    case 'GiftSent':
      return userId === event.userId
        ? { type: 'gift_send_reversed', counterpartyId, subject, clientId }
        : { type: 'gift_receive_reversed', counterpartyId: event.userId, subject, clientId };
    case 'NovaGranted':
      return { type: 'admin_grant_reversed', subject };
    case 'NovaDeducted':
      return { type: 'admin_deduct_reversed', subject };
    case 'AppTokensSpent':
      return { type: 'app_spend_reversed', subject, clientId };
    case 'AppTokensEarned':
      return { type: 'app_earn_reversed', subject, clientId };
  }
}

const sentence: EventRules<MovementReversed, ReverseMovement, Rows>['sentence'] = (event, { member, application }) => {
  const { originalType, userId, counterpartyId, clientId = '', returned } = event;
  const nova = novaText(mixTotal(event));
  const what = {
    GiftSent: () => `A gift of ${nova} from ${member(userId)} to ${member(counterpartyId ?? '')}`,
    NovaGranted: () => `A grant of ${nova} to ${member(userId)}`,
    NovaDeducted: () => `A deduction of ${nova} from ${member(userId)}`,
    AppTokensSpent: () => `A payment of ${nova} from ${member(userId)} to ${application(clientId)}`,
    AppTokensEarned: () => `A payment of ${nova} from ${application(clientId)} to ${member(userId)}`,
  }[originalType]();
  return `${what} was reversed${returned < mixTotal(event) ? `, and ${novaText(returned)} came back` : ''}`;
};

/**
 * What an admin takes back (rule ledger-38). It counts for no quest and no chart: what a gift did for its day and for
 * quests stays done. Nor does it give back the application's daily limit, which bounds what leaves a wallet in a day.
 */
export const reversal: Movement<ReverseMovement, MovementReversed, Rows> = {
  commands: { ReverseMovement: reverseMovement },
  events: {
    MovementReversed: {
      fields: {
        originalId: 'text',
        originalRevision: 'number',
        originalType: 'text',
        adminId: 'text',
        userId: 'text',
        counterpartyId: 'nullable-text',
        clientId: 'optional-text',
        purchased: 'minor',
        earned: 'minor',
        returned: 'minor',
      },
      effect: (state, { originalType, clientId, counterpartyId, entries }) => {
        if (clientId === undefined || counterpartyId === null || originalType === 'GiftSent') return;
        postApp(state, { clientId, ownerId: counterpartyId, entries });
      },
      // The journal's audit compares the facts with the original itself.
      cameFrom: ({ originalId, originalRevision, adminId, originalType, userId, counterpartyId, ...rest }) => {
        const { clientId, purchased, earned } = rest;
        const via = clientId === undefined ? {} : { clientId };
        const facts = { originalType, userId, counterpartyId, ...via, purchased, earned };
        return { type: 'ReverseMovement', originalId, originalRevision, adminId, ...facts, partly: true };
      },
      onceOnly: ({ originalRevision }) => `reversal of the event of revision ${originalRevision}`,
      sentence,
      statementRows: (event, userId) => [rowOf(event, userId)],
      throughApp: ({ originalType, clientId, userId, returned: amount }) => {
        const type = THROUGH[originalType];
        if (clientId === undefined || type === undefined) return undefined;
        return { type, clientId, userId, amount, recipientId: null, countsAgainstDailyLimit: false };
      },
      posts: postReversal,
      quests: null,
      chart: null,
      announces: null,
    },
  },
  rows: {
    gift_send_reversed: {
      words: ({ party, through }) => `Returned: gift to ${party}${through}`,
      earnedFromOthers: false,
    },
    gift_receive_reversed: {
      words: ({ party, through }) => `Taken back: gift from ${party}${through}`,
      earnedFromOthers: true,
    },
    admin_grant_reversed: { words: () => 'Taken back: Nova added by an admin', earnedFromOthers: false },
    admin_deduct_reversed: { words: () => 'Returned: Nova deducted by an admin', earnedFromOthers: false },
    app_spend_reversed: { words: ({ application }) => `Returned: spending at ${application}`, earnedFromOthers: false },
    app_earn_reversed: {
      words: ({ application }) => `Taken back: payment from ${application}`,
      earnedFromOthers: false,
    },
  },
};
