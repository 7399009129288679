import { bought, burned, chatHeld, chatSucceeded, karmaMinted } from '../testing/commands.js';
import { given } from '../testing/scenario.js';

const smallChat = (chatId = 'c1') => [chatHeld(chatId, 'ann', 'hal', '0.10'), chatSucceeded(chatId)];
const three = [karmaMinted('kim'), karmaMinted('kim'), karmaMinted('kim')];

test('what cannot be divided by the last holder’s shares goes to the treasury', () => {
  given(three, bought('ann', '1'), smallChat())
    .when(burned('kim', { karma: 3n }))
    .thenWrites('TokensBurned').balances(`
      account                before    after
      pool:karma               0.01     0.00
      treasury                 0.04     0.05
      user:kim:karma           3        0
      shares:pool:karma:kim    3        0
      burned:KARMA             0        3
      user:kim:seyvn           0.00    15.00
      issuance:SEYVN           0.00   -15.00
    `);
});

test('while one share is left the rest waits for it', () => {
  given(three, bought('ann', '1'), smallChat())
    .when(burned('kim', { karma: 2n }))
    .thenWrites('TokensBurned').balances(`
      pool:karma               0.01     0.01
      user:kim:karma           3        1
      shares:pool:karma:kim    3        1
      burned:KARMA             0        2
      user:kim:seyvn           0.00    10.00
      issuance:SEYVN           0.00   -10.00
    `);
});

test('the fraction of a holder who leaves is given to those who stay', () => {
  given(karmaMinted('kim'), karmaMinted('lea'), karmaMinted('lea'), bought('ann', '1'), smallChat())
    .when(burned('lea', { karma: 2n }))
    .thenWrites('TokensBurned').balances(`
      owed:kim                 0.00     0.01
      pool:karma               0.01     0.01
      user:lea:karma           2        0
      shares:pool:karma:lea    2        0
      burned:KARMA             0        2
      user:lea:seyvn           0.00    10.00
      issuance:SEYVN           0.00   -10.00
    `);
});

test('a pool that was left by all starts anew', () => {
  given(three, bought('ann', '2'), smallChat(), burned('kim', { karma: 3n }), karmaMinted('lea'))
    .when(smallChat('c2'))
    .thenWrites('ChatPaymentHeld', 'ChatPaymentSettled').balances(`
      user:ann:purchased     1.90   1.80
      user:hal:pending       0.05   0.10
      pool:karma             0.00   0.01
      owed:lea               0.00   0.01
      treasury               0.05   0.09
    `);
});
