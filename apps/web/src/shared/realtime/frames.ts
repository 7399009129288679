import type { Schemas } from '../api';

/** The frames of the live connection (rule realtime-6): plain JSON, the event's name beside its fields. */

export type ClientFrame =
  | { type: 'join_global'; userId: string }
  /** With `after`, what came after that message follows; null stands for the chat's beginning. */
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

/** What the server says, by type. */
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
  chat_nudged: { chatId: string; message: string };
  balance_changed: Record<string, never>;
  /** Amounts in Nova: `recipientShare` of the `amount` is mine. */
  gift_received: { giftId: string; senderId: string; senderName: string; amount: number; recipientShare: number };
  presence: { userId: string; isOnline: boolean };
  video_chat_started: { sessionId: string; chatId: string; startedBy: string };
  video_signal: { sessionId: string; chatId: string; from: string; signal: unknown };
  /** On another page of mine. */
  video_declined: { sessionId: string; chatId: string };
  video_ended: { sessionId: string; chatId: string; endedBy: string };
  /** Also said by this client itself when the connection fails (rule realtime-17). */
  error: ErrorFrame;
  pong: Record<string, never>;
}

export type ServerFrameType = keyof ServerFrames;
export type FrameHandler<T extends ServerFrameType> = (frame: ServerFrames[T]) => void;

/** A frame as it came, if it is an object with a type; its fields are the server's word. */
export function parseFrame(data: unknown): { type: string } | undefined {
  if (typeof data !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(data);
    if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
    return typeof value.type === 'string' ? (value as { type: string }) : undefined;
  } catch {
    // Not ours: unknown frames are ignored (rule realtime-16).
    return undefined;
  }
}
