import {
  app,
  appPaid,
  appPaidInBulk,
  appSpent,
  bought,
  closing,
  frozen,
  granted,
  walletFunded,
  walletWithdrawn,
} from '../testing/commands.js';
import { given } from '../testing/scenario.js';

test('funding takes purchased Nova first, and the wallet remembers', () => {
  given(bought('dev', '50'), granted('dev', '100')).when(walletFunded('dev', '120')).thenWrites('AppWalletFunded')
    .balances(`
      account               before    after
      user:dev:purchased     50.00     0.00
      user:dev:earned       100.00    30.00
      app:app-1:purchased     0.00    50.00
      app:app-1:earned        0.00    70.00
    `);
});

test('withdrawing gives the purchased part back as purchased', () => {
  given(bought('dev', '50'), granted('dev', '100'), walletFunded('dev', '120'))
    .when(walletWithdrawn('dev', '60'))
    .thenWrites('AppWalletWithdrawn').balances(`
      app:app-1:purchased    50.00     0.00
      app:app-1:earned       70.00    60.00
      user:dev:purchased      0.00    50.00
      user:dev:earned        30.00    40.00
    `);
});

test('what a member spends at an application and is paid by it keeps its mix', () => {
  given(bought('ann', '10'), granted('ann', '10'))
    .when(appSpent('ann', '15', app('dev')))
    .thenWrites('AppTokensSpent')
    .balances(
      `
      user:ann:purchased     10.00     0.00
      user:ann:earned        10.00     5.00
      app:app-1:purchased     0.00    10.00
      app:app-1:earned        0.00     5.00
    `,
    )
    .when(appPaid('ben', '12'))
    .thenWrites('AppTokensEarned').balances(`
      app:app-1:purchased    10.00     0.00
      app:app-1:earned        5.00     3.00
      user:ben:purchased      0.00    10.00
      user:ben:earned         0.00     2.00
    `);
});

test('spending at one’s own application is refused', () => {
  given(bought('dev', '10'))
    .when(appSpent('dev', '1', app('dev')))
    .refused('OWN_APPLICATION');
});

test('an application pays only what its wallet holds', () => {
  given(bought('dev', '10'), walletFunded('dev', '10'))
    .when(appPaid('ann', '10.01'))
    .refused('APP_INSUFFICIENT_NOVA', '10');
  given(bought('dev', '10'), walletFunded('dev', '10'))
    .when(walletWithdrawn('dev', '10.01'))
    .refused('APP_INSUFFICIENT_NOVA', '10');
  given().when(appPaid('ann', '1')).refused('APP_INSUFFICIENT_NOVA', '0');
  given().when(walletWithdrawn('dev', '1')).refused('APP_INSUFFICIENT_NOVA', '0');
});

test('all that a wallet holds can be paid, or withdrawn', () => {
  const wallet = () => given(bought('dev', '10'), walletFunded('dev', '10'));
  wallet().when(appPaid('ann', '10')).thenWrites('AppTokensEarned');
  wallet().when(walletWithdrawn('dev', '10')).thenWrites('AppWalletWithdrawn');
});

test('while its owner’s spending is paused an application pays nothing, and its wallet can be emptied', () => {
  const wallet = () => given(bought('dev', '10'), walletFunded('dev', '10'), frozen('dev'));
  wallet().when(appPaid('ann', '1')).refused('SPENDING_FROZEN');
  wallet().when(walletWithdrawn('dev', '1')).thenWrites('AppWalletWithdrawn');
});

test('an application belongs to who first used its wallet', () => {
  const apps = () => given(bought('dev', '10'), bought('eve', '10'), walletFunded('dev', '10'));
  apps().when(walletFunded('eve', '1')).refused('NOT_APP_OWNER');
  apps().when(walletWithdrawn('eve', '1')).refused('NOT_APP_OWNER');
  apps()
    .when(appSpent('ann', '1', app('eve')))
    .refused('NOT_APP_OWNER');
});

test('refused: nothing, more than one has, closing sides, odd ids', () => {
  const apps = () => given(bought('dev', '10'), bought('ann', '10'), walletFunded('dev', '5'));
  apps().when(walletFunded('dev', '0')).refused('INVALID_AMOUNT');
  apps().when(walletFunded('dev', '5.01')).refused('INSUFFICIENT_NOVA', '5');
  apps().when(walletWithdrawn('dev', '-1')).refused('INVALID_AMOUNT');
  apps()
    .when(appSpent('ann', '-1', app('dev')))
    .refused('INVALID_AMOUNT');
  apps()
    .when(appSpent('ann', '10.01', app('dev')))
    .refused('INSUFFICIENT_NOVA', '10');
  apps().when(appPaid('ann', '0')).refused('INVALID_AMOUNT');
  apps()
    .when(closing('dev'), appSpent('ann', '1', app('dev')))
    .refused('RECIPIENT_CLOSED');
  apps().when(closing('dev'), appPaid('ann', '1')).refused('ACCOUNT_CLOSED');
  apps().when(closing('ann'), appPaid('ann', '1')).refused('ACCOUNT_CLOSED');
  apps()
    .when(closing('ann'), appSpent('ann', '1', app('dev')))
    .refused('ACCOUNT_CLOSED');
  apps()
    .when(appSpent('ann', '1', app('dev:x')))
    .refused('INVALID_COMMAND');
  apps()
    .when(appSpent('ann', '1', app('dev', '1', 'no app')))
    .refused('INVALID_COMMAND');
});

test('a bulk pays each member purchased Nova first, of what those before have left', () => {
  const funded = [bought('dev', '50'), granted('dev', '100'), walletFunded('dev', '120')];
  given(...funded)
    .when(
      appPaidInBulk([
        ['ann', '40', 'note:1'],
        ['ben', '30'],
        ['ann', '1'],
      ]),
    )
    .thenWrites('AppTokensEarned', 'AppTokensEarned', 'AppTokensEarned').balances(`
      app:app-1:purchased   50.00     0.00
      app:app-1:earned      70.00    49.00
      user:ann:purchased     0.00    40.00
      user:ann:earned        0.00     1.00
      user:ben:purchased     0.00    10.00
      user:ben:earned        0.00    20.00
    `);
});

test('a bulk pays everybody or nobody', () => {
  const funded = [granted('dev', '100'), walletFunded('dev', '100')];
  const rows = (count: number) => Array.from({ length: count }, () => ['ann', '0.01'] as const);
  given(...funded)
    .when(
      appPaidInBulk([
        ['ann', '60'],
        ['ben', '40.01'],
      ]),
    )
    .refused('APP_INSUFFICIENT_NOVA');
  given(...funded)
    .when(
      appPaidInBulk([
        ['ann', '60'],
        ['ben', '0'],
      ]),
    )
    .refused('INVALID_AMOUNT');
  given(...funded, granted('ben', '1'), closing('ben'))
    .when(
      appPaidInBulk([
        ['ann', '1'],
        ['ben', '1'],
      ]),
    )
    .refused('ACCOUNT_CLOSED');
  given(...funded, frozen('dev'))
    .when(appPaidInBulk([['ann', '1']]))
    .refused('SPENDING_FROZEN');
  given(...funded)
    .when(appPaidInBulk([['ann', '1']], 'app-2'))
    .refused('APP_INSUFFICIENT_NOVA');
  given(...funded)
    .when(appPaidInBulk([]))
    .refused('INVALID_COMMAND');
  given(...funded)
    .when(appPaidInBulk(rows(501)))
    .refused('INVALID_COMMAND');
  given(...funded)
    .when(appPaidInBulk(rows(500)))
    .thenWrites(...rows(500).map(() => 'AppTokensEarned' as const));
});
