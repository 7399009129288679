import {
  bought,
  burned,
  chatHeld,
  chatSucceeded,
  closed,
  closing,
  collected,
  deducted,
  earnsInfluence,
  gift,
  granted,
  karmaMinted,
  released,
  reversed,
  threadShared,
} from '../testing/commands.js';
import { POOLS_PER_PAYOUT_MAX } from '../constants.js';
import { given } from '../testing/scenario.js';

test('one event pays all pools of a holder', () => {
  given(
    earnsInfluence('kim'),
    karmaMinted('kim'),
    threadShared('hal', 'kim'),
    bought('ann', '1,100'),
    gift('ann', 'ben', '1,000'),
    chatHeld('c1', 'ann', 'hal', '100'),
    chatSucceeded('c1'),
  )
    .when(collected('kim'))
    .thenWrites('PoolRewardsPaid')
    .balances(
      `
      account            before    after
      owed:kim           520.00     0.00
      pool:influence     500.00     0.00
      pool:karma          10.00     0.00
      pool:thread:hal     10.00     0.00
      user:kim:earned      0.00   520.00
    `,
    )
    .when(collected('kim'))
    .refused('NOTHING_TO_COLLECT');
});

test('the pools of a payout come in the order of their names, in whatever order their shares began', () => {
  const [payout] = given(
    threadShared('zed', 'kim'),
    threadShared('abe', 'kim'),
    threadShared('moe', 'kim'),
    karmaMinted('kim'),
    bought('ann', '30'),
    ['abe', 'moe', 'zed'].flatMap((host) => [chatHeld(host, 'ann', host, '10'), chatSucceeded(host)]),
  )
    .when(collected('kim'))
    .events();
  expect(payout).toMatchObject({
    payouts: [
      ['pool:karma', 300n],
      ['pool:thread:abe', 100n],
      ['pool:thread:moe', 100n],
      ['pool:thread:zed', 100n],
    ],
  });
});

test('less than one hundredth is nothing yet', () => {
  given(
    karmaMinted('kim'),
    karmaMinted('lea'),
    bought('ann', '1'),
    chatHeld('c1', 'ann', 'hal', '0.10'),
    chatSucceeded('c1'),
  )
    .when(collected('kim'))
    .refused('NOTHING_TO_COLLECT');
});

test('more pools than one event pays: spending asks to collect first, and collecting pays a thousand at a time', () => {
  const hosts = Array.from({ length: POOLS_PER_PAYOUT_MAX + 1 }, (_, n) => `h${String(n).padStart(4, '0')}`);
  const scenario = given(granted('tom', '5'), bought('ann', '5,000'));
  for (const host of hosts) scenario.quietly(threadShared(host, 'tom'));
  for (const [n, host] of hosts.entries()) {
    // A thousand are still paid at once.
    if (n === POOLS_PER_PAYOUT_MAX) {
      expect(scenario.dryRun(chatHeld('c1', 'tom', 'h1', '105'))).toMatchObject({
        events: [{ type: 'PoolRewardsPaid', payouts: { length: POOLS_PER_PAYOUT_MAX } }, { type: 'ChatPaymentHeld' }],
      });
    }
    scenario.quietly(chatHeld(host, 'ann', host, '1'));
    scenario.quietly(chatSucceeded(host));
  }
  scenario.when(chatHeld('c1', 'tom', 'h1', '10')).refused('TOO_MANY_POOLS');
  // So does whatever else must settle them all first.
  const leaving = scenario.restored();
  leaving.quietly(closing('tom'));
  expect(leaving.dryRun(closed('tom'))).toMatchObject({ rejection: { code: 'TOO_MANY_POOLS' } });
  scenario.quietly(chatHeld('c2', 'tom', 'h1', '1'));
  scenario.quietly(chatSucceeded('c2'));
  const settling = [
    deducted('tom', '10'),
    reversed('tom', '10'),
    burned('tom', { earnedNova: '10' }),
    karmaMinted('tom'),
    threadShared('h2000', 'tom'),
    released('c2', 'initiator'),
  ];
  for (const command of settling) {
    expect(scenario.dryRun(command)).toMatchObject({
      rejection: {
        code: 'TOO_MANY_POOLS',
        message: 'Rewards from too many sources are waiting. Collect them first, then try again.',
        holderId: 'tom',
      },
    });
  }
  scenario.when(collected('tom')).thenWrites('PoolRewardsPaid');
  scenario.when(chatHeld('c1', 'tom', 'h1', '104.10')).thenWrites('PoolRewardsPaid', 'ChatPaymentHeld').balances(`
      user:tom:earned       104.00      0.00
      owed:tom                0.10      0.00
      pool:thread:h1000       0.10      0.00
      chat:c1                 0.00    104.10
    `);
});
