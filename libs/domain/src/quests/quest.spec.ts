import type { ChatEvent, ChatMessageSent, ChatSide, ChatSucceeded } from '../chats/events.js';
import type { LedgerCommand } from '../ledger/commands.js';
import { GIFT_MIN } from '../ledger/constants.js';
import { decide } from '../ledger/decide.js';
import type { LedgerEvent, LedgerFact } from '../ledger/events.js';
import { evolve } from '../ledger/evolve.js';
import { LedgerState } from '../ledger/state.js';
import {
  messagesCounted,
  messageWaits,
  questStepsOfChat,
  questStepsOfLedger,
  type WaitingMessages,
} from './counting.js';
import { leastCostOf, rewardWarning } from './least-cost.js';
import {
  countsFrom,
  decideQuest,
  decodeQuestEvent,
  encodeQuestEvent,
  isClaimable,
  QUEST_CLAIM_MS,
  QUEST_REWARD_MAX,
  questPhase,
  type QuestCreated,
} from './quest.js';

const quest = {
  questId: 'q',
  adminId: 'root',
  rule: 'gifts_sent',
  target: 3n,
  reward: 50_000n,
  startsAt: 1_000,
  endsAt: 2_000,
} as const;
const created: QuestCreated = { type: 'QuestCreated', ...quest, at: 500 };

test('a quest is made once', () => {
  expect(decideQuest(undefined, quest, 500)).toEqual({ events: [created] });
  expect(decideQuest(created, quest, 600)).toEqual({ events: [] });
  expect(decodeQuestEvent('QuestCreated', encodeQuestEvent(created))).toEqual(created);
});

test.each([
  [{ endsAt: 1_000 }, 500],
  [{ endsAt: 900 }, 500],
  [{}, 2_000],
  [{ reward: 0n }, 500],
  [{ reward: -5n }, 500],
  [{ target: 0n }, 500],
] as const)('a quest with %j is refused at %i', (wrong, now) => {
  expect(decideQuest(undefined, { ...quest, ...wrong }, now)).toMatchObject({ rejection: { code: 'INVALID_QUEST' } });
});

test('a reward that is too large is not called one that is not positive', () => {
  const refused = (reward: bigint) => decideQuest(undefined, { ...quest, reward }, 500);
  expect(refused(QUEST_REWARD_MAX)).toMatchObject({ events: [{ reward: QUEST_REWARD_MAX }] });
  expect(refused(QUEST_REWARD_MAX + 1n)).toMatchObject({
    rejection: { message: 'Reward must be at most 1,000,000 Nova.' },
  });
  expect(refused(0n)).toMatchObject({ rejection: { message: 'Reward must be a positive number.' } });
});

test('a quest is scheduled, active, ended, and claimable for a day longer', () => {
  expect([999, 1_000, 1_999, 2_000].map((now) => questPhase(quest, now))).toEqual([
    'scheduled',
    'active',
    'active',
    'ended',
  ]);
  expect([2_000 + QUEST_CLAIM_MS - 1, 2_000 + QUEST_CLAIM_MS].map((now) => isClaimable(quest, now))).toEqual([
    true,
    false,
  ]);
  expect([countsFrom(created), countsFrom({ startsAt: 100, at: 500 })]).toEqual([1_000, 500]);
});

const stamp = { entries: [], at: 1, actor: 'process' } as const;

test('gifts count for both sides, by number and by what was received', () => {
  const gift: LedgerEvent = {
    type: 'GiftSent',
    senderId: 'ann',
    recipientId: 'ben',
    amount: 101n,
    recipientShare: 51n,
    influenceShare: 50n,
    ...stamp,
  };
  expect(questStepsOfLedger(gift)).toEqual([
    { userId: 'ann', rule: 'gifts_sent', amount: 1n },
    { userId: 'ben', rule: 'nova_earned', amount: 51n },
  ]);
});

test('chat pay counts when it becomes the host’s own, rewards of other kinds never', () => {
  const release = { type: 'ChatRewardReleased', chatId: 'c', influence: 1n, ...stamp } as const;
  expect(questStepsOfLedger({ ...release, userId: 'hal', side: 'host', amount: 70n })).toEqual([
    { userId: 'hal', rule: 'nova_earned', amount: 70n },
  ]);
  expect(questStepsOfLedger({ ...release, userId: 'ann', side: 'initiator', amount: 0n })).toEqual([]);
  const others: LedgerEvent[] = [
    { type: 'QuestRewardClaimed', userId: 'ann', questId: 'q', amount: 5n, ...stamp },
    { type: 'NovaGranted', userId: 'ann', adminId: 'root', amount: 5n, ...stamp },
    { type: 'PoolRewardsPaid', userId: 'ann', payouts: [['pool:karma', 5n]], ...stamp },
    { type: 'AppTokensEarned', clientId: 'app', ownerId: 'dev', userId: 'ann', amount: 5n, ...stamp },
  ];
  for (const other of others) expect(questStepsOfLedger(other)).toEqual([]);
});

test('completed chats count for both, messages not as they are sent', () => {
  const chat = { chatId: 'c', initiatorId: 'ann', hostId: 'hal', at: 1 };
  const completed = { type: 'ChatCompleted', ...chat } as unknown as ChatEvent;
  expect(questStepsOfChat(completed).map(({ userId, rule }) => [userId, rule])).toEqual([
    ['ann', 'chats_completed'],
    ['hal', 'chats_completed'],
  ]);
  for (const type of ['ChatAccepted', 'ChatMessageSent', 'ChatSucceeded']) {
    expect(questStepsOfChat({ type, ...chat, senderId: 'ann' } as unknown as ChatEvent)).toEqual([]);
  }
});

describe('messages of a chat', () => {
  const running = { ...created, questId: 'q' };
  const chat = { chatId: 'c', initiatorId: 'ann', hostId: 'hal' };
  const sent = (side: ChatSide, at: number) => ({ type: 'ChatMessageSent', ...chat, side, at }) as ChatMessageSent;
  const succeeded = (at: number) => ({ type: 'ChatSucceeded', ...chat, at }) as ChatSucceeded;
  const waiting = (...messages: readonly ChatMessageSent[]): WaitingMessages =>
    messages.reduce<WaitingMessages>((before, message) => messageWaits(before, message, [running]), new Map());

  test('count once it is successful, for each side its own', () => {
    const messages = waiting(sent('initiator', 1_100), sent('host', 1_200), sent('initiator', 1_300));
    expect(messagesCounted(messages, succeeded(1_300), [running])).toEqual([
      { questId: 'q', userId: 'ann', amount: 2n },
      { questId: 'q', userId: 'hal', amount: 1n },
    ]);
  });

  test('count where they were sent, and the chat was successful, between start and end', () => {
    const messages = waiting(sent('initiator', 999), sent('host', 1_000), sent('host', 1_999), sent('host', 2_000));
    expect(messagesCounted(messages, succeeded(1_999), [running])).toEqual([
      { questId: 'q', userId: 'hal', amount: 2n },
    ]);
    expect(messagesCounted(messages, succeeded(2_000), [running])).toEqual([]);
    expect(waiting(sent('initiator', 999)).size).toBe(0);
  });

  test('know nothing of quests that were made after them', () => {
    const late = { ...running, questId: 'late', at: 1_500 };
    const messages = messageWaits(messageWaits(new Map(), sent('host', 1_400), [late]), sent('host', 1_600), [late]);
    expect(messagesCounted(messages, succeeded(1_700), [late])).toEqual([
      { questId: 'late', userId: 'hal', amount: 1n },
    ]);
  });
});

describe('the least cost of a reward', () => {
  test.each([
    // A chat at the lowest price, 625 Nova: half of it leaves the two, and both have completed it.
    [{ rule: 'chats_completed', target: 1n }, 156_25n],
    [{ rule: 'chats_completed', target: 4n }, 625_00n],
    // 2,500 messages each fill a chat.
    [{ rule: 'messages_sent', target: 1n }, 156_25n],
    [{ rule: 'messages_sent', target: 2_500n }, 156_25n],
    [{ rule: 'messages_sent', target: 2_501n }, 312_50n],
    // Of the smallest gift, 1,000 Nova, half goes to the holders of Influence.
    [{ rule: 'gifts_sent', target: 1n }, 500_00n],
    [{ rule: 'gifts_sent', target: 3n }, 1_500_00n],
    // What is earned is half of what was paid.
    [{ rule: 'nova_earned', target: 1n }, 1n],
    [{ rule: 'nova_earned', target: 2_000_00n }, 2_000_00n],
  ] as const)('of %j is %s', (rules, minor) => expect(leastCostOf(rules)).toBe(minor));

  test('is what the smallest gift takes from the two in the ledger', () => {
    const state = new LedgerState();
    const run = (command: LedgerCommand): LedgerFact[] => {
      const decision = decide(state, command, 1_000);
      if (!decision.accepted) throw new Error(decision.rejection.message);
      for (const fact of decision.events) {
        evolve(state, { ...fact, at: 1_000, actor: 'process', nonce: '0'.repeat(16) }, state.revision + 1);
      }
      return [...decision.events];
    };
    run({ type: 'GrantNova', userId: 'ann', adminId: 'root', amount: 10_000_00n });
    const smaller = decide(state, { type: 'SendGift', senderId: 'ann', recipientId: 'hal', amount: GIFT_MIN - 1n }, 1);
    expect(smaller.accepted).toBe(false);
    const [gift] = run({ type: 'SendGift', senderId: 'ann', recipientId: 'hal', amount: GIFT_MIN });
    const kept = gift?.type === 'GiftSent' ? gift.recipientShare : 0n;
    expect(leastCostOf({ rule: 'gifts_sent', target: 1n })).toBe(GIFT_MIN - kept);
    expect(leastCostOf({ rule: 'nova_earned', target: kept })).toBe(GIFT_MIN - kept);
  });

  test('is told where a reward is above it, and in no other case', () => {
    const of = (reward: bigint) => rewardWarning({ rule: 'chats_completed', target: 1n, reward });
    expect(of(156_25n)).toBeUndefined();
    expect(of(156_26n)).toBe(
      'Two members who work together can earn this reward at a cost of 156.25 Nova each. A higher reward pays them more than it costs.',
    );
  });
});
