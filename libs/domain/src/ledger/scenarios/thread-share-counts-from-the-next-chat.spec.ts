import { bought, chatHeld, chatSucceeded, closing, threadShared } from '../testing/commands.js';
import { given } from '../testing/scenario.js';

const chat = (chatId: string) => [chatHeld(chatId, 'ann', 'hal', '100'), chatSucceeded(chatId)];

test('the chat that made the thread pays the treasury, the next one the thread', () => {
  given(bought('ann', '200'), chat('c1'))
    .when(threadShared('hal', 'ann', 'c1'))
    .thenWrites('ThreadShareGranted')
    .balances(
      `
      account                     before   after
      shares:pool:thread:hal:ann       0       1
      treasury                     50.00   50.00
    `,
    )
    .when(chat('c2'))
    .thenWrites('ChatPaymentHeld', 'ChatPaymentSettled').balances(`
      user:ann:purchased   100.00     0.00
      user:hal:pending      50.00   100.00
      pool:thread:hal        0.00    10.00
      owed:ann               0.00    10.00
      treasury              50.00    90.00
    `);
});

test('what a share is owed is paid before a second one changes it', () => {
  given(bought('ann', '100'), threadShared('hal', 'ann', 'c0'), chat('c1'))
    .when(threadShared('hal', 'ann', 'c1'))
    .thenWrites('PoolRewardsPaid', 'ThreadShareGranted').balances(`
      owed:ann                    10.00    0.00
      pool:thread:hal             10.00    0.00
      user:ann:earned              0.00   10.00
      shares:pool:thread:hal:ann   1       2
    `);
});

test.each(['hal', 'ann'])('no share once %s is closing', (userId) => {
  given(closing(userId)).when(threadShared('hal', 'ann')).refused('ACCOUNT_CLOSED');
});
