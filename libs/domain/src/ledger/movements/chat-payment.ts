import {
  carryIntoEscrow,
  carryOver,
  carryOutOfEscrow,
  postSettlement,
} from '../../finance/general-ledger/posting-rules.js';
import { novaText, splitByWeights } from '../../money/money.js';
import { chatAccount, threadPool, userAccount, type AccountName } from '../accounts.js';
import { CHAT_SPLIT, CHATS_PER_HOST_INFLUENCE } from '../constants.js';
import type { Fact } from '../events.js';
import { payoutInFull, poolOrTreasury, recipientRejection, refuse, spend } from '../funds.js';
import { invariant } from '../invariant.js';
import { TOKEN_POOLS } from '../pools.js';
import { mixMinus, mixTotal, Postings, purchasedFirst, sumOf, type Mix } from '../postings.js';
import type { Hold, LedgerState } from '../state.js';
import { COUNTS_NOWHERE, type Movement, type Ruling } from './movement.js';

export interface HoldChatPayment {
  readonly type: 'HoldChatPayment';
  readonly chatId: string;
  readonly initiatorId: string;
  readonly hostId: string;
  readonly amount: bigint;
}

export const REFUND_REASONS = ['declined', 'expired', 'abandoned', 'terminated', 'idle'] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

export interface RefundChatPayment {
  readonly type: 'RefundChatPayment';
  readonly chatId: string;
  readonly reason: RefundReason;
}

export type SettleChatPayment =
  | { readonly type: 'SettleChatPayment'; readonly chatId: string; readonly outcome: 'success' }
  | {
      readonly type: 'SettleChatPayment';
      readonly chatId: string;
      readonly outcome: 'broken-off';
      /** The part of the price that is due; the rest goes back. */
      readonly due: bigint;
    };

export interface ReleaseChatReward {
  readonly type: 'ReleaseChatReward';
  readonly chatId: string;
  readonly side: 'host' | 'initiator';
}

export interface ChatPaymentHeld extends Fact<'ChatPaymentHeld'> {
  readonly chatId: string;
  readonly initiatorId: string;
  readonly hostId: string;
  readonly amount: bigint;
}

export interface ChatPaymentRefunded extends Fact<'ChatPaymentRefunded'> {
  readonly chatId: string;
  readonly initiatorId: string;
  readonly hostId: string;
  readonly amount: bigint;
  readonly reason: RefundReason;
}

/** Success, or the part due when the initiator breaks off: 50 % host, 10 % karma pool, 10 % thread pool, 30 % treasury, the rest back (rule chats-24). */
export interface ChatPaymentSettled extends Fact<'ChatPaymentSettled'> {
  readonly chatId: string;
  readonly initiatorId: string;
  readonly hostId: string;
  readonly outcome: 'success' | 'broken-off';
  readonly paid: bigint;
  readonly refunded: bigint;
  readonly hostShare: bigint;
  readonly karmaShare: bigint;
  readonly threadShare: bigint;
  readonly treasuryShare: bigint;
}

export interface ChatRewardReleased extends Fact<'ChatRewardReleased'> {
  readonly chatId: string;
  readonly userId: string;
  readonly side: 'host' | 'initiator';
  /** NOVA that left pending; 0 for the initiator. */
  readonly amount: bigint;
  /** INFLUENCE minted: 1 for the initiator, 1 on a host's every fifth time, else 0. */
  readonly influence: bigint;
}

function hold(state: LedgerState, command: HoldChatPayment): Ruling {
  const { chatId, initiatorId, hostId, amount } = command;
  if (initiatorId === hostId) {
    return refuse({ code: 'SELF_PAYMENT', message: 'You cannot start a paid chat with yourself.' });
  }
  if (state.hold(chatId) ?? state.pendingReward(chatId)) {
    return refuse({ code: 'CHAT_ALREADY_PAID', message: 'This chat has been paid for already.' });
  }
  const rejection = recipientRejection(state, hostId);
  if (rejection) return refuse(rejection);
  const funds = spend(state, initiatorId, amount);
  if ('rejection' in funds) return funds;
  const entries = new Postings().takeFromUser(initiatorId, funds.mix).add(chatAccount(chatId), amount).entries();
  return [...funds.before, { type: 'ChatPaymentHeld', chatId, initiatorId, hostId, amount, entries }];
}

const notHeld = () => refuse({ code: 'CHAT_NOT_HELD', message: 'No payment is held for this chat.' });

function refund(state: LedgerState, { chatId, reason }: RefundChatPayment): Ruling {
  const held = state.hold(chatId);
  if (!held) return notHeld();
  const { initiatorId, hostId } = held;
  const amount = mixTotal(held);
  const entries = giveBack(state, new Postings().add(chatAccount(chatId), -amount), held, held).entries();
  return [{ type: 'ChatPaymentRefunded', chatId, initiatorId, hostId, amount, reason, entries }];
}

/** Returns Nova to the initiator in the mix that was paid, or to the treasury if the account has closed since. */
function giveBack(state: LedgerState, postings: Postings, held: Hold, mix: Mix): Postings {
  // Stryker disable next-line ConditionalExpression,StringLiteral: no command comes so far, an account with an open chat does not finish closing
  if (state.closure(held.initiatorId) === 'closed') return postings.add('treasury', mixTotal(mix));
  return postings.giveToUser(held.initiatorId, mix);
}

function settle(state: LedgerState, command: SettleChatPayment): Ruling {
  const { chatId, outcome } = command;
  const held = state.hold(chatId);
  if (!held) return notHeld();
  const total = mixTotal(held);
  const paid = command.outcome === 'success' ? total : command.due;
  if (paid < 0n || paid > total) {
    return refuse({ code: 'INVALID_AMOUNT', message: 'The part due is not a part of the price.', available: total });
  }
  const { initiatorId, hostId } = held;
  const [hostShare = 0n, karmaShare = 0n, threadShare = 0n, treasuryShare = 0n] = splitByWeights(paid, CHAT_SPLIT);
  const postings = new Postings()
    .add(chatAccount(chatId), -total)
    .add(hostShareAccount(state, hostId, outcome), hostShare)
    .add(poolOrTreasury(state, TOKEN_POOLS.karma), karmaShare)
    .add(poolOrTreasury(state, threadPool(hostId)), threadShare)
    .add('treasury', treasuryShare);
  giveBack(state, postings, held, mixMinus(held, purchasedFirst(paid, held)));
  const shares = { hostShare, karmaShare, threadShare, treasuryShare };
  const facts = { chatId, initiatorId, hostId, outcome, paid, refunded: total - paid };
  return [{ type: 'ChatPaymentSettled', ...facts, ...shares, entries: postings.entries() }];
}

function hostShareAccount(state: LedgerState, hostId: string, outcome: 'success' | 'broken-off'): AccountName {
  // Stryker disable next-line ConditionalExpression,StringLiteral: no command comes so far, an account with an open chat does not finish closing
  if (state.closure(hostId) === 'closed') return 'treasury';
  return userAccount(hostId, outcome === 'success' ? 'pending' : 'earned');
}

/** One Influence for the initiator, one for a host's every fifth; shares change only after what they are owed was paid. */
function release(state: LedgerState, { chatId, side }: ReleaseChatReward): Ruling {
  const reward = state.pendingReward(chatId);
  const released = side === 'host' ? reward?.hostReleased : reward?.initiatorReleased;
  if (!reward || released) {
    return refuse({ code: 'REWARD_NOT_PENDING', message: 'No reward is waiting for this side of the chat.' });
  }
  const userId = side === 'host' ? reward.hostId : reward.initiatorId;
  const amount = side === 'host' ? reward.hostAmount : 0n;
  const influence = side === 'initiator' || isEveryFifth(state.hostReleases(userId) + 1) ? 1n : 0n;
  const before = influence ? payoutInFull(state, userId) : [];
  if ('rejection' in before) return before;
  const entries = new Postings()
    .add(userAccount(userId, 'pending'), -amount)
    .add(userAccount(userId, 'earned'), amount)
    .add('issuance:INFLUENCE', -influence, 'INFLUENCE')
    .add(userAccount(userId, 'influence'), influence, 'INFLUENCE')
    .entries();
  return [...before, { type: 'ChatRewardReleased', chatId, userId, side, amount, influence, entries }];
}

const isEveryFifth = (count: number): boolean => count % CHATS_PER_HOST_INFLUENCE === 0;

function openHold(state: LedgerState, { initiatorId, hostId, chatId, entries }: ChatPaymentHeld): void {
  const purchased = -sumOf(entries, `user:${initiatorId}:purchased`);
  const earned = -sumOf(entries, `user:${initiatorId}:earned`);
  invariant(sumOf(entries, `chat:${chatId}`) === purchased + earned, () => `chat:${chatId} holds another sum`);
  state.openHold(chatId, { initiatorId, hostId, purchased, earned });
}

/** The escrow pays out everything it held, once (rule ledger-7). */
function endChat(state: LedgerState, { chatId, entries }: ChatPaymentRefunded | ChatPaymentSettled): void {
  const held = state.hold(chatId);
  invariant(held !== undefined, () => `chat:${chatId} is not held`);
  const left = held.purchased + held.earned + sumOf(entries, `chat:${chatId}`);
  invariant(left === 0n, () => `chat:${chatId} would keep ${left}`);
  state.closeHold(chatId);
}

function openReward(state: LedgerState, { initiatorId, hostId, chatId, entries }: ChatPaymentSettled): void {
  state.setReward(chatId, {
    initiatorId,
    hostId,
    hostAmount: sumOf(entries, `user:${hostId}:pending`),
    // Stryker disable next-line ConditionalExpression,StringLiteral: no command comes so far, an account with an open chat does not finish closing
    hostReleased: state.closure(hostId) === 'closed',
    // Stryker disable next-line ConditionalExpression,StringLiteral: no command comes so far, an account with an open chat does not finish closing
    initiatorReleased: state.closure(initiatorId) === 'closed',
  });
}

function releaseReward(state: LedgerState, { chatId, userId, side }: ChatRewardReleased): void {
  const reward = state.pendingReward(chatId);
  invariant(reward !== undefined, () => `no reward is pending for chat ${chatId}`);
  const host = side === 'host';
  invariant(!(host ? reward.hostReleased : reward.initiatorReleased), 'a reward is released once');
  state.setReward(chatId, host ? { ...reward, hostReleased: true } : { ...reward, initiatorReleased: true });
  if (host) state.countHostRelease(userId);
}

const isOneOf = (word: string, words: readonly string[]): boolean => words.includes(word);

const CHAT_FIELDS = { chatId: 'text', initiatorId: 'text', hostId: 'text' } as const;

/** The escrow of a paid chat: held once, ended once. Then each side's reward is released once. */
export const chatPayment: Movement<
  HoldChatPayment | RefundChatPayment | SettleChatPayment | ReleaseChatReward,
  ChatPaymentHeld | ChatPaymentRefunded | ChatPaymentSettled | ChatRewardReleased,
  'chat_initiate' | 'chat_refund' | 'chat_receive'
> = {
  commands: {
    HoldChatPayment: hold,
    RefundChatPayment: refund,
    SettleChatPayment: settle,
    ReleaseChatReward: release,
  },
  events: {
    ChatPaymentHeld: {
      fields: { ...CHAT_FIELDS, amount: 'minor' },
      effect: openHold,
      posts: carryIntoEscrow,
      cameFrom: ({ chatId, initiatorId, hostId, amount }) => ({
        type: 'HoldChatPayment',
        chatId,
        initiatorId,
        hostId,
        amount,
      }),
      onceOnly: ({ chatId }) => `payment of chat ${chatId}`,
      sentence: ({ initiatorId, hostId, amount }, { member }) =>
        `${member(initiatorId)} paid ${novaText(amount)} for a chat with ${member(hostId)}`,
      statementRows: ({ hostId, chatId }) => [{ type: 'chat_initiate', counterpartyId: hostId, subject: chatId }],
      ...COUNTS_NOWHERE,
    },
    ChatPaymentRefunded: {
      fields: { ...CHAT_FIELDS, amount: 'minor', reason: 'text' },
      effect: endChat,
      posts: carryOutOfEscrow,
      cameFrom: ({ chatId, reason }) =>
        isOneOf(reason, REFUND_REASONS) ? { type: 'RefundChatPayment', chatId, reason } : undefined,
      onceOnly: ({ chatId }) => `end of chat ${chatId}`,
      sentence: ({ initiatorId, hostId, amount }, { member }) =>
        `${novaText(amount)} for a chat with ${member(hostId)} went back to ${member(initiatorId)}`,
      statementRows: ({ hostId, chatId }) => [{ type: 'chat_refund', counterpartyId: hostId, subject: chatId }],
      ...COUNTS_NOWHERE,
    },
    ChatPaymentSettled: {
      fields: {
        ...CHAT_FIELDS,
        outcome: 'text',
        paid: 'minor',
        refunded: 'minor',
        hostShare: 'minor',
        karmaShare: 'minor',
        threadShare: 'minor',
        treasuryShare: 'minor',
      },
      effect: (state, event) => {
        endChat(state, event);
        if (event.outcome === 'success') openReward(state, event);
      },
      posts: postSettlement,
      cameFrom: ({ chatId, outcome, paid: due }) => {
        if (!isOneOf(outcome, ['success', 'broken-off'])) return undefined;
        if (outcome === 'success') return { type: 'SettleChatPayment', chatId, outcome };
        return { type: 'SettleChatPayment', chatId, outcome, due };
      },
      onceOnly: ({ chatId }) => `end of chat ${chatId}`,
      sentence: ({ initiatorId, hostId, paid }, { member }) =>
        `${novaText(paid)} for a chat of ${member(initiatorId)} with ${member(hostId)} were shared out`,
      statementRows: ({ initiatorId, hostId, chatId: subject }, userId) =>
        userId === hostId
          ? [{ type: 'chat_receive', counterpartyId: initiatorId, subject }]
          : [{ type: 'chat_refund', counterpartyId: hostId, subject }],
      throughApp: null,
      // A host's pay counts when it is released.
      quests: ({ hostId, outcome, hostShare }) =>
        outcome === 'broken-off' && hostShare > 0n ? [{ userId: hostId, rule: 'nova_earned', amount: hostShare }] : [],
      chart: null,
      announces: null,
    },
    ChatRewardReleased: {
      fields: { chatId: 'text', userId: 'text', side: 'text', amount: 'minor', influence: 'minor' },
      effect: releaseReward,
      posts: carryOver,
      cameFrom: ({ chatId, side }) =>
        isOneOf(side, ['host', 'initiator']) ? { type: 'ReleaseChatReward', chatId, side } : undefined,
      onceOnly: ({ chatId, side }) => `reward of chat ${chatId} for its ${side}`,
      sentence: ({ userId }, { member }) => `${member(userId)} got the reward of a chat`,
      statementRows: ({ chatId: subject }, _userId, partiesOf) => [
        { type: 'chat_receive', counterpartyId: partiesOf(subject)?.initiatorId ?? null, subject },
      ],
      throughApp: null,
      quests: ({ userId, amount }) => (amount > 0n ? [{ userId, rule: 'nova_earned', amount }] : []),
      chart: null,
      announces: null,
    },
  },
  rows: {
    chat_initiate: { words: ({ party }) => `Chat with ${party}`, earnedFromOthers: false },
    chat_refund: { words: ({ party }) => `Refund of a chat with ${party}`, earnedFromOthers: false },
    chat_receive: { words: ({ party }) => `Chat with ${party}`, earnedFromOthers: true },
  },
};
