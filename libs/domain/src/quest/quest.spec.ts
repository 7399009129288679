import type { ChatEvent } from '../chat/events.js';
import type { LedgerEvent } from '../ledger/events.js';
import { questStepsOfChat, questStepsOfLedger } from './counting.js';
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

test('messages count for who sent them, completed chats for both', () => {
  const chat = { chatId: 'c', initiatorId: 'ann', hostId: 'hal', at: 1 };
  const sent = { type: 'ChatMessageSent', ...chat, senderId: 'ann' } as unknown as ChatEvent;
  expect(questStepsOfChat(sent)).toEqual([{ userId: 'ann', rule: 'messages_sent', amount: 1n }]);
  const completed = { type: 'ChatCompleted', ...chat } as unknown as ChatEvent;
  expect(questStepsOfChat(completed).map(({ userId, rule }) => [userId, rule])).toEqual([
    ['ann', 'chats_completed'],
    ['hal', 'chats_completed'],
  ]);
  const accepted = { type: 'ChatAccepted', ...chat } as unknown as ChatEvent;
  expect(questStepsOfChat(accepted)).toEqual([]);
});
