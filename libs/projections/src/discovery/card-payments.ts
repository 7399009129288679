import type { FactOf, LedgerEvent, Stamp } from '@app/domain';

/** A payment for something on a member's profile card. Half of it goes to that member. */
export type CardPayment = FactOf<'CardUnlocked' | 'CardUpvoted' | 'CardNavigated' | 'WallCommentPaid'> & Stamp;

const PAYMENTS: ReadonlySet<string> = new Set<CardPayment['type']>([
  'CardUnlocked',
  'CardUpvoted',
  'CardNavigated',
  'WallCommentPaid',
]);

const isCardPayment = (event: LedgerEvent): event is CardPayment => PAYMENTS.has(event.type);

/** The event if it is a card payment, else undefined. */
export const cardPayment = (event: LedgerEvent | undefined): CardPayment | undefined =>
  event && isCardPayment(event) ? event : undefined;
