import { GIFT_MAX, GIFT_MESSAGES, GIFT_MIN, SEARCH_MIN } from '@app/domain';
import { minorToNova, novaToMinor, parseNova } from '@/shared/api/nova';

/** Rule gifts-1. */
export const GIFT_NOVA_MIN = minorToNova(Number(GIFT_MIN));
export const GIFT_NOVA_MAX = minorToNova(Number(GIFT_MAX));
export const GIFT_NOVA_STEP = 100;
/** A search starts when its text is longer than this (rule gifts-7). */
export const SEARCH_TEXT_LONGER_THAN = SEARCH_MIN - 1;

export interface GiftComplaint {
  field: 'recipient' | 'amount';
  title: string;
  sentence: string;
  /** More Nova would mend it. */
  isShort?: true;
}

export const SELECT_RECIPIENT: GiftComplaint = {
  field: 'recipient',
  title: 'Select Recipient',
  sentence: GIFT_MESSAGES.recipient,
};
const INVALID_GIFT_AMOUNT: GiftComplaint = {
  field: 'amount',
  title: 'Invalid Amount',
  sentence: GIFT_MESSAGES.amount,
};
const INSUFFICIENT_BALANCE: GiftComplaint = {
  field: 'amount',
  title: 'Insufficient Balance',
  sentence: GIFT_MESSAGES.insufficient,
  isShort: true,
};

/**
 * The gift as the server takes it, or the first thing wrong with it, word for word (rules gifts-1, gifts-3 and
 * gifts-4).
 */
export function readGift(
  draft: { recipientId: string | null; amountText: string },
  novaBalance: number,
): { recipientId: string; amount: number } | { complaint: GiftComplaint } {
  if (draft.recipientId === null) return { complaint: SELECT_RECIPIENT };
  const complaint = amountComplaint(draft.amountText, novaBalance);
  const amount = parseNova(draft.amountText);
  if (complaint !== null || amount === null) return { complaint: complaint ?? INVALID_GIFT_AMOUNT };
  return { recipientId: draft.recipientId, amount };
}

/** What is wrong with an amount, for any recipient. */
export function amountComplaint(amountText: string, novaBalance: number): GiftComplaint | null {
  const amount = parseNova(amountText);
  if (amount === null || amount < GIFT_NOVA_MIN || amount > GIFT_NOVA_MAX) return INVALID_GIFT_AMOUNT;
  return novaToMinor(amount) > novaToMinor(novaBalance) ? INSUFFICIENT_BALANCE : null;
}
