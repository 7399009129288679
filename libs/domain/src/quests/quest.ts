import { FactCodec } from '../fact-codec.js';

/** The things that a quest can count (rule quests-1): chats, messages and gifts by number, Nova by amount. */
export const QUEST_RULES = ['chats_completed', 'messages_sent', 'nova_earned', 'gifts_sent'] as const;
export type QuestRule = (typeof QUEST_RULES)[number];

/** How long a reward can be claimed after the quest's end (rule quests-5). */
export const QUEST_CLAIM_MS = 24 * 60 * 60 * 1_000;
/** Our own limits for a quest's target and reward. */
export const QUEST_TARGET_MAX = 1_000_000_000;
export const QUEST_REWARD_MAX = 1_000_000n * 100n;
export const QUEST_REWARD_TOO_LARGE = 'Reward must be at most 1,000,000 Nova.';
/** Our own limits for a quest's texts, in code points. */
export const QUEST_TITLE_MAX = 100;
export const QUEST_DESCRIPTION_MAX = 500;
export const QUEST_MESSAGES = {
  missing: 'Please fill in all required fields.',
  reward: 'Reward must be a positive number.',
} as const;

/** An admin made a quest. Its title and description are in a row of this id. Times are milliseconds since 1970. */
export interface QuestCreated {
  readonly type: 'QuestCreated';
  readonly questId: string;
  readonly adminId: string;
  readonly rule: QuestRule;
  /** The target count; minor units for `nova_earned`. */
  readonly target: bigint;
  /** Minor units of NOVA. */
  readonly reward: bigint;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly at: number;
}

export const QUEST_STREAM_PREFIX = 'quest-';
export const questStream = (questId: string): string => `${QUEST_STREAM_PREFIX}${questId}`;

export interface QuestRejection {
  readonly code: 'INVALID_QUEST';
  readonly message: string;
}

export type QuestDecision = { readonly events: readonly QuestCreated[] } | { readonly rejection: QuestRejection };

/** Decides whether a quest can be created; repeating the command changes nothing. */
export function decideQuest(
  state: QuestCreated | undefined,
  quest: Omit<QuestCreated, 'type' | 'at'>,
  nowMs: number,
): QuestDecision {
  if (state) return { events: [] };
  if (quest.endsAt <= quest.startsAt) return refuse('A quest must end after it starts.');
  if (quest.endsAt <= nowMs) return refuse('A quest must end in the future.');
  if (quest.reward <= 0n) return refuse('Reward must be a positive number.');
  if (quest.reward > QUEST_REWARD_MAX) return refuse(QUEST_REWARD_TOO_LARGE);
  if (quest.target <= 0n) return refuse('The target must be a positive number.');
  return { events: [{ type: 'QuestCreated', ...quest, at: nowMs }] };
}

const refuse = (message: string): QuestDecision => ({ rejection: { code: 'INVALID_QUEST', message } });

/** When actions begin to count: a quest created after its start ignores earlier ones. */
export const countsFrom = ({ startsAt, at }: Pick<QuestCreated, 'startsAt' | 'at'>): number => Math.max(startsAt, at);

/** When a quest counts. */
export type Counting = Pick<QuestCreated, 'startsAt' | 'endsAt' | 'at'>;

/** Whether what happens at this time counts for a quest. */
export const isCounting = (quest: Counting, atMs: number): boolean => atMs >= countsFrom(quest) && atMs < quest.endsAt;

export type QuestPhase = 'scheduled' | 'active' | 'ended';

export function questPhase({ startsAt, endsAt }: Pick<QuestCreated, 'startsAt' | 'endsAt'>, nowMs: number): QuestPhase {
  if (nowMs < startsAt) return 'scheduled';
  return nowMs < endsAt ? 'active' : 'ended';
}

/** Whether a completed quest can still be claimed. */
export const isClaimable = ({ endsAt }: Pick<QuestCreated, 'endsAt'>, nowMs: number): boolean =>
  nowMs < endsAt + QUEST_CLAIM_MS;

const codec = new FactCodec<QuestCreated>({
  QuestCreated: {
    questId: 'text',
    adminId: 'text',
    rule: 'text',
    target: 'minor',
    reward: 'minor',
    startsAt: 'number',
    endsAt: 'number',
    at: 'number',
  },
});

/** The bytes of a quest event's data, as they are stored. */
export const encodeQuestEvent = (event: QuestCreated): string => codec.encode(event);

/** @throws UnreadableFact for what this version does not know */
export const decodeQuestEvent = (type: string, data: string): QuestCreated => codec.decode(type, data);
