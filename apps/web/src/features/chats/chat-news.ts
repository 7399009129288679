import type { ChatStatus, ChatView } from './chat-types';

export type ChatNews = 'accepted' | 'terminated';

/** The other side broke the chat off. */
export const isTerminatedByOther = ({ status, terminatedBy, side }: ChatView): boolean =>
  status === 'terminated' && terminatedBy !== side;

/** What the other side has done to a chat whose status was another before, if it is to be told. */
export function newsOf(before: ChatStatus, chat: ChatView): ChatNews | undefined {
  if (before === chat.status) return undefined;
  if (isTerminatedByOther(chat)) return 'terminated';
  return before === 'requested' && chat.status === 'active' && chat.side === 'initiator' ? 'accepted' : undefined;
}
