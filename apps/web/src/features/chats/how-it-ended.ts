import { isolated } from '@app/domain';
import { sayAmount } from '@/shared/api';
import { meIn, otherIn } from './chat-sides';
import type { ChatParty, ChatView } from './chat-types';

/** One sentence about how a chat ended. */
export function howItEnded(chat: ChatView): string {
  const other = otherIn(chat);
  const back = chat.side === 'initiator' ? 'You got your Nova back.' : 'The initiator got the Nova back.';
  switch (chat.status) {
    case 'successful':
      if (chat.myRating === null) return 'This chat was a success. Rate it to receive your reward.';
      return `You rated this chat. It is complete when ${isolated(other.displayName)} has rated as well.`;
    case 'completed':
      return 'This chat is complete: both rewards have been paid.';
    case 'declined':
      return `${nameFor(chat, chat.host)} declined this request. ${back}`;
    case 'expired':
      return `${nameFor(chat, chat.host)} did not answer in time. ${back}`;
    case 'terminated':
      if (chat.refunded === null || chat.refunded >= chat.price) return `${whyTerminated(chat)}. ${back}`;
      return `${whyTerminated(chat)}: ${sayAmount(chat.refunded)} of ${sayAmount(chat.price)} went back.`;
    case 'requested':
    case 'active':
      return '';
  }
}

/** Who terminated the chat, or which deadline they missed; without the full stop. */
export function whyTerminated(chat: ChatView): string {
  const { host, initiator, terminatedBy, terminationCause } = chat;
  const who = nameFor(chat, terminatedBy === 'host' ? host : initiator);
  switch (terminationCause) {
    case 'no-first-message':
      return `${who} did not write within 3 minutes, so this chat ended`;
    case 'idle':
      return `${who} did not reply for 24 hours, so this chat ended`;
    case 'exit':
    case 'account-closing':
    case null:
      return `${who} ended this chat`;
  }
}

/** The name of a side as the member reads it. */
const nameFor = (chat: ChatView, { id, displayName }: ChatParty): string =>
  id === meIn(chat).id ? 'You' : isolated(displayName);
