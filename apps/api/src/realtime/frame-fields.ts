import { chatNotFound } from '../chats/chat-rejections.js';
import { AppError } from '../platform/errors/app-error.js';
import { isUuid } from '../platform/uuid.js';
import type { Payload } from './live-socket.js';

/** An id of ours in a frame, in lower case as ids are compared. */
export function idOf(payload: Payload, field: string): string {
  const value = payload[field];
  if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
  throw new AppError(400, 'INVALID_FRAME', `The frame needs a ${field}.`);
}

/** A chat's id: anything that is no id names no chat. */
export function chatIdOf({ chatId }: Payload): string {
  if (typeof chatId === 'string' && isUuid(chatId)) return chatId.toLowerCase();
  throw chatNotFound();
}
