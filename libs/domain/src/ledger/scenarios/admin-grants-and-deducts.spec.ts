import { bought, closing, deducted, earnsInfluence, gift, granted } from '../testing/commands.js';
import { given } from '../testing/scenario.js';

test('a grant is issued to earned', () => {
  given().when(granted('ann', '100')).thenWrites('NovaGranted').balances(`
      account            before    after
      user:ann:earned      0.00    100.00
      issuance:NOVA        0.00   -100.00
    `);
});

test('a deduction takes earned Nova, then purchased', () => {
  given(bought('ann', '100'), granted('ann', '50')).when(deducted('ann', '120')).thenWrites('NovaDeducted').balances(`
      user:ann:earned      50.00     0.00
      user:ann:purchased  100.00    30.00
      issuance:NOVA       -50.00    70.00
    `);
});

test('a deduction takes what pools owe before it takes purchased Nova', () => {
  given(earnsInfluence('ida'), bought('ida', '1,100'), gift('ida', 'ben', '1,000'))
    .when(deducted('ida', '550'))
    .thenWrites('PoolRewardsPaid', 'NovaDeducted').balances(`
      owed:ida            500.00     0.00
      pool:influence      500.00     0.00
      user:ida:purchased  100.00    50.00
      issuance:NOVA        -0.01   549.99
    `);
});

test.each(['10', '9'])('a deduction of %s, which earned Nova covers, leaves in the pools what they owe', (amount) => {
  given(earnsInfluence('ida'), bought('ida', '1,000'), gift('ida', 'ben', '1,000'), granted('ida', '10'))
    .when(deducted('ida', amount))
    .thenWrites('NovaDeducted');
});

test('all that is there can be deducted, owed rewards with it', () => {
  given(earnsInfluence('ida'), bought('ida', '1,001'), gift('ida', 'ben', '1,000'))
    .when(deducted('ida', '501'))
    .thenWrites('PoolRewardsPaid', 'NovaDeducted').balances(`
      owed:ida            500.00     0.00
      pool:influence      500.00     0.00
      user:ida:purchased    1.00     0.00
      issuance:NOVA        -0.01   500.99
    `);
});

test('refused: more than the balance, nothing, an account that is closing', () => {
  given(granted('ann', '5')).when(deducted('ann', '5.01')).refused('INSUFFICIENT_NOVA', '5');
  given(granted('ann', '5')).when(deducted('ann', '0')).refused('INVALID_AMOUNT');
  given().when(granted('ann', '-5')).refused('INVALID_AMOUNT');
  given(closing('ann')).when(granted('ann', '5')).refused('ACCOUNT_CLOSED');
  given(granted('ann', '5'), closing('ann')).when(deducted('ann', '5')).refused('ACCOUNT_CLOSED');
});
