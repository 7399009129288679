import type { ChatStatus, ChatView } from './chat-types';

export type ChatNews = 'accepted' | 'terminated';

/** Whether the other side terminated the chat. */
export const isTerminatedByOther = ({ status, terminatedBy, side }: ChatView): boolean =>
  status === 'terminated' && terminatedBy !== side;

/** News about what the other side did to a chat that had the status `before`; undefined if there is nothing to tell. */
export function newsOf(before: ChatStatus, chat: ChatView): ChatNews | undefined {
  if (before === chat.status) return undefined;
  if (isTerminatedByOther(chat)) return 'terminated';
  return before === 'requested' && chat.status === 'active' && chat.side === 'initiator' ? 'accepted' : undefined;
}
