import type { Entry, LedgerEvent, LedgerFact } from './events.js';
import { evolve } from './evolve.js';
import { LedgerInvariantError } from './invariant.js';
import { bought, chatHeld, chatSucceeded, granted, karmaMinted, released, walletFunded } from './testing/commands.js';
import { LedgerRun, START_MS } from './testing/ledger-run.js';

/** A ledger with purchased Nova, a chat held, one settled, and a holder of Karma. */
function ledger() {
  const run = new LedgerRun();
  const commands = [
    bought('ann', '100'),
    chatHeld('open', 'ann', 'hal', '10'),
    chatHeld('done', 'ann', 'hal', '10'),
    karmaMinted('kim'),
    karmaMinted('kim'),
    chatSucceeded('done'),
  ];
  for (const command of commands) expect(run.execute(command).status).toBe('accepted');
  return run.state;
}

const stamped = (fact: LedgerFact): LedgerEvent => ({ ...fact, at: START_MS, actor: 'process' });
const grant = (entries: readonly Entry[]): LedgerEvent =>
  stamped({ type: 'NovaGranted', userId: 'ann', adminId: 'a', amount: 1n, entries });

/** Events that no rule writes: a bug or a tampered journal, which must stop the process. */
test.each<[why: string, event: LedgerEvent, message: string | RegExp]>([
  ['entries that do not sum to zero', grant([['user:ann:earned', 'NOVA', 1n]]), 'entries of NOVA sum to 1'],
  [
    'entries that sum to zero across currencies',
    grant([
      ['user:ann:earned', 'NOVA', 1n],
      ['user:ann:seyvn', 'SEYVN', -1n],
    ]),
    'entries of NOVA sum to 1',
  ],
  [
    'a balance below zero',
    grant([
      ['user:ben:earned', 'NOVA', -1n],
      ['treasury', 'NOVA', 1n],
    ]),
    'user:ben:earned would be -1',
  ],
  [
    'a treasury below zero',
    grant([
      ['treasury', 'NOVA', -1_000n],
      ['user:ann:earned', 'NOVA', 1_000n],
    ]),
    'treasury would be',
  ],
  [
    'a balance beyond 64 bits',
    grant([
      ['issuance:NOVA', 'NOVA', -(2n ** 62n)],
      ['user:ann:earned', 'NOVA', 2n ** 62n],
    ]),
    'beyond 64 bits',
  ],
  [
    'a currency that an account does not hold',
    grant([
      ['issuance:NOVA', 'NOVA', -1n],
      ['user:ann:karma', 'NOVA', 1n],
    ]),
    'user:ann:karma holds NOVA',
  ],
  [
    'an account that does not exist',
    grant([
      ['issuance:NOVA', 'NOVA', -1n],
      ['vault' as 'treasury', 'NOVA', 1n],
    ]),
    'no account vault holds NOVA',
  ],
  [
    'a member’s balance that does not exist',
    grant([
      ['issuance:NOVA', 'NOVA', -1n],
      ['user:ann:gold' as 'user:ann:earned', 'NOVA', 1n],
    ]),
    'no account',
  ],
  [
    'an issue of the wrong currency',
    grant([
      ['issuance:KARMA', 'NOVA', -1n],
      ['user:ann:earned', 'NOVA', 1n],
    ]),
    'no account issuance:KARMA holds NOVA',
  ],
  [
    'an escrow moved by what is no chat’s event',
    grant([
      ['issuance:NOVA', 'NOVA', -1n],
      ['chat:open', 'NOVA', 1n],
    ]),
    'NovaGranted moves chat:open',
  ],
  [
    'an application’s wallet moved by what is no application’s event',
    grant([
      ['issuance:NOVA', 'NOVA', -1n],
      ['app:x:earned', 'NOVA', 1n],
    ]),
    'NovaGranted moves app:x:earned',
  ],
  [
    'a deposit for nobody',
    grant([
      ['issuance:NOVA', 'NOVA', -1n],
      ['pool:influence', 'NOVA', 1n],
    ]),
    'a pool without holders takes no deposit',
  ],
  [
    'a pool emptied while it has holders',
    grant([
      ['pool:karma', 'NOVA', -100n],
      ['treasury', 'NOVA', 100n],
    ]),
    'pool:karma still has holders',
  ],
  [
    'a payout of another sum than is owed',
    stamped({
      type: 'PoolRewardsPaid',
      userId: 'kim',
      payouts: [['pool:karma', 99n]],
      entries: [
        ['pool:karma', 'NOVA', -99n],
        ['user:kim:earned', 'NOVA', 99n],
      ],
    }),
    'a payout of 99 where 100 is owed',
  ],
  [
    'a payout that its pool does not give',
    stamped({
      type: 'PoolRewardsPaid',
      userId: 'kim',
      payouts: [['pool:karma', 100n]],
      entries: [
        ['treasury', 'NOVA', -100n],
        ['user:kim:earned', 'NOVA', 100n],
      ],
    }),
    'pool:karma does not give what it pays',
  ],
  [
    'a pool that gives without paying',
    stamped({
      type: 'PoolRewardsPaid',
      userId: 'kim',
      payouts: [],
      entries: [
        ['pool:karma', 'NOVA', -100n],
        ['user:kim:earned', 'NOVA', 100n],
      ],
    }),
    'a payout names every pool that gives',
  ],
  [
    'a payout to a member without shares',
    stamped({
      type: 'PoolRewardsPaid',
      userId: 'ann',
      payouts: [['pool:karma', 100n]],
      entries: [
        ['pool:karma', 'NOVA', -100n],
        ['user:ann:earned', 'NOVA', 100n],
      ],
    }),
    'ann has no share of pool:karma',
  ],
  [
    'shares changed before they were paid',
    stamped({
      type: 'KarmaMinted',
      userId: 'kim',
      completedChats: 5,
      entries: [
        ['issuance:KARMA', 'KARMA', -1n],
        ['user:kim:karma', 'KARMA', 1n],
      ],
    }),
    'only after what they are owed was paid',
  ],
  [
    'a chat held twice',
    stamped({
      type: 'ChatPaymentHeld',
      chatId: 'open',
      initiatorId: 'ann',
      hostId: 'hal',
      amount: 1n,
      entries: [
        ['user:ann:purchased', 'NOVA', -1n],
        ['chat:open', 'NOVA', 1n],
      ],
    }),
    'chat:open is already held',
  ],
  [
    'a hold of another sum than was taken',
    stamped({
      type: 'ChatPaymentHeld',
      chatId: 'new',
      initiatorId: 'ann',
      hostId: 'hal',
      amount: 1n,
      entries: [
        ['user:ann:purchased', 'NOVA', -2n],
        ['chat:new', 'NOVA', 1n],
        ['treasury', 'NOVA', 1n],
      ],
    }),
    'chat:new holds another sum',
  ],
  [
    'a chat that ends and keeps something',
    stamped({
      type: 'ChatPaymentRefunded',
      chatId: 'open',
      initiatorId: 'ann',
      hostId: 'hal',
      amount: 1n,
      reason: 'idle',
      entries: [
        ['chat:open', 'NOVA', -1n],
        ['user:ann:purchased', 'NOVA', 1n],
      ],
    }),
    'chat:open would keep 999',
  ],
  [
    'a chat that ends a second time',
    stamped({
      type: 'ChatPaymentRefunded',
      chatId: 'done',
      initiatorId: 'ann',
      hostId: 'hal',
      amount: 1_000n,
      reason: 'idle',
      entries: [],
    }),
    'chat:done is not held',
  ],
  [
    'a reward that is not pending',
    stamped({
      type: 'ChatRewardReleased',
      chatId: 'open',
      userId: 'hal',
      side: 'host',
      amount: 0n,
      influence: 0n,
      entries: [],
    }),
    'no reward is pending for chat open',
  ],
])('%s', (_, event, message) => {
  const state = ledger();
  const apply = () => evolve(state, event, state.revision + 1);
  expect(apply).toThrow(LedgerInvariantError);
  expect(() => evolve(ledger(), event, ledger().revision + 1)).toThrow(message);
});

test('an event out of its place, or before the last one’s time', () => {
  const event = grant([]);
  for (const revision of [0, 5, 8]) {
    const state = ledger();
    if (revision === state.revision + 1) continue;
    expect(() => evolve(state, event, revision)).toThrow(LedgerInvariantError);
    expect(() => evolve(state, event, revision)).toThrow(`event ${revision} after ${state.revision}`);
  }
  const state = ledger();
  expect(() => evolve(state, { ...event, at: START_MS - 1 }, state.revision + 1)).toThrow('never runs backwards');
});

/** The last holder of Karma burns it: these entries say what becomes of the 0.01 that is left in the pool. */
test.each<[why: string, rest: readonly Entry[], message: string]>([
  ['stays where it is', [], 'pool:karma is left with 1 and no holder'],
  [
    'is more than it was',
    [
      ['pool:karma', 'NOVA', -2n],
      ['treasury', 'NOVA', 2n],
    ],
    'pool:karma holds 1, not 2',
  ],
])('what the last holder of a pool leaves behind %s', (_, rest, message) => {
  const run = new LedgerRun();
  const commands = [
    bought('ann', '100'),
    ...[1, 2, 3].map(() => karmaMinted('kim')),
    chatHeld('c1', 'ann', 'hal', '0.10'),
    chatSucceeded('c1'),
  ];
  for (const command of commands) run.execute(command);
  const event = stamped({
    type: 'TokensBurned',
    userId: 'kim',
    earnedNova: 0n,
    karma: 3n,
    influence: 0n,
    seyvn: 0n,
    entries: [['user:kim:karma', 'KARMA', -3n], ['burned:KARMA', 'KARMA', 3n], ...rest],
  });
  expect(() => evolve(run.state, event, run.state.revision + 1)).toThrow(message);
});

test.each(['purchased', 'earned'] as const)(
  'an application that pays more %s Nova than its wallet holds',
  (balance) => {
    const run = new LedgerRun();
    for (const command of [bought('dev', '1'), granted('dev', '1'), walletFunded('dev', '2')]) run.execute(command);
    const paid = (amount: bigint) =>
      stamped({
        type: 'AppTokensEarned',
        clientId: 'app-1',
        ownerId: 'dev',
        userId: 'ann',
        amount,
        entries: [
          [`app:app-1:${balance}`, 'NOVA', -amount],
          [`user:ann:${balance}`, 'NOVA', amount],
        ],
      });
    expect(() => evolve(run.state, paid(101n), run.state.revision + 1)).toThrow('app:app-1 would be below zero');
  },
);

test.each([
  ['host', 'hal'],
  ['initiator', 'ann'],
] as const)('a reward released twice to the %s', (side, userId) => {
  const run = new LedgerRun();
  const commands = [
    bought('ann', '100'),
    chatHeld('c1', 'ann', 'hal', '10'),
    chatSucceeded('c1'),
    released('c1', side),
  ];
  for (const command of commands) run.execute(command);
  const event = stamped({
    type: 'ChatRewardReleased',
    chatId: 'c1',
    userId,
    side,
    amount: 0n,
    influence: 0n,
    entries: [],
  });
  expect(() => evolve(run.state, event, run.state.revision + 1)).toThrow('a reward is released once');
});

test('a log names the broken rule for what it is', () => {
  const state = ledger();
  const broken = grant([['user:ann:earned', 'NOVA', 1n]]);
  expect(() => evolve(state, broken, state.revision + 1)).toThrow(
    expect.objectContaining({ name: 'LedgerInvariantError' }),
  );
});

test('an account of the platform may be emptied, and no more', () => {
  const state = ledger();
  const moved = (toTreasury: bigint): LedgerEvent =>
    grant([
      ['treasury', 'NOVA', toTreasury],
      ['user:ann:purchased', 'NOVA', -toTreasury],
    ]);
  evolve(state, moved(5n), state.revision + 1);
  evolve(state, moved(-state.platformBalance('treasury')), state.revision + 1);
  expect(state.platformBalance('treasury')).toBe(0n);
  expect(() => evolve(state, moved(-1n), state.revision + 1)).toThrow('treasury would be -1');
});
