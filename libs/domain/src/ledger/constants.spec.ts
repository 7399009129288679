import { Money } from '../money/money.js';
import {
  AMOUNT_MAX,
  CARD_NAVIGATE_PRICE,
  CARD_UNLOCK_PRICE,
  CARD_UPVOTE_PRICE,
  CHAT_SPLIT,
  FEED_SCROLL_PRICE,
  GIFT_MAX,
  GIFT_MIN,
  KEY_WINDOW_MS,
  NOVA_SUPPLY_MAX,
  PAYMENT_SPLIT,
  SEYVN_PER_INFLUENCE,
  SEYVN_PER_KARMA,
  TOP_UP_MAX_NOVA,
  TOP_UP_MIN_NOVA,
  TOP_UP_PRESETS,
  WALL_COMMENT_MAX,
  wallCommentPrice,
} from './constants.js';

/** As the specification says them, in whole Nova: a price in minor units is easily a hundred times off. */
test.each([
  ['the smallest gift', GIFT_MIN, '1,000.00'],
  ['the largest gift', GIFT_MAX, '1,000,000.00'],
  ['unlocking a card', CARD_UNLOCK_PRICE, '50.00'],
  ['upvoting a card', CARD_UPVOTE_PRICE, '50.00'],
  ['navigating a card', CARD_NAVIGATE_PRICE, '50.00'],
  ['scrolling past a post', FEED_SCROLL_PRICE, '1.00'],
  ['Seyvn for an Influence', SEYVN_PER_INFLUENCE, '10.00'],
  ['Seyvn for a Karma', SEYVN_PER_KARMA, '5.00'],
  ['the largest amount of a command', AMOUNT_MAX, '70,368,744,177,663.99'],
])('%s: %d minor units are %s', (_, price, nova) => {
  expect(Money.ofMinor(price).toString()).toBe(nova);
});

test.each([
  [0, '0.00'],
  [1, '25.00'],
  [15, '25.00'],
  [16, '50.00'],
  [30, '50.00'],
  [31, '75.00'],
  [WALL_COMMENT_MAX, '175.00'],
])('a wall comment of %d characters costs %s: 25 for each 15 that are started', (characters, nova) => {
  expect(Money.ofMinor(wallCommentPrice(characters)).toString()).toBe(nova);
});

test('what is split is split whole', () => {
  for (const parts of [PAYMENT_SPLIT, CHAT_SPLIT]) {
    expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(100n);
  }
});

test('every amount that is offered can be bought', () => {
  expect(TOP_UP_PRESETS).toHaveLength(3);
  for (const preset of TOP_UP_PRESETS) {
    expect(preset).toBeGreaterThanOrEqual(TOP_UP_MIN_NOVA);
    expect(preset).toBeLessThanOrEqual(TOP_UP_MAX_NOVA);
  }
});

test('keys are kept for two days, and all Nova there may be fits a balance twice', () => {
  expect(KEY_WINDOW_MS).toBe(172_800_000);
  expect(NOVA_SUPPLY_MAX * 2n).toBe(2n ** 62n);
});
