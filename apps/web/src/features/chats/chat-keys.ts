/** Query keys of paid chats. */
export const chatKeys = {
  /** Matches every single chat. */
  chats: ['/api/chats'],
  chat: (chatId: string) => ['/api/chats', chatId],
  mine: ['/api/chats/mine'],
  pendingRequests: ['/api/chats/pending-requests'],
  inboundPriority: ['/api/chats/inbound-priority'],
  history: ['/api/chats/completed-history'],
  payoutTotals: ['/api/chats/completed-history', 'totals'],
  dashboard: ['/api/status/dashboard'],
  pendingRatings: ['/api/status/pending-ratings'],
  novaBreakdown: ['/api/status/nova-breakdown'],
} as const;
