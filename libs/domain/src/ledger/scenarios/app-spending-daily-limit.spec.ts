import { app, appSpent, bought, gift } from '../testing/commands.js';
import { given } from '../testing/scenario.js';
import { START_MS } from '../testing/ledger-run.js';

const HOUR_MS = 3_600_000;

test('spending through an application is limited a UTC day', () => {
  given(bought('ann', '1,000'), appSpent('ann', '60', app('dev', '100')))
    .when(appSpent('ann', '40.01', app('dev', '100')))
    .refused('DAILY_LIMIT', '40')
    .when(appSpent('ann', '40', app('dev', '100')))
    .thenWrites('AppTokensSpent')
    .balances(
      `
      account              before    after
      user:ann:purchased   940.00   900.00
      app:app-1:purchased   60.00   100.00
    `,
    )
    .when(appSpent('ann', '0.01', app('dev', '100')))
    .refused('DAILY_LIMIT', '0');
});

test('the day ends at midnight UTC, not after 24 hours', () => {
  const spent = given(bought('ann', '1,000'), appSpent('ann', '100', app('dev', '100')));
  spent
    .at(START_MS + 12 * HOUR_MS - 1)
    .when(appSpent('ann', '1', app('dev', '100')))
    .refused('DAILY_LIMIT', '0');
  spent
    .at(START_MS + 12 * HOUR_MS)
    .when(appSpent('ann', '100', app('dev', '100')))
    .thenWrites('AppTokensSpent');
  spent.when(appSpent('ann', '1', app('dev', '100'))).refused('DAILY_LIMIT', '0');
});

test('gifts through the application count, gifts of one’s own do not', () => {
  const limit = app('dev', '1,500');
  given(bought('ann', '9,000'), gift('ann', 'ben', '1,000'), gift('ann', 'ben', '1,000', limit))
    .when(gift('ann', 'ben', '1,000', limit))
    .refused('DAILY_LIMIT', '500')
    .when(appSpent('ann', '500.01', limit))
    .refused('DAILY_LIMIT', '500')
    .when(gift('ann', 'ben', '1,000'))
    .thenWrites('GiftSent');
});

test('each application and each member has a limit of their own', () => {
  given(bought('ann', '1,000'), bought('ben', '1,000'), appSpent('ann', '100', app('dev', '100')))
    .when(appSpent('ann', '100', app('dev', '100', 'app-2')), appSpent('ben', '100', app('dev', '100')))
    .thenWrites('AppTokensSpent', 'AppTokensSpent');
});

test('a limit lowered below what was spent leaves nothing', () => {
  given(bought('ann', '1,000'), appSpent('ann', '100', app('dev', '100')))
    .when(appSpent('ann', '1', app('dev', '50')))
    .refused('DAILY_LIMIT', '0');
});
