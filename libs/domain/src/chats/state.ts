import type { ChatCounts, ChatSide, TerminationCause } from './events.js';
import type { MessageIds } from './message-ids.js';

export const CHAT_STATUSES = [
  'requested',
  'active',
  'successful',
  'completed',
  'declined',
  'expired',
  'terminated',
] as const;
/** Requested → active → successful → completed, or declined, expired, terminated (rule chats-1). */
export type ChatStatus = (typeof CHAT_STATUSES)[number];

/** The state of one chat, from its events. `evolveChat` returns the next state and leaves this one unchanged. */
export interface ChatState {
  readonly chatId: string;
  readonly initiatorId: string;
  readonly hostId: string;
  /** Minor units of NOVA; 0 for a request that was abandoned before it began. */
  readonly price: bigint;
  readonly status: ChatStatus;
  /** The payment was held and no request followed; its status is `expired`. */
  readonly abandoned: boolean;
  /** Time of the last event. All times are milliseconds since 1970. */
  readonly at: number;
  readonly requestedAt: number;
  readonly acceptBy: number;
  readonly acceptedAt: number | undefined;
  /** The host's first message is due by then. */
  readonly verifyBy: number | undefined;
  readonly hostHasWritten: boolean;
  readonly counts: ChatCounts;
  /** An initiator's message waits for the host's: the next one makes an exchange. */
  readonly awaitsHost: boolean;
  readonly lastMessageAt: number | undefined;
  readonly lastSide: ChatSide | undefined;
  /** Rows of text that have their event. */
  readonly messageIds: MessageIds;
  readonly nudgedAt: { readonly [S in ChatSide]?: number };
  readonly verified: { readonly [S in ChatSide]?: boolean };
  readonly ratings: { readonly [S in ChatSide]?: number };
  readonly rateBy: number | undefined;
  readonly terminated: { readonly by: ChatSide; readonly cause: TerminationCause; readonly due: bigint } | undefined;
  /** Both rated high enough for a thread; known once completed. */
  readonly thread: boolean;
}

/** The side that a member has in this chat, or undefined for a stranger. */
export function sideOf(
  { initiatorId, hostId }: Pick<ChatState, 'initiatorId' | 'hostId'>,
  memberId: string,
): ChatSide | undefined {
  if (memberId === initiatorId) return 'initiator';
  return memberId === hostId ? 'host' : undefined;
}

export const otherSide = (side: ChatSide): ChatSide => (side === 'host' ? 'initiator' : 'host');
