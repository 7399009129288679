import type { ChatStatus, ChatView } from './chat-types';

/** Whether the other side terminated the chat. */
export const isTerminatedByOther = ({ status, terminatedBy, side }: ChatView): boolean =>
  status === 'terminated' && terminatedBy !== side;

/** Whether the other side has terminated the chat since it had the status `before`. */
export const isTerminatedSince = (before: ChatStatus, chat: ChatView): boolean =>
  before !== chat.status && isTerminatedByOther(chat);
