import { bought, earnsInfluence, gift, granted } from '../testing/commands.js';
import { given } from '../testing/scenario.js';

test('purchased Nova goes first', () => {
  given(bought('ann', '1,500'), granted('ann', '1,000'))
    .when(gift('ann', 'ben', '2,000'))
    .thenWrites('GiftSent').balances(`
      account             before     after
      user:ann:purchased  1,500.00      0.00
      user:ann:earned     1,000.00    500.00
      user:ben:earned         0.00  1,000.00
      treasury                0.00  1,000.00
    `);
});

test('rewards that a gift needs are credited in front of it', () => {
  given(bought('ann', '4,000'), earnsInfluence('ida'), earnsInfluence('jon'), gift('ann', 'ben', '4,000'))
    .when(gift('ida', 'ben', '1,000'))
    .thenWrites('PoolRewardsPaid', 'GiftSent').balances(`
      user:ida:earned         0.00      0.00
      user:ben:earned     2,000.00  2,500.00
      pool:influence      2,000.00  1,500.00
      owed:ida            1,000.00    250.00
      owed:jon            1,000.00  1,250.00
    `);
});

test('rewards that a gift does not need stay where they are', () => {
  given(bought('ann', '4,000'), earnsInfluence('ida'), bought('ida', '1,000'), gift('ann', 'ben', '4,000'))
    .when(gift('ida', 'ben', '1,000'))
    .thenWrites('GiftSent').balances(`
      user:ida:purchased  1,000.00      0.00
      user:ben:earned     2,000.00  2,500.00
      pool:influence      2,000.00  2,500.00
      owed:ida            2,000.00  2,500.00
    `);
});
