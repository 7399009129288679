import type { Reversal } from './payment-store.js';

/** The ledger's keys for facts from the provider, so that each takes effect once (rule ledger-27). */
export const purchaseKey = (paymentIntentId: string): string => `stripe:${paymentIntentId}`;

export const disputeKey = (disputeId: string, state: 'opened' | 'won' | 'lost'): string =>
  `stripe:dispute:${disputeId}:${state}`;

export const reversalKey = ({ reversalId, reason }: Pick<Reversal, 'reversalId' | 'reason'>): string =>
  reason === 'refund' ? `stripe:refund:${reversalId}` : disputeKey(reversalId, 'lost');
