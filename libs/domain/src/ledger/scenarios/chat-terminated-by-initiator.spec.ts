import { bought, chatBrokenOff, chatHeld, closing, granted, karmaMinted, released } from '../testing/commands.js';
import { given } from '../testing/scenario.js';

const held = () => given(bought('ann', '1,000'), granted('ann', '250'), chatHeld('c1', 'ann', 'hal', '1,250'));

test('the part due is paid by the payout split, the host’s half at once; the rest goes back, purchased used up first', () => {
  held().when(chatBrokenOff('c1', '500')).thenWrites('ChatPaymentSettled').balances(`
      account              before     after
      chat:c1             1,250.00     0.00
      user:ann:purchased      0.00   500.00
      user:ann:earned         0.00   250.00
      user:hal:earned         0.00   250.00
      treasury                0.00   250.00
    `);
});

test('due beyond what was purchased comes out of the earned part', () => {
  held().when(chatBrokenOff('c1', '1,100')).thenWrites('ChatPaymentSettled').balances(`
      chat:c1             1,250.00     0.00
      user:ann:earned         0.00   150.00
      user:hal:earned         0.00   550.00
      treasury                0.00   550.00
    `);
});

test('without a whole exchange nothing is due', () => {
  held().when(chatBrokenOff('c1', '0')).thenWrites('ChatPaymentSettled').balances(`
      chat:c1             1,250.00      0.00
      user:ann:purchased      0.00  1,000.00
      user:ann:earned         0.00    250.00
    `);
});

test('one hundredth due is the host’s', () => {
  given(bought('ann', '1'), karmaMinted('kim'), chatHeld('c1', 'ann', 'hal', '1'))
    .when(chatBrokenOff('c1', '0.01'))
    .thenWrites('ChatPaymentSettled').balances(`
      chat:c1             1.00     0.00
      user:ann:purchased  0.00     0.99
      user:hal:earned     0.00     0.01
    `);
});

test('a chat broken off has no rewards to release', () => {
  given(bought('ann', '10'), chatHeld('c1', 'ann', 'hal', '10'), chatBrokenOff('c1', '5'))
    .when(released('c1', 'host'))
    .refused('REWARD_NOT_PENDING');
});

test.each(['-0.01', '1,250.01'])('%s is no part of the price', (due) => {
  held().when(chatBrokenOff('c1', due)).refused('INVALID_AMOUNT', '1,250');
});

test('the same when the initiator is closing their account', () => {
  given(bought('ann', '10'), chatHeld('c1', 'ann', 'hal', '10'), closing('ann'))
    .when(chatBrokenOff('c1', '4'))
    .thenWrites('ChatPaymentSettled').balances(`
      chat:c1             10.00   0.00
      user:ann:purchased   0.00   6.00
      user:hal:earned      0.00   2.00
      treasury             0.00   2.00
    `);
});
