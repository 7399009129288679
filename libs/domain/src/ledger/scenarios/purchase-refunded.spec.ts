import { bought, frozen, granted, reversed } from '../testing/commands.js';
import { given } from '../testing/scenario.js';

test('a refund takes purchased Nova and leaves what was earned', () => {
  given(bought('ann', '1,250'), granted('ann', '100')).when(reversed('ann', '1,250')).thenWrites('PurchaseReversed')
    .balances(`
      account                  before       after
      user:ann:purchased     1,250.00        0.00
      user:ann:earned          100.00      100.00
      external:stripe       -1,250.00        0.00
    `);
});

test('a refund in part takes that part', () => {
  given(bought('ann', '1,250')).when(reversed('ann', '250')).thenWrites('PurchaseReversed').balances(`
      user:ann:purchased     1,250.00    1,000.00
      external:stripe       -1,250.00   -1,000.00
    `);
});

test('a freeze does not stop a refund', () => {
  given(bought('ann', '10'), frozen('ann'))
    .when(reversed('ann', '10', 'dispute'))
    .thenWrites('PurchaseReversed').balances(`
      user:ann:purchased    10.00   0.00
      external:stripe      -10.00   0.00
    `);
});

test.each(['0', '-5'])('a refund of %s is refused', (amount) => {
  given(bought('ann', '10')).when(reversed('ann', amount)).refused('INVALID_AMOUNT');
});
