import {
  bought,
  burned,
  chatHeld,
  chatSucceeded,
  closing,
  earnsInfluence,
  frozen,
  gift,
  granted,
  karmaMinted,
} from '../testing/commands.js';
import { given } from '../testing/scenario.js';

test('Seyvn = earned Nova + 10 × Influence + 5 × Karma', () => {
  given(earnsInfluence('ann'), granted('ann', '100'), karmaMinted('ann'), karmaMinted('ann'), karmaMinted('kim'))
    .when(burned('ann', { earnedNova: '100', karma: 1n, influence: 1n }))
    .thenWrites('TokensBurned').balances(`
      account                    before    after
      user:ann:earned            100.00     0.00
      burned:NOVA                  0.00   100.00
      user:ann:karma               2         1
      shares:pool:karma:ann        2         1
      burned:KARMA                 0         1
      user:ann:influence           1         0
      shares:pool:influence:ann    1         0
      burned:INFLUENCE             0         1
      user:ann:seyvn               0.00   115.00
      issuance:SEYVN               0.00  -115.00
    `);
});

test('shares are paid what they are owed before they burn', () => {
  given(
    karmaMinted('kim'),
    karmaMinted('lea'),
    bought('ann', '100'),
    chatHeld('c1', 'ann', 'hal', '100'),
    chatSucceeded('c1'),
  )
    .when(burned('kim', { karma: 1n }))
    .thenWrites('PoolRewardsPaid', 'TokensBurned').balances(`
      owed:kim                5.00     0.00
      user:kim:earned         0.00     5.00
      pool:karma             10.00     5.00
      user:kim:karma          1        0
      shares:pool:karma:kim   1        0
      burned:KARMA            0        1
      user:kim:seyvn          0.00     5.00
      issuance:SEYVN          0.00    -5.00
    `);
});

test('owed Nova is earned Nova and can be burned', () => {
  given(earnsInfluence('ida'), bought('ann', '1,000'), gift('ann', 'ben', '1,000'))
    .when(burned('ida', { earnedNova: '500' }))
    .thenWrites('PoolRewardsPaid', 'TokensBurned').balances(`
      owed:ida            500.00      0.00
      pool:influence      500.00      0.00
      burned:NOVA           0.00    500.00
      user:ida:seyvn        0.00    500.00
      issuance:SEYVN        0.00   -500.00
    `);
});

test.each(['10', '9.99'])('burning %s, which earned Nova covers, leaves in the pools what they owe', (earnedNova) => {
  given(earnsInfluence('ida'), granted('ida', '10'), bought('ann', '1,000'), gift('ann', 'ben', '1,000'))
    .when(burned('ida', { earnedNova }))
    .thenWrites('TokensBurned');
});

test('what is owed beside earned Nova can be burned to the last hundredth', () => {
  const ida = () =>
    given(earnsInfluence('ida'), granted('ida', '10'), bought('ann', '1,000'), gift('ann', 'ben', '1,000'));
  ida()
    .when(burned('ida', { earnedNova: '510' }))
    .thenWrites('PoolRewardsPaid', 'TokensBurned');
  ida()
    .when(burned('ida', { earnedNova: '510.01' }))
    .refused('INSUFFICIENT_NOVA', '510');
});

test('tokens of both kinds, as many of one as of the other, are paid what they are owed before they burn', () => {
  given(earnsInfluence('ida'), karmaMinted('ida'), bought('ann', '1,000'), gift('ann', 'ben', '1,000'))
    .when(burned('ida', { karma: 1n, influence: 1n }))
    .thenWrites('PoolRewardsPaid', 'TokensBurned');
});

test('the least that can be burned is a hundredth, beside as many tokens', () => {
  given(granted('ann', '0.01'), karmaMinted('ann'))
    .when(burned('ann', { earnedNova: '0.01', karma: 1n }))
    .thenWrites('TokensBurned');
});

test('a member whose spending is paused burns nothing', () => {
  given(granted('ann', '5'), frozen('ann'))
    .when(burned('ann', { earnedNova: '5' }))
    .refused('SPENDING_FROZEN');
});

test('refused: nothing, negative, purchased Nova, tokens not held, an account that is closing', () => {
  const ann = () => given(bought('ann', '100'), granted('ann', '5'), karmaMinted('ann'));
  ann().when(burned('ann', {})).refused('INVALID_AMOUNT');
  ann()
    .when(burned('ann', { earnedNova: '-1', karma: 1n }))
    .refused('INVALID_AMOUNT');
  ann()
    .when(burned('ann', { karma: -1n, influence: 1n }))
    .refused('INVALID_AMOUNT');
  ann()
    .when(burned('ann', { earnedNova: '5.01' }))
    .refused('INSUFFICIENT_NOVA', '5');
  ann()
    .when(burned('ann', { karma: 2n }))
    .refused('INSUFFICIENT_TOKENS');
  ann()
    .when(burned('ann', { influence: 1n }))
    .refused('INSUFFICIENT_TOKENS');
  given(granted('ann', '5'), closing('ann'))
    .when(burned('ann', { earnedNova: '5' }))
    .refused('ACCOUNT_CLOSED');
});
