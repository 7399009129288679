import {
  app,
  appPaid,
  appSpent,
  bought,
  burned,
  cardPayment,
  chatHeld,
  chatSucceeded,
  closed,
  closing,
  collected,
  deducted,
  earnsInfluence,
  frozen,
  gift,
  granted,
  released,
  unfrozen,
  walletFunded,
  walletWithdrawn,
} from '../testing/commands.js';
import { given } from '../testing/scenario.js';

test('freezing moves nothing', () => {
  given(bought('ann', '100')).when(frozen('ann')).thenWrites('SpendingFrozen').balances('');
});

test.each([
  ['gifts', gift('ann', 'ben', '1,000')],
  ['cards', cardPayment('unlock', 'ann', 'ben', '50')],
  ['chats', chatHeld('c2', 'ann', 'ben', '10')],
  ['burning', burned('ann', { earnedNova: '1' })],
  ['applications of others', appSpent('ann', '1', app('dev'))],
  ['funding an application', walletFunded('ann', '1', 'app-of-ann')],
  ['what an own application pays', appPaid('ben', '1', 'app-of-ann')],
])('while frozen %s are refused', (_, command) => {
  given(bought('ann', '5,000'), granted('ann', '10'), walletFunded('ann', '10', 'app-of-ann'), frozen('ann'))
    .when(command)
    .refused('SPENDING_FROZEN');
});

test('a running hold finishes, rewards are collected, gifts arrive, and an admin may deduct', () => {
  given(
    earnsInfluence('ann'),
    bought('ann', '10'),
    chatHeld('c1', 'ann', 'hal', '10'),
    bought('cat', '1,000'),
    frozen('ann'),
  )
    .when(
      chatSucceeded('c1'),
      released('c1', 'initiator'),
      gift('cat', 'ann', '1,000'),
      collected('ann'),
      deducted('ann', '100'),
    )
    .thenWrites('ChatPaymentSettled', 'ChatRewardReleased', 'GiftSent', 'PoolRewardsPaid', 'NovaDeducted').balances(`
      chat:c1                        10.00        0.00
      user:hal:pending                0.00        5.00
      treasury                        0.00        5.00
      user:cat:purchased          1,000.00        0.00
      user:ann:earned                 0.00      900.00
      user:ann:influence              1           2
      shares:pool:influence:ann       1           2
      issuance:INFLUENCE             -1          -2
      issuance:NOVA                  -0.01       99.99
    `);
});

test('an own application can still be emptied to its owner', () => {
  given(bought('dev', '10'), walletFunded('dev', '10'), frozen('dev'))
    .when(walletWithdrawn('dev', '10'))
    .thenWrites('AppWalletWithdrawn').balances(`
      app:app-1:purchased   10.00    0.00
      user:dev:purchased     0.00   10.00
    `);
});

test('a dispute that was won frees what it froze', () => {
  given(bought('ann', '1,000'), frozen('ann'), unfrozen('ann'))
    .when(gift('ann', 'ben', '1,000'))
    .thenWrites('GiftSent');
});

test('two disputes: the first to be won frees nothing', () => {
  given(bought('ann', '1,000'), frozen('ann', 'dp_1'), frozen('ann', 'dp_2'), unfrozen('ann', 'dp_1'))
    .when(gift('ann', 'ben', '1,000'))
    .refused('SPENDING_FROZEN');
});

test('a dispute reported twice is one dispute', () => {
  expect(given(frozen('ann', 'dp_1'), frozen('ann', 'dp_2'), frozen('ann', 'dp_1')).state.disputes('ann')).toEqual([
    'dp_2',
    'dp_1',
  ]);
  given(bought('ann', '1,000'), frozen('ann', 'dp_1'), frozen('ann', 'dp_1'), unfrozen('ann', 'dp_1'))
    .when(gift('ann', 'ben', '1,000'))
    .thenWrites('GiftSent');
});

test('an admin lifts every freeze at once', () => {
  given(bought('ann', '1,000'), frozen('ann', 'dp_1'), frozen('ann', 'dp_2'))
    .when(unfrozen('ann', null), gift('ann', 'ben', '1,000'))
    .thenWrites('SpendingUnfrozen', 'GiftSent');
});

test.each([null, 'dp_2'])('lifting what is not frozen (%s) is refused', (disputeId) => {
  given(...(disputeId ? [frozen('ann', 'dp_1')] : []))
    .when(unfrozen('ann', disputeId))
    .refused('NOT_FROZEN');
});

test('a closed account cannot be frozen, and closing lifts a freeze', () => {
  given(frozen('ann'), closing('ann'), closed('ann')).when(frozen('ann')).refused('ACCOUNT_CLOSED');
  given(frozen('ann'), closing('ann'), closed('ann')).when(unfrozen('ann')).refused('NOT_FROZEN');
});
