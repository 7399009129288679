import type { LedgerCommand } from '../commands.js';
import { bought, closing } from '../testing/commands.js';
import { given } from '../testing/scenario.js';

test('a confirmed card payment becomes purchased Nova', () => {
  given().when(bought('ann', '1,250')).thenWrites('NovaPurchased').balances(`
      account                  before       after
      user:ann:purchased         0.00    1,250.00
      external:stripe            0.00   -1,250.00
    `);
});

test('a payment confirmed while the account closes is refused, so that it is refunded at the provider', () => {
  given(closing('ann')).when(bought('ann', '1,250')).refused('ACCOUNT_CLOSED');
});

test.each(['0', '-1', '90,071,992,547,409.92'])('a payment of %s is refused', (amount) => {
  given().when(bought('ann', amount)).refused('INVALID_AMOUNT');
});

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
  'a charge of %d cents is refused',
  (chargedCents) => {
    given()
      .when({ ...bought('ann', '1'), chargedCents } as ReturnType<typeof bought>)
      .refused('INVALID_COMMAND');
  },
);

test('a purchase that cost nothing is one', () => {
  given()
    .when({ ...bought('ann', '5'), chargedCents: 0 } as LedgerCommand)
    .thenWrites('NovaPurchased');
});
