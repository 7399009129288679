import type { ChatSummary } from '@/features/chats';

/** The open chat with each member, of whom one may ask no other meanwhile; one that only waits for a rating is over. */
export const openChatsByMember = (chats: readonly ChatSummary[] = []): ReadonlyMap<string, string> =>
  new Map(
    chats
      .filter(({ status }) => status === 'requested' || status === 'active')
      .map(({ id, otherUser }) => [otherUser.id, id]),
  );
