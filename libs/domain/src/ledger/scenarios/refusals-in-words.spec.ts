import type { LedgerCommand } from '../commands.js';
import { AMOUNT_MAX } from '../constants.js';
import {
  app,
  appPaid,
  appSpent,
  bought,
  burned,
  cardPayment,
  chatBrokenOff,
  chatHeld,
  chatRefunded,
  closed,
  closing,
  collected,
  deducted,
  frozen,
  gift,
  granted,
  karmaMinted,
  questReward,
  released,
  reversed,
  unfrozen,
  walletFunded,
  walletWithdrawn,
} from '../testing/commands.js';
import { given } from '../testing/scenario.js';

const bulk = (...userIds: readonly string[]): LedgerCommand => ({
  type: 'GrantNovaInBulk',
  adminId: 'admin',
  grants: userIds.map((userId) => ({ userId, amount: 1n })),
});
const charged = (chargedCents: number): LedgerCommand => ({ ...bought('ann', '1'), chargedCents }) as LedgerCommand;

const NOTHING: readonly LedgerCommand[] = [];
const ANN_HAS_10: readonly LedgerCommand[] = [bought('ann', '10')];
const HELD: readonly LedgerCommand[] = [bought('ann', '10'), chatHeld('c1', 'ann', 'hal', '10')];
const WALLET: readonly LedgerCommand[] = [bought('dev', '10'), walletFunded('dev', '10')];

/** People read these (rule general-5): each refusal in its words, beside the code that programs read. */
test.each<[before: readonly LedgerCommand[], command: LedgerCommand, code: string, message: string]>([
  [NOTHING, charged(0.5), 'INVALID_COMMAND', 'The charge is not a whole number of cents.'],
  [NOTHING, charged(-1), 'INVALID_COMMAND', 'The charge is not a whole number of cents.'],
  [NOTHING, granted('ann', '0'), 'INVALID_AMOUNT', 'The amount must be greater than 0.'],
  [NOTHING, questReward('ann', '-1'), 'INVALID_AMOUNT', 'The amount must be greater than 0.'],
  [NOTHING, reversed('ann', '0'), 'INVALID_AMOUNT', 'The amount must be greater than 0.'],
  [NOTHING, granted('a b', '1'), 'INVALID_COMMAND', 'The field userId is not an id.'],
  [NOTHING, appSpent('ann', '1', app('d v')), 'INVALID_COMMAND', 'The field ownerId is not an id.'],
  [NOTHING, bulk(), 'INVALID_COMMAND', 'A bulk has 1 to 500 rows.'],
  [NOTHING, bulk('ann', 'a b'), 'INVALID_COMMAND', 'The field userId is not an id.'],
  [ANN_HAS_10, gift('ann', 'ben', '999.99'), 'INVALID_AMOUNT', 'Gift amount must be between 1,000 and 1,000,000 Nova.'],
  [ANN_HAS_10, cardPayment('unlock', 'ann', 'ann', '1'), 'SELF_PAYMENT', 'You cannot send Nova to yourself.'],
  [ANN_HAS_10, cardPayment('unlock', 'ann', 'ben', '10.01'), 'INSUFFICIENT_NOVA', 'Only 10.00 Nova are available.'],
  [ANN_HAS_10, deducted('ann', '10.01'), 'INSUFFICIENT_NOVA', 'Amount exceeds current balance'],
  [
    [...ANN_HAS_10, frozen('ann')],
    cardPayment('unlock', 'ann', 'ben', '1'),
    'SPENDING_FROZEN',
    'Spending is paused while a payment dispute on this account is open.',
  ],
  [[closing('ann')], granted('ann', '1'), 'ACCOUNT_CLOSED', 'This account is closed.'],
  [
    [...ANN_HAS_10, closing('ben')],
    cardPayment('unlock', 'ann', 'ben', '1'),
    'RECIPIENT_CLOSED',
    'This member has closed their account.',
  ],
  [[closing('ann'), closed('ann')], frozen('ann'), 'ACCOUNT_CLOSED', 'This account is closed.'],
  [NOTHING, unfrozen('ann'), 'NOT_FROZEN', 'Spending is not paused for this dispute.'],
  [NOTHING, closed('ann'), 'ACCOUNT_NOT_CLOSING', 'This account is not being closed.'],
  [
    [...HELD, closing('ann')],
    closed('ann'),
    'ACCOUNT_STILL_BUSY',
    'Chats, rewards or wallets of this account are still open.',
  ],
  [ANN_HAS_10, chatHeld('c1', 'ann', 'ann', '1'), 'SELF_PAYMENT', 'You cannot start a paid chat with yourself.'],
  [HELD, chatHeld('c1', 'ann', 'hal', '1'), 'CHAT_ALREADY_PAID', 'This chat has been paid for already.'],
  [NOTHING, chatRefunded('c1'), 'CHAT_NOT_HELD', 'No payment is held for this chat.'],
  [NOTHING, chatBrokenOff('c1', '1'), 'CHAT_NOT_HELD', 'No payment is held for this chat.'],
  [HELD, chatBrokenOff('c1', '10.01'), 'INVALID_AMOUNT', 'The part due is not a part of the price.'],
  [HELD, chatBrokenOff('c1', '-0.01'), 'INVALID_AMOUNT', 'The part due is not a part of the price.'],
  [HELD, released('c1', 'host'), 'REWARD_NOT_PENDING', 'No reward is waiting for this side of the chat.'],
  [NOTHING, karmaMinted('ann', 4), 'INVALID_COMMAND', 'Karma is minted on every fifth completed chat.'],
  [NOTHING, karmaMinted('ann', 0), 'INVALID_COMMAND', 'Karma is minted on every fifth completed chat.'],
  [NOTHING, karmaMinted('ann', -5), 'INVALID_COMMAND', 'Karma is minted on every fifth completed chat.'],
  [NOTHING, karmaMinted('ann', Number.NaN), 'INVALID_COMMAND', 'Karma is minted on every fifth completed chat.'],
  [NOTHING, collected('ann'), 'NOTHING_TO_COLLECT', 'No rewards are waiting.'],
  [NOTHING, burned('ann', {}), 'INVALID_AMOUNT', 'Choose at least one token to burn.'],
  [NOTHING, burned('ann', { earnedNova: '-1', karma: 2n }), 'INVALID_AMOUNT', 'Choose at least one token to burn.'],
  [NOTHING, burned('ann', { karma: -1n, influence: 2n }), 'INVALID_AMOUNT', 'Choose at least one token to burn.'],
  [NOTHING, burned('ann', { influence: -1n, karma: 2n }), 'INVALID_AMOUNT', 'Choose at least one token to burn.'],
  [[karmaMinted('ann')], burned('ann', { karma: 2n }), 'INSUFFICIENT_TOKENS', 'You do not hold that many tokens.'],
  [NOTHING, burned('ann', { influence: 1n }), 'INSUFFICIENT_TOKENS', 'You do not hold that many tokens.'],
  [[granted('ann', '1')], burned('ann', { earnedNova: '1.01' }), 'INSUFFICIENT_NOVA', 'Only 1.00 Nova are available.'],
  [WALLET, walletFunded('eve', '1'), 'NOT_APP_OWNER', 'This application belongs to someone else.'],
  [WALLET, walletWithdrawn('eve', '1'), 'NOT_APP_OWNER', 'This application belongs to someone else.'],
  [
    [...WALLET, ...ANN_HAS_10],
    appSpent('ann', '1', app('eve')),
    'NOT_APP_OWNER',
    'This application belongs to someone else.',
  ],
  [WALLET, walletWithdrawn('dev', '10.01'), 'APP_INSUFFICIENT_NOVA', "The application's wallet holds only 10.00 Nova."],
  [NOTHING, walletWithdrawn('dev', '1'), 'APP_INSUFFICIENT_NOVA', "The application's wallet holds only 0.00 Nova."],
  [NOTHING, appPaid('ann', '1'), 'APP_INSUFFICIENT_NOVA', "The application's wallet holds only 0.00 Nova."],
  [WALLET, appPaid('ann', '10.01'), 'APP_INSUFFICIENT_NOVA', "The application's wallet holds only 10.00 Nova."],
  [WALLET, appSpent('dev', '1', app('dev')), 'OWN_APPLICATION', 'You cannot spend at your own application.'],
  [
    ANN_HAS_10,
    appSpent('ann', '6', app('dev', '5')),
    'DAILY_LIMIT',
    'This application may spend 5.00 Nova more today.',
  ],
  [NOTHING, { type: 'ClosePeriod', endsAt: -1 }, 'INVALID_COMMAND', 'The end of the period is no time.'],
  [
    NOTHING,
    { type: 'ClosePeriod', endsAt: 8e15 },
    'PERIOD_NOT_OVER',
    'This period is not over yet. Choose an end that has passed.',
  ],
])('refusal %#', (before, command, code, message) => {
  expect(given(...before).dryRun(command)).toMatchObject({ accepted: false, rejection: { code, message } });
});

test('an amount that a JSON number would not hold names the largest', () => {
  expect(given().dryRun({ ...granted('ann', '1'), amount: 2n ** 60n } as LedgerCommand)).toMatchObject({
    rejection: { code: 'INVALID_AMOUNT', message: 'The amount is too large.', available: AMOUNT_MAX },
  });
});
