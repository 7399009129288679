import { bought, chatHeld, chatSucceeded, closing, earnsInfluence, gift, granted } from '../testing/commands.js';
import { given } from '../testing/scenario.js';

test('the price waits in escrow, purchased Nova first', () => {
  given(bought('ann', '1,000'), granted('ann', '500'))
    .when(chatHeld('c1', 'ann', 'hal', '1,250'))
    .thenWrites('ChatPaymentHeld').balances(`
      account              before      after
      user:ann:purchased  1,000.00      0.00
      user:ann:earned       500.00    250.00
      chat:c1                 0.00  1,250.00
    `);
});

test('owed rewards pay for a chat', () => {
  given(earnsInfluence('ida'), bought('ann', '1,000'), gift('ann', 'ben', '1,000'))
    .when(chatHeld('c1', 'ida', 'hal', '200'))
    .thenWrites('PoolRewardsPaid', 'ChatPaymentHeld').balances(`
      owed:ida           500.00     0.00
      pool:influence     500.00     0.00
      user:ida:earned      0.00   300.00
      chat:c1              0.00   200.00
    `);
});

test('refused: oneself, twice, too much, nothing, a closed side', () => {
  const ann = () => given(bought('ann', '100'), chatHeld('c1', 'ann', 'hal', '10'), closing('cat'));
  ann()
    .when(chatHeld('c2', 'ann', 'ann', '10'))
    .refused('SELF_PAYMENT');
  ann()
    .when(chatHeld('c1', 'ann', 'hal', '10'))
    .refused('CHAT_ALREADY_PAID');
  ann()
    .when(chatHeld('c2', 'ann', 'hal', '90.01'))
    .refused('INSUFFICIENT_NOVA', '90');
  ann()
    .when(chatHeld('c2', 'ann', 'hal', '0'))
    .refused('INVALID_AMOUNT');
  ann()
    .when(chatHeld('c2', 'ann', 'cat', '10'))
    .refused('RECIPIENT_CLOSED');
  ann()
    .when(chatHeld('c2', 'cat', 'ann', '10'))
    .refused('ACCOUNT_CLOSED');
});

test('a chat whose rewards are pending cannot be paid for again', () => {
  given(bought('ann', '100'), chatHeld('c1', 'ann', 'hal', '10'), chatSucceeded('c1'))
    .when(chatHeld('c1', 'ann', 'hal', '10'))
    .refused('CHAT_ALREADY_PAID');
});
