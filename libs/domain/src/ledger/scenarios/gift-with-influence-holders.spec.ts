import { bought, burned, earnsInfluence, gift } from '../testing/commands.js';
import { given } from '../testing/scenario.js';

test('half of a gift is owed to the holders of Influence, by their shares', () => {
  given(bought('ann', '5,000'), earnsInfluence('ida'), earnsInfluence('ida', 'hub', 'again'), earnsInfluence('jon'))
    .when(gift('ann', 'ben', '3,000'))
    .thenWrites('GiftSent').balances(`
      account              before      after
      user:ann:purchased  5,000.00   2,000.00
      user:ben:earned         0.00   1,500.00
      pool:influence          0.00   1,500.00
      owed:ida                0.00   1,000.00
      owed:jon                0.00     500.00
    `);
});

test('what cannot be divided stays in the pool until it can', () => {
  const three = [earnsInfluence('ida'), earnsInfluence('jon'), earnsInfluence('kay')];
  given(bought('ann', '9,000'), ...three)
    .when(gift('ann', 'ben', '1,000'))
    .thenWrites('GiftSent')
    .balances(
      `
      user:ann:purchased  9,000.00   8,000.00
      user:ben:earned         0.00     500.00
      pool:influence          0.00     500.00
      owed:ida                0.00     166.66
      owed:jon                0.00     166.66
      owed:kay                0.00     166.66
    `,
    )
    .when(gift('ann', 'ben', '2,000'))
    .thenWrites('GiftSent').balances(`
      user:ann:purchased  8,000.00   6,000.00
      user:ben:earned       500.00   1,500.00
      pool:influence        500.00   1,500.00
      owed:ida              166.66     500.00
      owed:jon              166.66     500.00
      owed:kay              166.66     500.00
    `);
});

test('a holder who gives shares in their own gift', () => {
  given(earnsInfluence('ida'), bought('ida', '1,000'))
    .when(gift('ida', 'ben', '1,000'))
    .thenWrites('GiftSent').balances(`
      user:ida:purchased  1,000.00     0.00
      user:ben:earned         0.00   500.00
      pool:influence          0.00   500.00
      owed:ida                0.00   500.00
    `);
});

test('after the last holder has burned their Influence the treasury takes that half again', () => {
  given(bought('ann', '1,000'), earnsInfluence('ida'), burned('ida', { influence: 1n }))
    .when(gift('ann', 'ben', '1,000'))
    .thenWrites('GiftSent').balances(`
      user:ann:purchased  1,000.00     0.00
      user:ben:earned         0.00   500.00
      treasury                0.00   500.00
    `);
});
