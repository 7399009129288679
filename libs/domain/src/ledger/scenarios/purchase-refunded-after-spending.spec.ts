import { bought, closed, closing, earnsInfluence, gift, granted, reversed } from '../testing/commands.js';
import { given } from '../testing/scenario.js';

test('what was spent is taken from earned, and the rest is a chargeback', () => {
  given(bought('ann', '1,500'), gift('ann', 'ben', '1,000'), granted('ann', '200'))
    .when(reversed('ann', '1,500'))
    .thenWrites('PurchaseReversed').balances(`
      account                  before      after
      user:ann:purchased       500.00       0.00
      user:ann:earned          200.00       0.00
      external:stripe       -1,500.00       0.00
      external:chargebacks       0.00    -800.00
    `);
});

test('what pools owe is paid out and taken before anything is a chargeback', () => {
  given(earnsInfluence('ida'), bought('ida', '1,000'), gift('ida', 'ben', '1,000'))
    .when(reversed('ida', '1,000', 'dispute'))
    .thenWrites('PoolRewardsPaid', 'PurchaseReversed').balances(`
      owed:ida                 500.00       0.00
      pool:influence           500.00       0.00
      external:stripe       -1,000.00       0.00
      external:chargebacks       0.00    -500.00
    `);
});

test('owed rewards stay in the pool where earned Nova is enough', () => {
  given(earnsInfluence('ida'), bought('ida', '1,000'), gift('ida', 'ben', '1,000'), granted('ida', '1,000'))
    .when(reversed('ida', '1,000'))
    .thenWrites('PurchaseReversed').balances(`
      owed:ida                 500.00     500.00
      user:ida:earned        1,000.00       0.00
      external:stripe       -1,000.00       0.00
    `);
});

test('of a closed account nothing is left: all of it is a chargeback', () => {
  given(bought('ann', '100'), closing('ann'), closed('ann'))
    .when(reversed('ann', '100', 'dispute'))
    .thenWrites('PurchaseReversed').balances(`
      treasury                 100.00     100.00
      external:stripe         -100.00       0.00
      external:chargebacks       0.00    -100.00
    `);
});
