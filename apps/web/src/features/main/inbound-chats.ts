/** How many priority chats wait for me, for the label of the Status tab (S0 §2). Chats cannot be requested yet: none. */
export function useInboundChatCount(): number {
  return 0;
}
