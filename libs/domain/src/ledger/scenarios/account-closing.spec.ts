import {
  app,
  appSpent,
  bought,
  burned,
  chatBrokenOff,
  chatHeld,
  chatSucceeded,
  closed,
  closing,
  collected,
  earnsInfluence,
  gift,
  granted,
  karmaMinted,
  released,
  threadShared,
  walletFunded,
  walletWithdrawn,
} from '../testing/commands.js';
import { given } from '../testing/scenario.js';

test('announcing moves nothing, and is announced once', () => {
  given(bought('ann', '10')).when(closing('ann')).thenWrites('AccountClosing').balances('');
  given(closing('ann')).when(closing('ann')).refused('ACCOUNT_CLOSED');
  given(closing('ann'), closed('ann')).when(closing('ann')).refused('ACCOUNT_CLOSED');
});

test('Nova goes to the treasury, other tokens are burned, shares are given up', () => {
  given(
    earnsInfluence('ann'),
    karmaMinted('ann'),
    karmaMinted('kim'),
    threadShared('hal', 'ann'),
    threadShared('hal', 'tom'),
    bought('ann', '100'),
    granted('ann', '50'),
    burned('ann', { earnedNova: '20' }),
    bought('cat', '2,000'),
    gift('cat', 'ben', '1,000'),
    chatHeld('c1', 'cat', 'hal', '100'),
    chatSucceeded('c1'),
    closing('ann'),
  )
    .when(closed('ann'))
    .thenWrites('PoolRewardsPaid', 'AccountClosed').balances(`
      account                     before    after
      user:ann:purchased          100.00     0.00
      user:ann:earned              30.00     0.00
      owed:ann                    510.00     0.00
      pool:influence              500.00     0.00
      pool:karma                   10.00     5.00
      pool:thread:hal              10.00     5.00
      owed:kim                      5.00     5.00
      owed:tom                      5.00     5.00
      treasury                     30.00   670.00
      user:ann:karma                1        0
      burned:KARMA                  0        1
      user:ann:influence            1        0
      burned:INFLUENCE              0        1
      user:ann:seyvn               20.00     0.00
      burned:SEYVN                  0.00    20.00
      shares:pool:karma:ann         1        0
      shares:pool:influence:ann     1        0
      shares:pool:thread:hal:ann    1        0
    `);
});

test('the last holder’s rest of every pool goes to the treasury', () => {
  const three = [karmaMinted('ann'), karmaMinted('ann'), karmaMinted('ann')];
  const threads = [threadShared('hal', 'ann'), threadShared('hal', 'ann'), threadShared('hal', 'ann')];
  given(three, threads, bought('cat', '1'), chatHeld('c1', 'cat', 'hal', '0.10'), chatSucceeded('c1'), closing('ann'))
    .when(closed('ann'))
    .thenWrites('AccountClosed').balances(`
      pool:karma                   0.01     0.00
      pool:thread:hal              0.01     0.00
      treasury                     0.03     0.05
      user:ann:karma               3        0
      burned:KARMA                 0        3
      shares:pool:karma:ann        3        0
      shares:pool:thread:hal:ann   3        0
    `);
});

test('an account with nothing closes with an event that moves nothing', () => {
  given(closing('ann')).when(closed('ann')).thenWrites('AccountClosed').balances('');
});

test('closing waits for chats, rewards and wallets', () => {
  given(bought('ann', '10'), chatHeld('c1', 'ann', 'hal', '10'), closing('ann'), closing('hal'))
    .when(closed('ann'))
    .refused('ACCOUNT_STILL_BUSY')
    .when(closed('hal'))
    .refused('ACCOUNT_STILL_BUSY')
    .when(chatSucceeded('c1'), closed('hal'))
    .refused('ACCOUNT_STILL_BUSY')
    .when(closed('ann'))
    .refused('ACCOUNT_STILL_BUSY')
    .when(released('c1', 'host'), closed('hal'), released('c1', 'initiator'), closed('ann'))
    .thenWrites('ChatRewardReleased', 'AccountClosed', 'ChatRewardReleased', 'AccountClosed').balances(`
      user:hal:pending     5.00    0.00
      treasury             5.00   10.00
      issuance:INFLUENCE   0      -1
      burned:INFLUENCE     0       1
    `);
});

test('closing waits for nothing of other members', () => {
  given(
    bought('ann', '20'),
    chatHeld('c1', 'ann', 'hal', '10'),
    chatHeld('c2', 'ann', 'hal', '10'),
    chatSucceeded('c2'),
  )
    .when(closing('eve'), closed('eve'))
    .thenWrites('AccountClosing', 'AccountClosed');
});

test('a wallet with money in it is emptied first', () => {
  given(bought('dev', '10'), walletFunded('dev', '10'), closing('dev'))
    .when(closed('dev'))
    .refused('ACCOUNT_STILL_BUSY')
    .when(walletWithdrawn('dev', '10'), closed('dev'))
    .thenWrites('AppWalletWithdrawn', 'AccountClosed').balances(`
      app:app-1:purchased   10.00    0.00
      treasury               0.00   10.00
    `);
});

test('Nova of either kind keeps a wallet open; the wallet of another member keeps nobody', () => {
  given(bought('dev', '5'), granted('dev', '5'), walletFunded('dev', '10'), closing('dev'), closing('ann'))
    .when(closed('dev'))
    .refused('ACCOUNT_STILL_BUSY')
    .when(closed('ann'))
    .thenWrites('AccountClosed');
});

test('nobody can spend at the application of a closed owner', () => {
  given(
    bought('dev', '10'),
    walletFunded('dev', '10'),
    bought('ann', '10'),
    closing('dev'),
    walletWithdrawn('dev', '10'),
  )
    .when(closed('dev'), appSpent('ann', '1', app('dev')))
    .refused('RECIPIENT_CLOSED');
});

test('an open chat of a closing host ends as if the host had broken off; of a closing initiator with the part due', () => {
  given(bought('ann', '10'), chatHeld('c1', 'ann', 'hal', '10'), closing('ann'))
    .when(chatBrokenOff('c1', '5'), closed('ann'))
    .thenWrites('ChatPaymentSettled', 'AccountClosed').balances(`
      chat:c1            10.00   0.00
      user:hal:earned     0.00   2.50
      treasury            0.00   7.50
    `);
});

test('an account that is not closing cannot be closed, nor one that is closed', () => {
  given(bought('ann', '10')).when(closed('ann')).refused('ACCOUNT_NOT_CLOSING');
  given(closing('ann'), closed('ann')).when(closed('ann')).refused('ACCOUNT_NOT_CLOSING');
});

test('a member who is closing may still collect', () => {
  given(earnsInfluence('ida'), bought('ann', '1,000'), gift('ann', 'ben', '1,000'), closing('ida'))
    .when(collected('ida'))
    .thenWrites('PoolRewardsPaid').balances(`
      owed:ida          500.00     0.00
      pool:influence    500.00     0.00
      user:ida:earned     0.00   500.00
    `);
});

test('a restored state closes an account in the same bytes, whatever the order in which its threads began', () => {
  const hosts = ['hal', 'gus', 'fay'];
  const shares = (userId: string, by: readonly string[]) => by.map((host) => threadShared(host, userId));
  const scenario = given(
    shares('zoe', hosts),
    shares('ann', hosts.toReversed()),
    shares('ann', [...hosts, ...hosts]),
    closing('zoe'),
    closed('zoe'),
    bought('cat', '1'),
    hosts.flatMap((host) => [chatHeld(host, 'cat', host, '0.10'), chatSucceeded(host)]),
    closing('ann'),
  );
  const live = scenario.dryRun(closed('ann'));
  expect(scenario.restored().dryRun(closed('ann'))).toEqual(live);
  scenario.when(closed('ann')).thenWrites('AccountClosed').balances(`
    pool:thread:fay              0.01    0.00
    pool:thread:gus              0.01    0.00
    pool:thread:hal              0.01    0.00
    treasury                     0.12    0.15
    shares:pool:thread:fay:ann   3       0
    shares:pool:thread:gus:ann   3       0
    shares:pool:thread:hal:ann   3       0
  `);
});
