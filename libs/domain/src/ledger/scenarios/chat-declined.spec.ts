import { REFUND_REASONS } from '../events.js';
import { bought, chatHeld, chatRefunded, chatSucceeded, closing, granted } from '../testing/commands.js';
import { given } from '../testing/scenario.js';

test.each(REFUND_REASONS)('%s: the initiator gets everything back in the mix that was paid', (reason) => {
  given(bought('ann', '1,000'), granted('ann', '500'), chatHeld('c1', 'ann', 'hal', '1,250'))
    .when(chatRefunded('c1', reason))
    .thenWrites('ChatPaymentRefunded').balances(`
      account              before      after
      chat:c1             1,250.00      0.00
      user:ann:purchased      0.00  1,000.00
      user:ann:earned       250.00    500.00
    `);
});

test('a member who is closing is refunded too', () => {
  given(bought('ann', '10'), chatHeld('c1', 'ann', 'hal', '10'), closing('ann'))
    .when(chatRefunded('c1', 'terminated'))
    .thenWrites('ChatPaymentRefunded').balances(`
      chat:c1              10.00    0.00
      user:ann:purchased    0.00   10.00
    `);
});

test('a chat ends once', () => {
  const ended = () => given(bought('ann', '10'), chatHeld('c1', 'ann', 'hal', '10'), chatRefunded('c1'));
  ended().when(chatRefunded('c1')).refused('CHAT_NOT_HELD');
  ended().when(chatSucceeded('c1')).refused('CHAT_NOT_HELD');
  given().when(chatRefunded('c1')).refused('CHAT_NOT_HELD');
});
