import { MESSAGES_PER_CHAT_MAX, MINIMUM_CHAT_PRICE_FLOOR } from '../chats/constants.js';
import { CHAT_SPLIT, GIFT_MIN, NOVA_PER_DOLLAR, PAYMENT_SPLIT } from '../ledger/constants.js';
import { Money } from '../money/money.js';
import type { QuestCreated } from './quest.js';

type Rules = Pick<QuestCreated, 'rule' | 'target'>;

/** The cost of a chat at the lowest price for its two members together: the price minus the host's half. */
const CHAT_PRICE_MIN = Money.fromNumber(MINIMUM_CHAT_PRICE_FLOOR * NOVA_PER_DOLLAR).minor;
const CHAT_COST = CHAT_PRICE_MIN - (CHAT_PRICE_MIN * CHAT_SPLIT[0]) / 100n;
const GIFT_COST = GIFT_MIN - (GIFT_MIN * PAYMENT_SPLIT[0]) / 100n;

/**
 * The least cost of earning a reward, in minor units of NOVA. Members who work together and hold no part of the pools
 * pay one another as little as the rules allow; this amount leaves them for each reward that one of them can claim.
 */
export function leastCostOf({ rule, target }: Rules): bigint {
  switch (rule) {
    case 'chats_completed':
      // A chat counts for both.
      return roundedUp(target * CHAT_COST, 2n);
    case 'messages_sent':
      // Each side fills its half of a chat with messages.
      return roundedUp(roundedUp(2n * target, BigInt(MESSAGES_PER_CHAT_MAX)) * CHAT_COST, 2n);
    case 'gifts_sent':
      return target * GIFT_COST;
    case 'nova_earned':
      // The earner gets half of what another member paid; the other half goes to others.
      return target;
  }
}

/** A warning for the author of a quest that pays more than earning it costs; else undefined. */
export function rewardWarning({ reward, ...rules }: Rules & Pick<QuestCreated, 'reward'>): string | undefined {
  const cost = leastCostOf(rules);
  if (reward <= cost) return undefined;
  const digits = cost % 100n === 0n ? 0 : 2;
  const nova = (Number(cost) / 100).toLocaleString('en-US', { minimumFractionDigits: digits });
  return `Two members who work together can earn this reward at a cost of ${nova} Nova each. A higher reward pays them more than it costs.`;
}

const roundedUp = (amount: bigint, divisor: bigint): bigint => (amount + divisor - 1n) / divisor;
