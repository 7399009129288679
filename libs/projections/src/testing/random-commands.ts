import type { LedgerCommand } from '@app/domain';

/** Numbers that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * An endless stream of commands of every kind among a few members, chats and applications. Many are refused; accepted
 * ones move Nova through pools, holds, wallets and closed accounts. None repeats a fact that happens only once
 * (`onceOnly`), and none takes back an earlier event, which it would have to know.
 */
// One list of makers: shorter pieces would hide which command is how frequent.
// oxlint-disable-next-line max-lines-per-function
export function randomCommands(seed: number, memberCount = 6): () => LedgerCommand {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const member = (): string => `member-${below(memberCount)}`;
  const amount = (): bigint => BigInt(1 + below(40_000));
  let count = 0;
  let chats = 0;
  const chat = (): string => `chat-${Math.max(0, chats - 1 - below(6))}`;
  const makers: (() => LedgerCommand)[] = [
    () => ({
      type: 'RecordPurchase',
      userId: member(),
      amount: 12_345_600n,
      paymentIntentId: `pi_${count}`,
      chargedCents: 999,
      livemode: false,
    }),
    () => ({
      type: 'ReversePurchase',
      userId: member(),
      amount: amount(),
      paymentIntentId: `pi_${below(50)}`,
      reversalId: `re_${count}`,
      reason: 'refund',
    }),
    ...Array.from({ length: 4 }, () => (): LedgerCommand => ({
      type: 'SendGift',
      senderId: member(),
      recipientId: member(),
      amount: 100_000n + amount(),
    })),
    () => ({
      type: 'PayForCard',
      kind: (['unlock', 'upvote', 'navigate', 'wall', 'scroll'] as const)[below(5)] ?? 'wall',
      senderId: member(),
      recipientId: member(),
      subjectId: `post-${below(9)}-${count}`,
      amount: amount(),
    }),
    ...Array.from({ length: 3 }, () => (): LedgerCommand => ({
      type: 'HoldChatPayment',
      chatId: `chat-${chats++}`,
      initiatorId: member(),
      hostId: member(),
      amount: amount(),
    })),
    () => ({ type: 'RefundChatPayment', chatId: chat(), reason: 'declined' }),
    ...Array.from({ length: 3 }, () => (): LedgerCommand => ({
      type: 'SettleChatPayment',
      chatId: chat(),
      outcome: 'success',
    })),
    () => ({ type: 'SettleChatPayment', chatId: chat(), outcome: 'broken-off', due: BigInt(below(500)) }),
    ...Array.from({ length: 4 }, () => (): LedgerCommand => ({
      type: 'ReleaseChatReward',
      chatId: chat(),
      side: below(2) === 0 ? 'host' : 'initiator',
    })),
    () => ({ type: 'MintKarma', userId: member(), completedChats: 5 * count }),
    ...Array.from({ length: 2 }, () => (): LedgerCommand => ({
      type: 'GrantThreadShare',
      hostId: member(),
      userId: member(),
      chatId: `${chat()}-${count}`,
    })),
    () => ({ type: 'CollectRewards', userId: member() }),
    () => ({ type: 'ClaimQuestReward', userId: member(), questId: `quest-${count}`, amount: amount() }),
    () => ({ type: 'GrantNova', userId: member(), adminId: 'admin', amount: 1_000_000n + amount() }),
    () => ({ type: 'DeductNova', userId: member(), adminId: 'admin', amount: amount() }),
    () => ({
      type: 'BurnTokens',
      userId: member(),
      earnedNova: BigInt(below(100)),
      karma: BigInt(below(2)),
      influence: BigInt(below(2)),
    }),
    () => ({ type: 'FundAppWallet', clientId: 'app-1', ownerId: 'member-1', amount: amount() }),
    () => ({ type: 'WithdrawAppWallet', clientId: 'app-1', ownerId: 'member-1', amount: amount() }),
    () => ({
      type: 'SpendAppTokens',
      userId: member(),
      amount: amount(),
      via: { clientId: 'app-1', ownerId: 'member-1', dailyLimit: 10_000_000n },
    }),
    () => ({ type: 'EarnAppTokens', clientId: 'app-1', userId: member(), amount: amount() }),
    () => ({ type: 'FreezeSpending', userId: member(), disputeId: `dp_${count}` }),
    () => ({ type: 'UnfreezeSpending', userId: member(), disputeId: null }),
    () => (below(12) === 0 ? { type: 'CloseAccount', userId: member() } : { type: 'CollectRewards', userId: member() }),
    () => ({ type: 'FinishClosingAccount', userId: member() }),
  ];
  return () => {
    count += 1;
    const make = makers[below(makers.length)];
    if (!make) throw new Error('no maker');
    return make();
  };
}
