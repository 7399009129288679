import type { ChatEvent, ChatMessageSent, ChatSide, ChatSucceeded } from '../chats/events.js';
import type { LedgerEvent } from '../ledger/events.js';
import { rulesOf } from '../ledger/movements/registry.js';
import { FactCodec } from '../fact-codec.js';
import { type Counting, isCounting, type QuestRule } from './quest.js';

/** An event's contribution to every running quest of a rule, for one member. */
export interface QuestStep {
  readonly userId: string;
  readonly rule: QuestRule;
  /** A number, or minor units of NOVA for `nova_earned`. */
  readonly amount: bigint;
}

const NOTHING: readonly QuestStep[] = [];

/** A chat counts for both once it is completed. Its messages: see `WaitingMessages`. */
export function questStepsOfChat(event: ChatEvent): readonly QuestStep[] {
  if (event.type !== 'ChatCompleted') return NOTHING;
  return [event.initiatorId, event.hostId].map((userId) => ({ userId, rule: 'chats_completed', amount: 1n }));
}

/**
 * Each movement defines its contribution. Nova earned is chat pay once released and gifts received, not rewards of
 * quests or pools, grants, or payments by one's own application.
 */
export const questStepsOfLedger = (event: LedgerEvent): readonly QuestStep[] =>
  rulesOf(event).quests?.(event) ?? NOTHING;

/**
 * From this event on, a message counts when its chat is successful; before it, messages counted when they were sent,
 * and those counts stay. It is the only event of its stream, appended by the first server that counts in the new way,
 * so that every reader of the whole journal counts the same.
 */
export interface MessagesCountOnceSuccessful {
  readonly type: 'MessagesCountOnceSuccessful';
  /** Milliseconds since 1970. */
  readonly at: number;
}

export const QUEST_COUNTING_STREAM = 'counting-messages';

const codec = new FactCodec<MessagesCountOnceSuccessful>({ MessagesCountOnceSuccessful: { at: 'number' } });

/** The bytes of the event's data, as they are stored. */
export const encodeQuestCountingEvent = (event: MessagesCountOnceSuccessful): string => codec.encode(event);

/** @throws UnreadableFact for what this version does not know */
export const decodeQuestCountingEvent = (type: string, data: string): MessagesCountOnceSuccessful =>
  codec.decode(type, data);

/** Messages of one chat that count once it is successful: how many each side sent while a quest ran, by the quest's id. */
export type WaitingMessages = ReadonlyMap<string, Readonly<Record<ChatSide, number>>>;

/** A quest that counts messages. */
export type MessagesQuest = Counting & { readonly questId: string };

/** The waiting counts after a message. */
export function messageWaits(
  waiting: WaitingMessages,
  { side, at }: ChatMessageSent,
  quests: readonly MessagesQuest[],
): WaitingMessages {
  const after = new Map(waiting);
  for (const quest of quests) {
    if (!isCounting(quest, at)) continue;
    const { initiator, host } = after.get(quest.questId) ?? { initiator: 0, host: 0 };
    after.set(quest.questId, side === 'host' ? { initiator, host: host + 1 } : { initiator: initiator + 1, host });
  }
  return after;
}

/** The counts of the waiting messages, now that their chat is successful, in quests that still run. */
export function messagesCounted(
  waiting: WaitingMessages,
  { initiatorId, hostId, at }: ChatSucceeded,
  quests: readonly MessagesQuest[],
): readonly { readonly questId: string; readonly userId: string; readonly amount: bigint }[] {
  return quests.flatMap((quest) => {
    const { initiator = 0, host = 0 } = (isCounting(quest, at) && waiting.get(quest.questId)) || {};
    const { questId } = quest;
    const steps = [
      { questId, userId: initiatorId, amount: BigInt(initiator) },
      { questId, userId: hostId, amount: BigInt(host) },
    ];
    return steps.filter(({ amount }) => amount > 0n);
  });
}
