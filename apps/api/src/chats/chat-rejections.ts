import type { ChatRejection, ChatRejectionCode } from '@app/domain';
import { AppError } from '../platform/errors/app-error.js';

/** A chat's refusals as HTTP statuses (rule general-6). */
const STATUS: Record<ChatRejectionCode, number> = {
  CHAT_NOT_FOUND: 404,
  CHAT_EXISTS: 409,
  SELF_CHAT: 400,
  NOT_HOST: 403,
  CHAT_NOT_REQUESTED: 409,
  CHAT_REQUEST_EXPIRED: 409,
  CHAT_NOT_ACTIVE: 409,
  CHAT_ENDED: 409,
  CHAT_NOT_SUCCESSFUL: 409,
  VERIFICATION_CONTRADICTED: 409,
  NUDGED_ALREADY: 429,
  INVALID_MESSAGE: 400,
  CHAT_FULL: 409,
  INVALID_RATING: 400,
  ALREADY_RATED: 409,
  RATING_CLOSED: 409,
};

/** The refusal as an answer. @param nowMs what `notBefore` is measured from, for `Retry-After` */
export function chatRejectionError({ code, message, notBefore }: ChatRejection, nowMs: number): AppError {
  if (notBefore === undefined) return new AppError(STATUS[code], code, message);
  const retryAfterSeconds = Math.max(1, Math.ceil((notBefore - nowMs) / 1_000));
  return new AppError(STATUS[code], code, message, {
    retryAfterSeconds,
    extra: { notBefore: new Date(notBefore).toISOString() },
  });
}

/** A stranger learns no more than that there is nothing for them (rule chats-19). */
export const chatNotFound = (): AppError =>
  new AppError(404, 'CHAT_NOT_FOUND', "This chat may have been deleted or you don't have access to it.");
