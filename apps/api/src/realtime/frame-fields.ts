import { AppError } from '../platform/errors/app-error.js';
import type { Payload } from './live-socket.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An id of ours in a frame, in lower case as ids are compared. */
export function idOf(payload: Payload, field: string): string {
  const value = payload[field];
  if (typeof value === 'string' && UUID.test(value)) return value.toLowerCase();
  throw new AppError(400, 'INVALID_FRAME', `The frame needs a ${field}.`);
}

/** A chat's id: anything that is no id names no chat. */
export function chatIdOf({ chatId }: Payload): string {
  if (typeof chatId === 'string' && UUID.test(chatId)) return chatId.toLowerCase();
  throw new AppError(404, 'CHAT_NOT_FOUND', 'This chat was not found.');
}
