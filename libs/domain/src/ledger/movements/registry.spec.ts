import { readFileSync } from 'node:fs';
import path from 'node:path';
import { decodeLedgerEvent } from '../codec.js';
import type { LedgerFact } from '../events.js';
import { gift, type GiftSent, type SendGift } from './gift.js';
import type { EventRules, Movement } from './movement.js';
import { rowRulesOf, rulesOf, STATEMENT_TYPES } from './registry.js';

const GOLDEN = readFileSync(path.join(__dirname, '../testing/stored-events.golden'), 'utf8').trim().split('\n');
const STORED = new Map(
  GOLDEN.map((line) => {
    const end = line.indexOf(' ');
    return [line.slice(0, end), decodeLedgerEvent(line.slice(0, end), line.slice(end + 1))];
  }),
);

/** The ids of the golden events by their last digit. */
const short = (text: string | undefined): string | undefined =>
  text?.replaceAll('0197a2f0-0000-7000-8000-00000000000', '');
const NAMES = { member: (id: string) => id, application: (id: string) => `the app ${id}` };

/** What each golden event says, and what of it may be said only once. */
const SAID: readonly (readonly [type: string, sentence: string, once: string | null])[] = [
  ['NovaPurchased', 'a bought 1,250 Nova', 'payment pi_1'],
  ['PurchaseReversed', '1,250 Nova of a purchase by a were charged back', 'reversal re_1'],
  ['SpendingFrozen', 'Spending of a was paused by a payment dispute', 'pause for dispute dp_1'],
  ['SpendingUnfrozen', 'Spending of a was allowed again', null],
  ['GiftSent', 'ann sent a gift of 1,500 Nova to ben through the app app-1', null],
  ['CardUnlocked', 'a unlocked the card of b for 50 Nova', 'card c unlocked by a'],
  ['CardUpvoted', 'a upvoted the card of b for 50 Nova', null],
  ['CardNavigated', 'a visited the profile of b for 50 Nova', null],
  ['WallCommentPaid', 'a commented on the wall of b for 50 Nova', 'wall comment c'],
  ['FeedScrolled', 'a viewed a post of b for 50 Nova', 'post c scrolled by a'],
  ['ChatPaymentHeld', 'a paid 1,250 Nova for a chat with b', 'payment of chat c'],
  ['ChatPaymentRefunded', '1,250 Nova for a chat with b went back to a', 'end of chat c'],
  ['ChatPaymentSettled', '1,250 Nova for a chat of a with b were shared out', 'end of chat c'],
  ['ChatRewardReleased', 'b got the reward of a chat', 'reward of chat c for its host'],
  ['KarmaMinted', 'b earned one Karma', 'Karma of b for 5 chats'],
  ['ThreadShareGranted', 'a gained a share in the thread of b', 'share of a for chat c with b'],
  ['PoolRewardsPaid', 'Rewards were credited to a', null],
  ['QuestRewardClaimed', '50 Nova were claimed as a quest reward by a', 'reward of quest quest-1 for a'],
  ['NovaGranted', '50 Nova were added by an admin to a', null],
  ['NovaDeducted', '50 Nova were deducted by an admin from a', null],
  ['TokensBurned', 'a burned tokens for Seyvn', null],
  ['AppWalletFunded', 'c put 50 Nova into the wallet of the app app-1', null],
  ['AppWalletWithdrawn', 'c took 50 Nova out of the wallet of the app app-1', null],
  ['AppTokensSpent', 'a spent 50 Nova at the app app-1', null],
  ['AppTokensEarned', 'a received 50 Nova from the app app-1', null],
  [
    'MovementReversed',
    'A gift of 1,500 Nova from ann to ben was reversed, and 1,350 Nova came back',
    'reversal of the event of revision 4',
  ],
  [
    'PurchaseReinstated',
    '1,250 Nova of a charged-back purchase by a were reinstated',
    'reinstatement of reversal re_1',
  ],
  ['ShortfallRepaid', 'a repaid 50 Nova of a reversed purchase', null],
  [
    'ShortfallWrittenOff',
    '400 Nova that a owed for a reversed purchase were written off',
    'write-off of reversal re_1',
  ],
  ['AccountClosing', 'a is closing the account', 'closing of account a'],
  ['AccountClosed', 'a closed the account', 'end of account a'],
  ['PeriodClosed', 'The books up to 2026-01-15T11:59:59.999Z were closed', 'period up to 1768478399999'],
  [
    'SigningBegan',
    'The journal was signed from here on',
    'beginning of the signed journal 5b1c0e8f6a7d4c219e3f00112233aabb',
  ],
  ['SigningKeyChanged', 'The key that signs the journal was changed', null],
];

test.each(SAID)('%s: %s', (type, sentence, once) => {
  const event = STORED.get(type)!;
  const rules = rulesOf(event);
  expect(short(rules.sentence(event, NAMES))).toBe(sentence);
  expect(short(rules.onceOnly?.(event)) ?? null).toBe(once);
});

/** What each row of a statement says, and whether it counts as earned from others. */
const ROWS = [
  ['purchase', 'Nova purchase', false],
  ['purchase_refund', 'Refund of a Nova purchase', false],
  ['purchase_reinstated', 'Refund of a Nova purchase undone', false],
  ['shortfall_repaid', 'Repayment of a reversed Nova purchase', false],
  ['gift_send', 'Gift to Ben through Chess', false],
  ['gift_receive', 'Gift from Ben through Chess', true],
  ['card_unlock_send', 'Unlocked the card of Ben', false],
  ['card_unlock_receive', 'Card unlocked by Ben', true],
  ['card_upvote_send', 'Upvoted the card of Ben', false],
  ['card_upvote_receive', 'Card upvoted by Ben', true],
  ['card_navigate_send', 'Navigated the card of Ben', false],
  ['card_navigate_receive', 'Card navigated by Ben', true],
  ['wall_comment_send', 'Comment on the wall of Ben', false],
  ['wall_comment_receive', 'Wall comment by Ben', true],
  ['feed_scroll_send', 'Viewed a post of Ben', false],
  ['feed_scroll_receive', 'Post viewed by Ben', true],
  ['chat_initiate', 'Chat with Ben', false],
  ['chat_refund', 'Refund of a chat with Ben', false],
  ['chat_receive', 'Chat with Ben', true],
  ['influence_reward', 'Influence reward', false],
  ['karma_reward', 'Karma reward', false],
  ['thread_reward', 'Thread reward from chats of Ben', false],
  ['quest_reward', 'Quest reward: First words', false],
  ['admin_grant', 'Nova added by an admin', false],
  ['admin_deduct', 'Nova deducted by an admin', false],
  ['burn', 'Tokens burned for Seyvn', false],
  ['app_wallet_fund', 'Funded the wallet of Chess', false],
  ['app_wallet_withdraw', 'Withdrawn from the wallet of Chess', false],
  ['app_spend', 'Spent at Chess', false],
  ['app_earn', 'Received from Chess', false],
  ['gift_send_reversed', 'Returned: gift to Ben through Chess', false],
  ['gift_receive_reversed', 'Taken back: gift from Ben through Chess', true],
  ['admin_grant_reversed', 'Taken back: Nova added by an admin', false],
  ['admin_deduct_reversed', 'Returned: Nova deducted by an admin', false],
  ['app_spend_reversed', 'Returned: spending at Chess', false],
  ['app_earn_reversed', 'Taken back: payment from Chess', false],
  ['account_closed', 'Account closed', false],
] as const;

test.each(ROWS)('%s: %s', (type, words, earnedFromOthers) => {
  const rules = rowRulesOf(type);
  expect(rules.words({ party: 'Ben', application: 'Chess', through: ' through Chess', ofQuest: ': First words' })).toBe(
    words,
  );
  expect(rules.earnedFromOthers).toBe(earnedFromOthers);
});

test('rows come in this order: the API lists them so', () => {
  const named = new Set<string>(ROWS.map(([type]) => type));
  expect(STATEMENT_TYPES.filter((type) => named.has(type))).toEqual(ROWS.map(([type]) => type));
});

test('purchases and gifts are on charts, and nothing else is', () => {
  const charted = [...STORED.values()].flatMap((event) => {
    const chart = rulesOf(event).chart?.(event);
    return chart ? [[event.type, ...chart]] : [];
  });
  expect(charted).toEqual([
    ['NovaPurchased', 'purchases', 125_000n],
    ['GiftSent', 'gifts', 150_000n],
  ]);
});

test('a type that no movement has is a fault', () => {
  expect(() => rulesOf({ type: 'Elsewhere' } as unknown as LedgerFact)).toThrow('no movement has Elsewhere');
});

type Rows = 'gift_send' | 'gift_receive';
type GiftRules = EventRules<GiftSent, SendGift, Rows>;

/** `npm run types` fails where one of these compiles. */
test('the compiler asks for what was silent when forgotten', () => {
  const { quests: _quests, ...uncounted } = gift.events.GiftSent;
  const { throughApp: _throughApp, ...unlimited } = gift.events.GiftSent;
  // @ts-expect-error it does not say for which quests it counts
  const withoutQuests: GiftRules = uncounted;
  // @ts-expect-error it does not say whether it counts against a daily limit
  const withoutLimit: GiftRules = unlimited;
  // @ts-expect-error it does not say whether its rows are earned from others
  const withoutEarned: Movement<SendGift, GiftSent, Rows>['rows'] = { ...gift.rows, gift_send: { words: () => '' } };
  // @ts-expect-error an amount is written as minor units
  const asText: GiftRules['fields'] = { ...gift.events.GiftSent.fields, amount: 'text' };
  expect([withoutQuests, withoutLimit, withoutEarned, asText]).toHaveLength(4);
});
