import {
  countCharacters,
  DAY_MS,
  QUEST_DESCRIPTION_MAX,
  QUEST_MESSAGES,
  QUEST_REWARD_MAX,
  QUEST_REWARD_TOO_LARGE,
  QUEST_RULES,
  QUEST_TARGET_MAX,
  QUEST_TITLE_MAX,
  rewardWarning,
} from '@app/domain';
import { z } from 'zod';
import { formatCount, minorToNova, novaToMinor, parseNova } from '@/shared/api/nova';
import { serverNowMs } from '@/shared/api/server-clock';
import { fromLocalInput, toLocalInput } from './local-time';

/** The form's sentences, with the titles of their toasts (rule quests-7). */
const MISSING = { title: 'Missing Information', sentence: QUEST_MESSAGES.missing } as const;
const INVALID_REWARD = { title: 'Invalid Reward', sentence: QUEST_MESSAGES.reward } as const;

const REWARD_MAX_NOVA = minorToNova(Number(QUEST_REWARD_MAX));
const MINUTE_MS = 60_000;

const text = (max: number, what: string) =>
  z
    .string()
    .trim()
    .min(1, `Enter a ${what}.`)
    .refine((value) => countCharacters(value) <= max, `The ${what} must have at most ${max} characters.`);

const moment = z.string().refine((value) => fromLocalInput(value) !== null, 'Choose a day and a time.');

/** What is wrong with a reward; undefined if nothing is. */
function rewardProblem(value: string): string | undefined {
  const nova = parseNova(value);
  if (nova === null || nova <= 0) return INVALID_REWARD.sentence;
  return nova > REWARD_MAX_NOVA ? QUEST_REWARD_TOO_LARGE : undefined;
}

/** What an admin types for a new quest; the server checks it again. */
export const questSchema = z
  .object({
    title: text(QUEST_TITLE_MAX, 'title'),
    description: text(QUEST_DESCRIPTION_MAX, 'description'),
    type: z.enum(QUEST_RULES),
    target: z.string(),
    reward: z.string().refine((value) => rewardProblem(value) === undefined, {
      error: ({ input }) => rewardProblem(String(input)),
    }),
    startTime: moment,
    endTime: moment,
  })
  .superRefine(({ type, target, startTime, endTime }, context) => {
    const complain = (field: 'target' | 'endTime', message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    const count = parseNova(target);
    if (count === null || count <= 0) complain('target', 'Enter a positive number.');
    else if (count > QUEST_TARGET_MAX) complain('target', `Enter at most ${formatCount(QUEST_TARGET_MAX)}.`);
    else if (type !== 'nova_earned' && !Number.isInteger(count)) complain('target', 'Enter a whole number.');
    const [start, end] = [fromLocalInput(startTime), fromLocalInput(endTime)];
    if (start === null || end === null) return;
    if (end <= start) complain('endTime', 'The end must come after the start.');
    else if (end <= serverNowMs()) complain('endTime', 'The end must be in the future.');
  });

export type QuestDraft = z.infer<typeof questSchema>;

/** A draft for a quest of one day from now. */
export function emptyDraft(nowMs: number): QuestDraft {
  const start = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  return {
    title: '',
    description: '',
    type: 'messages_sent',
    target: '10',
    reward: '100',
    startTime: toLocalInput(start),
    endTime: toLocalInput(start + DAY_MS),
  };
}

/** The body of `POST /api/admin/quests`, from a draft that passed the schema. */
export const toNewQuest = ({ title, description, type, target, reward, startTime, endTime }: QuestDraft) => ({
  title: title.trim(),
  description: description.trim(),
  reward: parseNova(reward) ?? 0,
  startTime: new Date(fromLocalInput(startTime) ?? 0).toISOString(),
  endTime: new Date(fromLocalInput(endTime) ?? 0).toISOString(),
  rules: { type, target: parseNova(target) ?? 0 },
});

/** The complaint about a refused draft, for the toast. */
export function complaintOf(draft: QuestDraft): { title: string; sentence: string } {
  const { title, description, reward, startTime, endTime, target } = draft;
  if ([title, description, reward, startTime, endTime, target].some((value) => value.trim() === '')) return MISSING;
  const sentence = rewardProblem(reward);
  if (sentence !== undefined) return { title: INVALID_REWARD.title, sentence };
  return { title: 'Invalid Quest', sentence: 'Please correct the marked fields.' };
}

/**
 * A warning about the reward from what is typed so far; undefined if there is none, or while the goal or the reward is
 * incomplete.
 */
export function warningOf({
  type,
  target,
  reward,
}: Pick<QuestDraft, 'type' | 'target' | 'reward'>): string | undefined {
  const [count, nova] = [parseNova(target), parseNova(reward)];
  if (count === null || count <= 0 || nova === null || nova <= 0) return undefined;
  if (type !== 'nova_earned' && !Number.isInteger(count)) return undefined;
  const goal = BigInt(type === 'nova_earned' ? novaToMinor(count) : count);
  return rewardWarning({ rule: type, target: goal, reward: BigInt(novaToMinor(nova)) });
}
