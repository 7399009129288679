import type { AdminTransactionFilters } from './types';

/** Every query of the client by name. A shorter key is the prefix of longer ones, so invalidating it refreshes them all. */
export const queryKeys = {
  currentUser: ['/api/auth/user'],
  balance: ['/api/nova/balance'],
  statement: ['/api/nova/transactions'],
  statementOfType: (type: string) => ['/api/nova/transactions', { type }],
  event: (id: string) => ['/api/nova/transactions', id],
  gifts: ['/api/gifts/history'],
  giftPreview: (recipientId: string, amount: number) => ['/api/gifts/preview', { recipientId, amount }],
  userSearch: (query: string) => ['/api/users/search', { query }],
  quests: ['/api/quests'],
  questProgress: ['/api/quests', 'progress'],
  admin: ['/api/admin'],
  adminStats: ['/api/admin', 'stats'],
  adminUsers: (search: string, page: number) => ['/api/admin', 'users', { search, page }],
  adminTransactions: (filters: AdminTransactionFilters, page: number) => [
    '/api/admin',
    'transactions',
    { filters, page },
  ],
  adminQuests: (view: Readonly<Record<string, string | number | boolean>>) => ['/api/admin', 'quests', view],
  adminEvent: (id: string) => ['/api/admin', 'events', id],
} as const;
