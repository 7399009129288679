import { expect, it } from '@jest/globals';
import { DAY_MS } from '@app/domain';
import { learnServerTime } from '@/shared/api/server-clock';
import { fromLocalInput, toLocalInput } from './local-time';
import { complaintOf, emptyDraft, questSchema, toNewQuest, type QuestDraft, warningOf } from './quest-schema';

const NOW = Date.now();
const draft = (more: Partial<QuestDraft> = {}): QuestDraft => ({
  ...emptyDraft(NOW),
  title: 'Say hello',
  description: 'Send messages.',
  ...more,
});

const complaints = (more: Partial<QuestDraft>): string[] => {
  const read = questSchema.safeParse(draft(more));
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

it('lasts a day from now on where nothing else is said', () => {
  expect(complaints({})).toEqual([]);
  const { startTime, endTime, ...rest } = toNewQuest(draft({ reward: '1,250.50', title: ' Say hello ' }));
  expect(rest).toEqual({
    title: 'Say hello',
    description: 'Send messages.',
    reward: 1_250.5,
    rules: { type: 'messages_sent', target: 10 },
  });
  expect(Date.parse(endTime) - Date.parse(startTime)).toBe(86_400_000);
  expect(NOW - Date.parse(startTime)).toBeLessThan(60_000);
});

it.each(['', '0', '-5', 'abc', '1.005'])('refuses the reward %j', (reward) => {
  expect(complaints({ reward })).toEqual(['reward: Reward must be a positive number.']);
});

it('says of a reward that is too large how much it may be', () => {
  expect(complaints({ reward: '1,000,000' })).toEqual([]);
  expect(complaints({ reward: '1000000.01' })).toEqual(['reward: Reward must be at most 1,000,000 Nova.']);
  expect(complaintOf(draft({ reward: '1000000.01' })).sentence).toBe('Reward must be at most 1,000,000 Nova.');
});

it('refuses targets that cannot be reached', () => {
  for (const target of ['', '0', '-1', 'x'])
    expect(complaints({ target })).toEqual(['target: Enter a positive number.']);
  expect(complaints({ target: '1000000001' })).toEqual(['target: Enter at most 1,000,000,000.']);
  expect(complaints({ target: '1.5' })).toEqual(['target: Enter a whole number.']);
  expect(complaints({ target: '1.5', type: 'nova_earned' })).toEqual([]);
});

it('refuses an end before the start, and one that is over', () => {
  const at = (ms: number) => toLocalInput(NOW + ms);
  expect(complaints({ startTime: at(7_200_000), endTime: at(3_600_000) })).toEqual([
    'endTime: The end must come after the start.',
  ]);
  expect(complaints({ startTime: at(-7_200_000), endTime: at(-3_600_000) })).toEqual([
    'endTime: The end must be in the future.',
  ]);
  expect(complaints({ endTime: '' })).toEqual(['endTime: Choose a day and a time.']);
});

it('goes by the server’s time, from which the form’s own times are, not by this device’s', () => {
  const device = Date.now();
  const server = device - 3 * DAY_MS;
  try {
    learnServerTime(new Date(server).toUTCString(), device, device);
    expect(complaints({ ...emptyDraft(server), title: 'Say hello', description: 'Send messages.' })).toEqual([]);
  } finally {
    learnServerTime(new Date(device).toUTCString(), device, device);
  }
});

it('says what is wrong as the specification does', () => {
  expect(complaintOf(draft({ title: ' ' })).title).toBe('Missing Information');
  expect(complaintOf(draft({ reward: '' })).title).toBe('Missing Information');
  expect(complaintOf(draft({ reward: '-5' })).title).toBe('Invalid Reward');
  expect(complaintOf(draft({ target: '0' })).title).toBe('Invalid Quest');
  expect(complaints({ title: 'ü'.repeat(101) })).toEqual(['title: The title must have at most 100 characters.']);
});

it('reads local times back as they were written', () => {
  const minute = Math.floor(NOW / 60_000) * 60_000;
  expect(fromLocalInput(toLocalInput(minute))).toBe(minute);
  expect(fromLocalInput('')).toBeNull();
  expect(fromLocalInput('soon')).toBeNull();
});

it.each<[QuestDraft['type'], string, string, string | undefined]>([
  ['chats_completed', '1', '156.25', undefined],
  ['chats_completed', '1', '157', '156.25'],
  ['messages_sent', '10', '100', undefined],
  ['messages_sent', '2501', '1,000', '312.50'],
  ['gifts_sent', '3', '1500.01', '1,500'],
  ['nova_earned', '10.50', '11', '10.50'],
  ['nova_earned', '10.50', '10.50', undefined],
])('warns of a quest for %s × %s that pays %s', (type, target, reward, cost) => {
  const warning = warningOf({ type, target, reward });
  if (cost === undefined) expect(warning).toBeUndefined();
  else expect(warning).toContain(`at a cost of ${cost} Nova each`);
});

it.each<[QuestDraft['type'], string, string]>([
  ['chats_completed', '1.5', '9999'],
  ['chats_completed', '', '9999'],
  ['chats_completed', '1', ''],
  ['chats_completed', '-1', 'x'],
])('warns of nothing while it is half typed: %s × %j that pays %j', (type, target, reward) => {
  expect(warningOf({ type, target, reward })).toBeUndefined();
});
