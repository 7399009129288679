import { chatAccount, threadPool, userAccount, type AccountName } from './accounts.js';
import type { CommandOf } from './commands.js';
import { CHATS_PER_HOST_INFLUENCE, CHAT_SPLIT } from './constants.js';
import type { Ruling } from './decide.js';
import { splitByWeights } from '../money/money.js';
import { payoutInFull, poolOrTreasury, recipientRejection, refuse, spend } from './funds.js';
import { TOKEN_POOLS } from './pools.js';
import { Postings, mixMinus, mixTotal, purchasedFirst, type Mix } from './postings.js';
import type { Hold, LedgerState } from './state.js';

type ChatCommand = CommandOf<'HoldChatPayment' | 'RefundChatPayment' | 'SettleChatPayment' | 'ReleaseChatReward'>;

/** The escrow of a paid chat: held once, ended once (`ledger.md`, invariant 5). */
export function decideChat(state: LedgerState, command: ChatCommand): Ruling {
  switch (command.type) {
    case 'HoldChatPayment':
      return hold(state, command);
    case 'RefundChatPayment':
      return refund(state, command);
    case 'SettleChatPayment':
      return settle(state, command);
    case 'ReleaseChatReward':
      return release(state, command);
  }
}

function hold(state: LedgerState, command: CommandOf<'HoldChatPayment'>): Ruling {
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

function refund(state: LedgerState, { chatId, reason }: CommandOf<'RefundChatPayment'>): Ruling {
  const held = state.hold(chatId);
  if (!held) return notHeld();
  const { initiatorId, hostId } = held;
  const amount = mixTotal(held);
  const entries = giveBack(state, new Postings().add(chatAccount(chatId), -amount), held, held).entries();
  return [{ type: 'ChatPaymentRefunded', chatId, initiatorId, hostId, amount, reason, entries }];
}

/** Back to the initiator in the mix that was paid; to the treasury where the account has closed since. */
function giveBack(state: LedgerState, postings: Postings, held: Hold, mix: Mix): Postings {
  // Stryker disable next-line ConditionalExpression,StringLiteral: no command comes so far, an account with an open chat does not finish closing
  if (state.closure(held.initiatorId) === 'closed') return postings.add('treasury', mixTotal(mix));
  return postings.giveToUser(held.initiatorId, mix);
}

function settle(state: LedgerState, command: CommandOf<'SettleChatPayment'>): Ruling {
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
function release(state: LedgerState, { chatId, side }: CommandOf<'ReleaseChatReward'>): Ruling {
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
