import { expect, it } from '@jest/globals';
import { inPlaces, questEntries, questSummary } from './quest-entries';
import type { Quest, QuestProgress } from './quest-types';

const quest = (id: string, more: Partial<Quest> = {}): Quest => ({
  id,
  title: id,
  description: '',
  reward: 10,
  startTime: '2026-03-01T00:00:00Z',
  endTime: '2026-03-02T00:00:00Z',
  isActive: true,
  status: 'active',
  rules: { type: 'gifts_sent', target: 3 },
  ...more,
});

const mine = (questId: string, count: number, more: Partial<QuestProgress> = {}): QuestProgress => ({
  questId,
  isCompleted: false,
  rewardClaimed: false,
  countersJSON: { gifts_sent: count },
  percent: 0,
  claimableUntil: '2026-03-03T00:00:00Z',
  ...more,
});

const ended = { isActive: false, status: 'expired' } as const;

it('puts what waits for me first, then what ends soonest, what is over last', () => {
  const quests = [
    quest('missed', ended),
    quest('claimed'),
    quest('later', { endTime: '2026-03-05T00:00:00Z' }),
    quest('soon'),
    quest('waits', ended),
  ];
  const progress = [
    mine('claimed', 3, { isCompleted: true, rewardClaimed: true }),
    mine('waits', 3, { isCompleted: true }),
  ];
  expect(inPlaces(questEntries(quests, progress), new Map()).map(({ quest: { id }, state }) => [id, state])).toEqual([
    ['waits', 'claimable'],
    ['soon', 'in progress'],
    ['later', 'in progress'],
    ['claimed', 'claimed'],
    ['missed', 'missed'],
  ]);
});

it('leaves a quest in its place when it is completed or claimed before one’s eyes', () => {
  const quests = [quest('a'), quest('b', { endTime: '2026-03-05T00:00:00Z' })];
  const claimed = questEntries(quests, [mine('b', 3, { isCompleted: true, rewardClaimed: true })]);
  const ids = (seen: Parameters<typeof inPlaces>[1]) => inPlaces(claimed, seen).map((entry) => entry.quest.id);
  expect(ids(new Map([['b', 'claimable']]))).toEqual(['b', 'a']);
  expect(ids(new Map())).toEqual(['a', 'b']);
});

it.each([
  [0, 0],
  [1, 33],
  [2.999, 99],
  [3, 100],
  [7, 100],
])('shows %d of 3 as %d per cent', (count, percent) => {
  const [entry] = questEntries([quest('a')], [mine('a', count)]);
  expect(entry?.progress).toEqual({ current: count, percent, claimableUntil: '2026-03-03T00:00:00Z' });
});

it('shows nothing done before progress has come', () => {
  const one = quest('a', { rules: { type: 'gifts_sent', target: 1 } });
  expect(questEntries([one], [mine('a', 1)])[0]?.progress?.percent).toBe(100);
  expect(questEntries([one], undefined)[0]).toMatchObject({ state: 'in progress', progress: undefined });
  expect(questEntries([one], [])[0]?.progress).toMatchObject({ current: 0, percent: 0 });
});

it('sums up what is done, claimed and open', () => {
  const quests = [quest('a'), quest('b'), quest('c', ended)];
  const progress = [
    mine('a', 3, { isCompleted: true, rewardClaimed: true }),
    mine('b', 1),
    mine('c', 3, { isCompleted: true }),
  ];
  expect(questSummary(quests, progress)).toEqual({ completed: 2, claimed: 1, available: 2 });
});
