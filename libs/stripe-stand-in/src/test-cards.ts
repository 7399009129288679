/** What one of Stripe's test payment methods does when it is confirmed. */
export type TestCardOutcome =
  | { readonly kind: 'succeeds'; readonly dispute?: { readonly reason: string; readonly inquiry: boolean } }
  | { readonly kind: 'declined'; readonly code: string; readonly declineCode: string | null; readonly message: string };

const declined = (declineCode: string, message: string): TestCardOutcome => ({
  kind: 'declined',
  code: 'card_declined',
  declineCode,
  message,
});
const refused = (code: string, message: string): TestCardOutcome => ({
  kind: 'declined',
  code,
  declineCode: null,
  message,
});

const SUCCEEDS: TestCardOutcome = { kind: 'succeeds' };
const DECLINED = declined('generic_decline', 'Your card was declined.');
const INSUFFICIENT_FUNDS = declined('insufficient_funds', 'Your card has insufficient funds.');
const LOST = declined('lost_card', 'Your card was declined.');
const STOLEN = declined('stolen_card', 'Your card was declined.');
const EXPIRED = refused('expired_card', 'Your card has expired.');
const INCORRECT_CVC = refused('incorrect_cvc', "Your card's security code is incorrect.");
const PROCESSING_ERROR = refused(
  'processing_error',
  'An error occurred while processing your card. Try again in a little bit.',
);

/** Stripe's test cards by the names that Stripe documents, older spellings included. */
const TEST_CARDS: ReadonlyMap<string, TestCardOutcome> = new Map([
  ['pm_card_visa', SUCCEEDS],
  ['pm_card_visa_debit', SUCCEEDS],
  ['pm_card_mastercard', SUCCEEDS],
  ['pm_card_amex', SUCCEEDS],
  ['pm_card_discover', SUCCEEDS],
  ['pm_card_chargeDeclined', DECLINED],
  ['pm_card_visa_chargeDeclined', DECLINED],
  ['pm_card_chargeDeclinedInsufficientFunds', INSUFFICIENT_FUNDS],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', INSUFFICIENT_FUNDS],
  ['pm_card_chargeDeclinedLostCard', LOST],
  ['pm_card_visa_chargeDeclinedLostCard', LOST],
  ['pm_card_chargeDeclinedStolenCard', STOLEN],
  ['pm_card_visa_chargeDeclinedStolenCard', STOLEN],
  ['pm_card_chargeDeclinedExpiredCard', EXPIRED],
  ['pm_card_chargeDeclinedIncorrectCvc', INCORRECT_CVC],
  ['pm_card_chargeDeclinedProcessingError', PROCESSING_ERROR],
  ['pm_card_createDispute', { kind: 'succeeds', dispute: { reason: 'fraudulent', inquiry: false } }],
  [
    'pm_card_createDisputeProductNotReceived',
    { kind: 'succeeds', dispute: { reason: 'product_not_received', inquiry: false } },
  ],
  ['pm_card_createDisputeInquiry', { kind: 'succeeds', dispute: { reason: 'fraudulent', inquiry: true } }],
]);

export const testCard = (paymentMethod: string): TestCardOutcome | undefined => TEST_CARDS.get(paymentMethod);
