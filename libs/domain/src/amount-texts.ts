import { GIFT_MAX, GIFT_MIN, NOVA_PER_DOLLAR, TOP_UP_MAX_NOVA, TOP_UP_MIN_NOVA } from './ledger/constants.js';
import { Money } from './money/money.js';

/** The sentences that refuse an amount, in the client and in the API. */

const inWords = (minor: bigint): string => Money.ofMinor(minor).toNumber().toLocaleString('en-US');
const usd = (nova: number): string =>
  (nova / NOVA_PER_DOLLAR).toLocaleString('en-US', { style: 'currency', currency: 'USD' });

export const GIFT_MESSAGES = {
  amount: `Gift amount must be between ${inWords(GIFT_MIN)} and ${inWords(GIFT_MAX)} Nova.`,
  insufficient: "You don't have enough Nova to send this gift.",
  recipient: 'Please select someone to send a gift to.',
} as const;

export const TOP_UP_MESSAGES = {
  belowMinimum: `Minimum purchase amount is ${TOP_UP_MIN_NOVA.toLocaleString('en-US')} Nova Points (${usd(TOP_UP_MIN_NOVA)})`,
  aboveMaximum: `Maximum purchase amount is ${TOP_UP_MAX_NOVA.toLocaleString('en-US')} Nova Points (${usd(TOP_UP_MAX_NOVA)})`,
} as const;
