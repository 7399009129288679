import { MINIMUM_CHAT_PRICE_DEFAULT, MINIMUM_CHAT_PRICE_FLOOR, MINIMUM_CHAT_PRICE_STEP } from '@app/domain';

/** The result of leaving the price box: a price to save, or why the text is none. */
export type ReadPrice = { readonly price: number } | { readonly complaint: string };

/** Text that is no number falls back to 1; a price below the floor is not applied (rule profiles-5). */
export function readChatPrice(text: string): ReadPrice {
  const typed = text.trim().replace(/^\$/, '').replace(/,/g, '');
  const price = typed === '' ? Number.NaN : Number(typed);
  if (!Number.isFinite(price)) return { price: MINIMUM_CHAT_PRICE_DEFAULT };
  if (price < MINIMUM_CHAT_PRICE_FLOOR) {
    return { complaint: `The minimum chat price is at least $${MINIMUM_CHAT_PRICE_FLOOR.toFixed(2)}.` };
  }
  if (!Number.isInteger(price / MINIMUM_CHAT_PRICE_STEP)) {
    return { complaint: `The price goes in steps of $${MINIMUM_CHAT_PRICE_STEP.toFixed(2)}.` };
  }
  return { price };
}
