import { useInboundChats } from '@/features/status';

/** How many priority chats wait for the member, for the label of the Status tab (rule screens-6). */
export function useInboundChatCount(): number {
  return useInboundChats().data?.length ?? 0;
}
