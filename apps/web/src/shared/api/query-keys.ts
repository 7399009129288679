/**
 * Keys of queries that more than one area reads or refreshes; each area defines its other keys itself. A shorter key is
 * the prefix of longer ones, so invalidating it refreshes them all.
 */
export const queryKeys = {
  currentUser: ['/api/auth/user'],
  securityNotices: ['/api/auth/security-notices'],
  balance: ['/api/nova/balance'],
  statement: ['/api/nova/transactions'],
  statementOf: (filter: object) => ['/api/nova/transactions', filter],
  monthStatement: (month: string) => ['/api/nova/statement', { month }],
  event: (id: string) => ['/api/nova/transactions', id],
  gifts: ['/api/gifts/history'],
  giftPreview: (recipientId: string, amount: number) => ['/api/gifts/preview', { recipientId, amount }],
  userSearch: (query: string) => ['/api/users/search', { query }],
  quests: ['/api/quests'],
  questProgress: ['/api/quests', 'progress'],
  admin: ['/api/admin'],
} as const;

/** Everything that shows how much Nova a member has and where it came from. */
export const moneyKeys = [queryKeys.currentUser, queryKeys.balance, queryKeys.statement, queryKeys.gifts] as const;
