import { bought, chatHeld, chatSucceeded, closing, karmaMinted } from '../testing/commands.js';
import { given } from '../testing/scenario.js';

test('one Karma on every fifth completed chat', () => {
  given().when(karmaMinted('kim', 5)).thenWrites('KarmaMinted').balances(`
      account                before   after
      user:kim:karma              0       1
      shares:pool:karma:kim       0       1
      issuance:KARMA              0      -1
    `);
});

test('what the first Karma is owed is paid before a second changes the shares', () => {
  given(karmaMinted('kim', 5), bought('ann', '100'), chatHeld('c1', 'ann', 'hal', '100'), chatSucceeded('c1'))
    .when(karmaMinted('kim', 10))
    .thenWrites('PoolRewardsPaid', 'KarmaMinted').balances(`
      owed:kim                10.00    0.00
      pool:karma              10.00    0.00
      user:kim:earned          0.00   10.00
      user:kim:karma           1       2
      shares:pool:karma:kim    1       2
      issuance:KARMA          -1      -2
    `);
});

test.each([0, -5, 4, 6, 2.5, Number.NaN, Number.POSITIVE_INFINITY, 5e300])('a count of %d mints nothing', (count) => {
  given().when(karmaMinted('kim', count)).refused('INVALID_COMMAND');
});

test('none for an account that is closing', () => {
  given(closing('kim')).when(karmaMinted('kim')).refused('ACCOUNT_CLOSED');
});
