/** The provider's ids, and ours. */
export const LINE_ID = /^[\w-]{1,100}$/;

/** The verdict on a line of the provider's books or an event of ours. */
export interface Verdict {
  readonly status: 'matched' | 'explained' | 'flagged';
  /** Why there is a difference, as a stable word; null if there is none. */
  readonly code: string | null;
  /** The same as a sentence. */
  readonly note: string | null;
  readonly eventId: string | null;
}

export const matched = (eventId: string | null): Verdict => ({ status: 'matched', code: null, note: null, eventId });

const EXPLANATIONS = {
  IN_TRANSIT: 'The provider has it and the ledger does not yet. Webhooks and the settlement take a while.',
  RETURNED: 'The account was closed meanwhile: nothing was credited, and the payer gets the payment back.',
  DISPUTE_OPEN: 'The provider holds the amount until the dispute is decided; the member spends nothing meanwhile.',
  DISPUTE_WON: 'The dispute was won: the provider gave back what it had withdrawn.',
  FEE: 'A fee of the provider: the ledger keeps Nova, not the costs of payments.',
  PAYOUT: 'Money on its way between the provider and the bank.',
  REFUND_FAILED: 'The refund failed and the provider keeps the money; the ledger took nothing for it.',
  OTHER_DAY: 'The provider has it, on a day outside this range.',
  DEMO: 'Demo data: nobody paid for it.',
} as const;

const DIFFERENCES = {
  NOT_CREDITED: 'The provider was paid and the ledger did not credit anything.',
  NOT_OURS: 'The provider was paid for something that this product did not ask for.',
  AMOUNT_DIFFERS: 'The provider’s amount is not the one that the ledger credited, or took back.',
  NOT_REVERSED: 'The provider gave money back and the ledger did not take the Nova back.',
  NOT_FROZEN: 'A dispute is open at the provider and the member’s spending was not paused.',
  NOT_UNFROZEN: 'The dispute was won and the member’s spending is still paused.',
  NOT_RETURNED: 'A payment that came for a closed account was not refunded: the payer has neither Nova nor money.',
  NOT_GIVEN_BACK: 'The provider gave the money back after the ledger had taken the Nova: the member lacks it.',
  REPEATED: 'The ledger has this movement twice: this event is not the one that counts, and the Nova moved again.',
  OTHER_MEMBER: 'The ledger credited another member than the one who paid.',
  NOT_AT_PROVIDER: 'The ledger has it, but the provider does not.',
  OTHER_CURRENCY: 'A movement in another currency than US dollars: its amount is not counted here.',
  UNKNOWN_KIND: 'A movement of an unknown kind.',
} as const;

export const explained = (code: keyof typeof EXPLANATIONS, eventId: string | null = null): Verdict => ({
  status: 'explained',
  code,
  note: EXPLANATIONS[code],
  eventId,
});

export const flagged = (code: keyof typeof DIFFERENCES, eventId: string | null = null): Verdict => ({
  status: 'flagged',
  code,
  note: DIFFERENCES[code],
  eventId,
});

/** Differences that are about a member, and not about money between journal and provider. */
const OF_MEMBERS: ReadonlySet<string | null> = new Set([
  'NOT_FROZEN',
  'NOT_UNFROZEN',
  'OTHER_MEMBER',
] satisfies (keyof typeof DIFFERENCES)[]);

/** Whether journal and provider differ by money: then the dollar books have it open as well. */
export const isOfMoney = (code: string | null): boolean => !OF_MEMBERS.has(code);

/** Differences that the ledger can settle: by crediting a payment, or by giving back what a reversal took. */
const SETTLEABLE: ReadonlySet<string | null> = new Set([
  'NOT_CREDITED',
  'NOT_GIVEN_BACK',
] satisfies (keyof typeof DIFFERENCES)[]);

export const isSettleable = (code: string | null): boolean => SETTLEABLE.has(code);
