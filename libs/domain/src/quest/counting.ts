import type { ChatEvent } from '../chat/events.js';
import type { LedgerEvent } from '../ledger/events.js';
import type { QuestRule } from './quest.js';

/** What an event adds to every running quest of a rule, for one member. */
export interface QuestStep {
  readonly userId: string;
  readonly rule: QuestRule;
  /** A number, or minor units of NOVA for `nova_earned`. */
  readonly amount: bigint;
}

const NOTHING: readonly QuestStep[] = [];

/** A chat counts for both once it is completed; a message for who sent it. */
export function questStepsOfChat(event: ChatEvent): readonly QuestStep[] {
  if (event.type === 'ChatMessageSent') return [{ userId: event.senderId, rule: 'messages_sent', amount: 1n }];
  if (event.type !== 'ChatCompleted') return NOTHING;
  return [event.initiatorId, event.hostId].map((userId) => ({ userId, rule: 'chats_completed', amount: 1n }));
}

/**
 * Nova earned is chat pay when it becomes the host's own, and gifts received: not rewards of quests or pools, grants, nor what
 * one's own application pays (`decisions.md`, Quests).
 */
export function questStepsOfLedger(event: LedgerEvent): readonly QuestStep[] {
  if (event.type === 'GiftSent') {
    return [
      { userId: event.senderId, rule: 'gifts_sent', amount: 1n },
      { userId: event.recipientId, rule: 'nova_earned', amount: event.recipientShare },
    ];
  }
  if (event.type === 'ChatRewardReleased' && event.amount > 0n) {
    return [{ userId: event.userId, rule: 'nova_earned', amount: event.amount }];
  }
  if (event.type === 'ChatPaymentSettled' && event.outcome === 'broken-off' && event.hostShare > 0n) {
    return [{ userId: event.hostId, rule: 'nova_earned', amount: event.hostShare }];
  }
  return NOTHING;
}
