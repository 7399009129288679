import { bought, gift } from '../testing/commands.js';
import { given } from '../testing/scenario.js';

test('half of a gift goes to the treasury while nobody holds Influence', () => {
  given(bought('ann', '5,000'))
    .when(gift('ann', 'ben', '1,000'))
    .thenWrites('GiftSent').balances(`
      account             before     after
      user:ann:purchased  5,000.00   4,000.00
      user:ben:earned         0.00     500.00
      treasury                0.00     500.00
    `);
});

test('of an odd amount the recipient takes the larger half', () => {
  given(bought('ann', '5,000'))
    .when(gift('ann', 'ben', '1,000.01'))
    .thenWrites('GiftSent').balances(`
      user:ann:purchased  5,000.00   3,999.99
      user:ben:earned         0.00     500.01
      treasury                0.00     500.00
    `);
});
