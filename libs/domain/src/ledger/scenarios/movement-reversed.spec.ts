import type { LedgerCommand } from '../commands.js';
import type { ReversibleType } from '../movements/reversal.js';
import {
  app,
  appPaid,
  appSpent,
  bought,
  burned,
  cardPayment,
  chatHeld,
  chatSucceeded,
  closed,
  closing,
  deducted,
  earnsInfluence,
  frozen,
  gift,
  granted,
  walletFunded,
  walletWithdrawn,
} from '../testing/commands.js';
import { given } from '../testing/scenario.js';

test('a gift goes back into the buckets from which it came, from the recipient and the treasury', () => {
  given(bought('ann', '600'), granted('ann', '500'), gift('ann', 'ben', '1,000'))
    .whenReversed('GiftSent')
    .thenWrites('MovementReversed').balances(`
      user:ben:earned     500.00    0.00
      treasury            500.00    0.00
      user:ann:purchased    0.00  600.00
      user:ann:earned     100.00  500.00
    `);
});

test('the holders of Influence keep their half of a gift: the treasury returns it', () => {
  given(
    earnsInfluence('cyd'),
    bought('eve', '2,000'),
    chatHeld('chat-1', 'eve', 'hal', '2,000'),
    chatSucceeded('chat-1'),
    bought('ann', '1,000'),
    gift('ann', 'ben', '1,000'),
  )
    .whenReversed('GiftSent')
    .thenWrites('MovementReversed').balances(`
      user:ben:earned      500.00      0.00
      treasury           1,000.00    500.00
      owed:cyd             500.00    500.00
      pool:influence       500.00    500.00
      user:ann:purchased     0.00  1,000.00
    `);
});

const HALF_IN_THE_POOL: readonly (LedgerCommand | readonly LedgerCommand[])[] = [
  earnsInfluence('cyd'),
  bought('ann', '800'),
  granted('ann', '200'),
  gift('ann', 'ben', '1,000'),
];

test('a gift returns in part what recipient and treasury still have; purchased Nova is what stays away', () => {
  given(HALF_IN_THE_POOL.flat(), cardPayment('unlock', 'ben', 'dan', '200'))
    .whenReversed('GiftSent', { partly: true })
    .thenWrites('MovementReversed').balances(`
      user:ben:earned     300.00    0.00
      user:ann:purchased    0.00  100.00
      user:ann:earned       0.00  200.00
    `);
});

test('without the word for it, a gift is not returned in part', () => {
  given(HALF_IN_THE_POOL.flat()).whenReversed('GiftSent').refused('NOT_IN_FULL', '500');
});

test('a recipient who spent what they earned returns purchased Nova', () => {
  given(bought('ann', '1,000'), gift('ann', 'ben', '1,000'), burned('ben', { earnedNova: '300' }), bought('ben', '400'))
    .whenReversed('GiftSent')
    .thenWrites('MovementReversed').balances(`
      user:ben:earned     200.00      0.00
      user:ben:purchased  400.00    100.00
      treasury            500.00      0.00
      user:ann:purchased    0.00  1,000.00
    `);
});

test('what pools owe the recipient is paid first', () => {
  given(
    earnsInfluence('ben'),
    bought('ann', '1,000'),
    gift('ann', 'ben', '1,000'),
    burned('ben', { earnedNova: '500' }),
  )
    .whenReversed('GiftSent', { partly: true })
    .thenWrites('PoolRewardsPaid', 'MovementReversed').balances(`
      owed:ben            500.00    0.00
      pool:influence      500.00    0.00
      user:ann:purchased    0.00  500.00
    `);
});

test('a grant is taken back, of a member whose spending is paused as well', () => {
  given(bought('ann', '30'), granted('ann', '100'), burned('ann', { earnedNova: '20' }), frozen('ann'))
    .whenReversed('NovaGranted')
    .thenWrites('MovementReversed').balances(`
      user:ann:earned       80.00    0.00
      user:ann:purchased    30.00   10.00
      issuance:NOVA       -100.00    0.00
    `);
});

test('a grant that was spent is taken back as far as it is there', () => {
  given(granted('ann', '100'), burned('ann', { earnedNova: '70' }))
    .whenReversed('NovaGranted')
    .refused('NOT_IN_FULL', '30');
  given(granted('ann', '100'), burned('ann', { earnedNova: '70' }))
    .whenReversed('NovaGranted', { partly: true })
    .thenWrites('MovementReversed').balances(`
      user:ann:earned   30.00    0.00
      issuance:NOVA   -100.00  -70.00
    `);
  given(granted('ann', '100'), burned('ann', { earnedNova: '100' }))
    .whenReversed('NovaGranted', { partly: true })
    .refused('NOTHING_TO_RETURN');
});

test('a deduction comes back whole, into the buckets from which it was taken', () => {
  given(bought('ann', '100'), granted('ann', '50'), deducted('ann', '120'))
    .whenReversed('NovaDeducted')
    .thenWrites('MovementReversed').balances(`
      user:ann:earned       0.00   50.00
      user:ann:purchased   30.00  100.00
      issuance:NOVA        70.00  -50.00
    `);
});

test('spending at an application comes back from its wallet, kind by kind', () => {
  given(
    bought('ann', '30'),
    granted('ann', '20'),
    granted('dev', '5'),
    walletFunded('dev', '5'),
    appSpent('ann', '50', app('dev')),
  )
    .whenReversed('AppTokensSpent')
    .thenWrites('MovementReversed').balances(`
      app:app-1:purchased   30.00   0.00
      app:app-1:earned      25.00   5.00
      user:ann:purchased     0.00  30.00
      user:ann:earned        0.00  20.00
    `);
});

test('a wallet from which purchased Nova was taken fills it up with earned', () => {
  given(
    bought('ann', '30'),
    granted('ann', '20'),
    granted('dev', '50'),
    walletFunded('dev', '50'),
    appSpent('ann', '50', app('dev')),
    walletWithdrawn('dev', '40'),
  )
    .whenReversed('AppTokensSpent')
    .thenWrites('MovementReversed').balances(`
      app:app-1:earned      60.00  10.00
      user:ann:purchased     0.00  30.00
      user:ann:earned        0.00  20.00
    `);
});

test('a payment by an application goes back into its wallet', () => {
  given(bought('dev', '40'), granted('dev', '10'), walletFunded('dev', '50'), appPaid('ann', '45'))
    .whenReversed('AppTokensEarned')
    .thenWrites('MovementReversed').balances(`
      user:ann:purchased   40.00   0.00
      user:ann:earned       5.00   0.00
      app:app-1:purchased   0.00  40.00
      app:app-1:earned      5.00  10.00
    `);
});

test('a reversal does not give back what an application may spend in a day', () => {
  const via = app('dev', '50');
  given(granted('ann', '100'), appSpent('ann', '50', via))
    .when(
      given(granted('ann', '100'), appSpent('ann', '50', via)).reversalOf('AppTokensSpent'),
      appSpent('ann', '1', via),
    )
    .refused('DAILY_LIMIT');
});

test.each<[string, readonly LedgerCommand[], ReversibleType, string]>([
  [
    'the sender is closing',
    [bought('ann', '1,000'), gift('ann', 'ben', '1,000'), closing('ann')],
    'GiftSent',
    'The account that would get the Nova back is closed.',
  ],
  [
    'the recipient is closed',
    [bought('ann', '1,000'), gift('ann', 'ben', '1,000'), closing('ben'), closed('ben')],
    'GiftSent',
    'The account that would return the Nova is closed.',
  ],
  [
    'the member of a deduction is closing',
    [granted('ann', '10'), deducted('ann', '5'), closing('ann')],
    'NovaDeducted',
    'The account that would get the Nova back is closed.',
  ],
  [
    'the developer of the wallet that would get it is closing',
    [granted('dev', '10'), walletFunded('dev', '10'), appPaid('ann', '10'), closing('dev')],
    'AppTokensEarned',
    'The account that would get the Nova back is closed.',
  ],
])('refused: %s', (_, before, type, message) => {
  const scenario = given(...before);
  expect(scenario.dryRun(scenario.reversalOf(type, { partly: true }))).toMatchObject({
    accepted: false,
    rejection: { code: 'ACCOUNT_CLOSED', message },
  });
});

test('an account that is closing returns what it has', () => {
  given(granted('ann', '10'), closing('ann')).whenReversed('NovaGranted').thenWrites('MovementReversed').balances(`
      user:ann:earned   10.00  0.00
      issuance:NOVA    -10.00  0.00
    `);
});

test.each<[Record<string, unknown>, string]>([
  [{ originalType: 'MovementReversed' }, 'NOT_REVERSIBLE'],
  [{ originalType: 'NovaPurchased' }, 'NOT_REVERSIBLE'],
  [{ originalRevision: 99 }, 'INVALID_COMMAND'],
  [{ originalRevision: -1 }, 'INVALID_COMMAND'],
  [{ originalRevision: 0.5 }, 'INVALID_COMMAND'],
  [{ purchased: -1n }, 'INVALID_COMMAND'],
  [{ earned: -1n }, 'INVALID_COMMAND'],
  [{ purchased: 0n, earned: 0n }, 'INVALID_AMOUNT'],
  [{ counterpartyId: null }, 'INVALID_COMMAND'],
  [{ counterpartyId: 'ann' }, 'INVALID_COMMAND'],
  [{ counterpartyId: 'b b' }, 'INVALID_COMMAND'],
  [{ originalType: 'NovaGranted' }, 'INVALID_COMMAND'],
  [{ originalType: 'NovaGranted', counterpartyId: null }, 'INVALID_COMMAND'],
  [{ originalType: 'NovaDeducted', counterpartyId: null, clientId: 'app-1' }, 'INVALID_COMMAND'],
  [{ originalType: 'AppTokensSpent' }, 'INVALID_COMMAND'],
  [{ originalType: 'AppTokensEarned', clientId: 'app-1' }, 'INVALID_COMMAND'],
])('refused: an original with %p', (change, code) => {
  const scenario = given(bought('ann', '1,000'), gift('ann', 'ben', '1,000'));
  const command = { ...scenario.reversalOf('GiftSent'), ...change } as LedgerCommand;
  expect(scenario.dryRun(command)).toMatchObject({ accepted: false, rejection: { code } });
});

test('a dry run says what would come back, and changes nothing', () => {
  const scenario = given(granted('ann', '100'), burned('ann', { earnedNova: '70' }));
  expect(scenario.dryRun(scenario.reversalOf('NovaGranted', { partly: true }))).toMatchObject({
    accepted: true,
    events: [{ type: 'MovementReversed', originalRevision: 0, returned: 3_000n }],
  });
});

test('a reversal under the key of its original takes effect once', () => {
  const scenario = given(granted('ann', '100'), granted('ann', '100'));
  const key = { hash: '0'.repeat(32), fingerprint: '0'.repeat(16) };
  const command = scenario.reversalOf('NovaGranted');
  scenario.whenKeyed(key, command).thenWrites('MovementReversed');
  scenario.whenKeyed(key, command).answered('repeat', 2);
});
