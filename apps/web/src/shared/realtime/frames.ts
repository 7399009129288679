import type { Schemas } from '../api';

/** The frames of the live connection (rule realtime-6): plain JSON, with the event's name beside its fields. */

export type ClientFrame =
  | { type: 'join_global'; userId: string }
  /** With `after`, the messages after that one follow; null means from the chat's beginning. */
  | { type: 'join_chat'; chatId: string; after?: string | null }
  | { type: 'typing_start' | 'typing_stop'; chatId: string }
  | { type: 'chat_message'; chatId: string; text: string; clientMessageId?: string }
  | { type: 'video_start'; chatId: string }
  | { type: 'video_signal'; chatId: string; sessionId: string; signal: unknown }
  | { type: 'video_decline' | 'video_end'; chatId: string; sessionId: string }
  | { type: 'ping' };

export type ChatMessage = Schemas['MessageViewDto'];

export type ExchangeProgress = Schemas['ExchangeProgressDto'];

export interface ErrorFrame {
  message: string;
  code: string;
  chatId?: string;
  clientMessageId?: string;
}

/** The server's frames, by type. */
export interface ServerFrames {
  joined_global: { userId: string };
  joined: { chatId: string };
  new_message: { message: ChatMessage; exchangeProgress: ExchangeProgress };
  user_typing: { chatId: string; userId: string; typing: boolean };
  message_ack: { clientMessageId: string | null; id: string };
  chat_requested: { chatId: string; message: string };
  chat_accepted: { chatId: string; message: string };
  chat_updated: { chatId: string; status: string };
  chat_ended: { chatId: string; status: string };
  chat_terminated: { chatId: string; terminatedBy: string };
  /** The member has read the chat until then, on one of their devices. */
  chat_read: { chatId: string; readThrough: string };
  chat_nudged: { chatId: string; message: string };
  balance_changed: Record<string, never>;
  /** Amounts are in Nova; the member gets `recipientShare` of the `amount`. */
  gift_received: { giftId: string; senderId: string; senderName: string; amount: number; recipientShare: number };
  notices_changed: Record<string, never>;
  presence: { userId: string; isOnline: boolean };
  /** A call rings at the other side's pages, or the other side's call is answered. */
  video_chat_started: {
    sessionId: string;
    chatId: string;
    startedBy: string;
    starter: Schemas['ChatPartyDto'];
    ringsUntil: string;
  };
  video_signal: { sessionId: string; chatId: string; from: string; signal: unknown };
  /** Ends the call, unless it was answered on another page. */
  video_declined: { sessionId: string; chatId: string; declinedBy: string };
  video_ended: { sessionId: string; chatId: string; endedBy: string };
  /** This client itself also emits it when the connection fails (rule realtime-17). */
  error: ErrorFrame;
  pong: Record<string, never>;
}

export type ServerFrameType = keyof ServerFrames;
export type FrameHandler<T extends ServerFrameType> = (frame: ServerFrames[T]) => void;

/** The frame, if it is an object with a type; its fields are not checked. */
export function parseFrame(data: unknown): { type: string } | undefined {
  if (typeof data !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(data);
    if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
    return typeof value.type === 'string' ? (value as { type: string }) : undefined;
  } catch {
    // Not a known frame, so it is ignored (rule realtime-16).
    return undefined;
  }
}
