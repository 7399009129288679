import {
  type CommandOf,
  decide,
  decodeLedgerEvent,
  evolve,
  type LedgerCommand,
  type LedgerEvent,
  LedgerState,
  NOVA_SUPPLY_MAX,
  originalFacts,
  type OriginalFacts,
  REVERSIBLE_TYPES,
} from '@app/domain';
import * as fc from 'fast-check';
import { history } from '../../domain/src/ledger/testing/arbitraries.js';
import {
  app,
  appPaid,
  appSpent,
  bought,
  burned,
  cardPayment,
  chatBrokenOff,
  chatHeld,
  chatRefunded,
  chatSucceeded,
  closing,
  deducted,
  earnsInfluence,
  frozen,
  gift,
  granted,
  karmaMinted,
  questReward,
  released,
  reversed,
  threadShared,
  unfrozen,
  walletFunded,
} from '../../domain/src/ledger/testing/commands.js';
import { LedgerRun, START_MS } from '../../domain/src/ledger/testing/ledger-run.js';
import { eventIdOf } from './hash-chain.js';
import { JournalAudit } from './journal-audit.js';

/** Everybody has Nova of both kinds; Cyd holds Influence. */
const BEFORE: readonly LedgerCommand[] = [
  bought('ann', '20,000', 'pi_0'),
  granted('ann', '5,000'),
  granted('bob', '5,000'),
  granted('dev', '100'),
  ...earnsInfluence('cyd'),
  walletFunded('dev', '50'),
];

/** What an audit says of a journal: of these commands, then of these events as they are. */
function audited(commands: readonly LedgerCommand[], ...events: readonly LedgerEvent[]): readonly string[] {
  const run = new LedgerRun();
  for (const command of [...BEFORE, ...commands]) expect(run.execute(command).status).toBe('accepted');
  const all = [...run.journal.map(({ type, data }) => decodeLedgerEvent(type, data)), ...events];
  const [state, audit] = [new LedgerState(), new JournalAudit()];
  for (const [revision, event] of all.entries()) {
    audit.see(state, event, revision);
    // A start takes all of these: they balance.
    evolve(state, event, revision);
  }
  return audit.end();
}

/** The events of a command after all that was before, stamped. */
function eventsOf(command: LedgerCommand): LedgerEvent[] {
  const run = new LedgerRun();
  for (const each of BEFORE) run.execute(each);
  const decision = decide(run.state, command, START_MS);
  if (!decision.accepted) throw new Error(decision.rejection.code);
  return decision.events.map((fact): LedgerEvent => ({ ...fact, at: START_MS, actor: 'process' }));
}

/** The event of a command, changed. */
function forged<T extends LedgerEvent['type']>(
  command: LedgerCommand,
  type: T,
  change: Partial<Extract<LedgerEvent, { type: T }>>,
): LedgerEvent {
  const event = eventsOf(command).at(-1);
  if (event?.type !== type) throw new Error(`no ${type}`);
  return { ...event, ...change };
}

test('every history is what its commands make', () => {
  fc.assert(
    fc.property(history(60), (steps) => {
      const run = new LedgerRun();
      for (const { command, waitMs } of steps) {
        run.now += waitMs;
        run.execute(command);
      }
      const [state, audit] = [new LedgerState(), new JournalAudit()];
      for (const [revision, { type, data }] of run.journal.entries()) {
        const event = decodeLedgerEvent(type, data);
        audit.see(state, event, revision);
        evolve(state, event, revision);
      }
      // Its payments and chats are few, and happen again; its reversals have originals that never happened.
      const known = /took effect twice|more of this kind|names an original by another revision/;
      expect(audit.end().filter((breach) => !known.test(breach))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test.each<[string, readonly LedgerCommand[], string]>([
  ['a payment', [bought('ann', '20,000', 'pi_1'), bought('ann', '20,000', 'pi_1')], 'payment pi_1'],
  ['a payment, to another member', [bought('ann', '20', 'pi_1'), bought('bob', '30', 'pi_1')], 'payment pi_1'],
  ['a refund', [reversed('ann', '1'), reversed('ann', '2')], 'reversal re_ann'],
  ['a lost dispute', [reversed('ann', '1', 'dispute', 'd'), reversed('ann', '1', 'dispute', 'd')], 'reversal d'],
  ['a pause', [frozen('ann'), frozen('ann')], 'pause for dispute dp_1'],
  ['its end', [frozen('ann'), unfrozen('ann'), frozen('ann', 'dp_1'), unfrozen('ann')], 'pause for dispute dp_1'],
  [
    'the payment of a chat, and its end',
    [
      chatHeld('c', 'ann', 'bob', '10'),
      chatSucceeded('c'),
      released('c', 'host'),
      released('c', 'initiator'),
      chatHeld('c', 'ann', 'bob', '10'),
      chatRefunded('c'),
    ],
    'payment of chat c',
  ],
  ['Karma', [karmaMinted('ann'), karmaMinted('ann')], 'Karma of ann for 5 chats'],
  ['a thread share', [threadShared('ann', 'bob'), threadShared('ann', 'bob')], 'share of bob for chat chat-0 with ann'],
  ['a quest', [questReward('ann', '5'), questReward('ann', '5')], 'reward of quest quest-1 for ann'],
  [
    'an unlocked card',
    [cardPayment('unlock', 'ann', 'bob', '50'), cardPayment('unlock', 'ann', 'bob', '50')],
    'card subject unlocked by ann',
  ],
  [
    'a wall comment',
    [cardPayment('wall', 'ann', 'bob', '25'), cardPayment('wall', 'bob', 'ann', '25')],
    'wall comment',
  ],
  [
    'a post that was scrolled past',
    [cardPayment('scroll', 'ann', 'bob', '1'), cardPayment('scroll', 'ann', 'bob', '1')],
    'post subject scrolled by ann',
  ],
  [
    'a period',
    [
      { type: 'ClosePeriod', endsAt: START_MS - 1 },
      { type: 'ClosePeriod', endsAt: START_MS - 1 },
    ],
    'period up to',
  ],
])('%s that took effect twice is named, though each event is right', (_, commands, fact) => {
  const found = audited(commands);
  expect(found[0]).toMatch(/^revision \d+: \w+ repeats revision \d+: /);
  expect(found[0]).toContain(fact);
  expect(audited(commands.slice(0, 1))).toEqual([]);
});

test.each<[string, LedgerEvent, string]>([
  [
    'more Nova than its entries move',
    forged(granted('ann', '100'), 'NovaGranted', { amount: 20_000n }),
    'NovaGranted has other entries than its command makes',
  ],
  [
    'entries of another member',
    forged(granted('ann', '100'), 'NovaGranted', { userId: 'bob' }),
    'NovaGranted has other entries than its command makes',
  ],
  [
    'more than the supply',
    {
      ...forged(granted('ann', '100'), 'NovaGranted', {}),
      type: 'NovaPurchased',
      userId: 'ann',
      amount: NOVA_SUPPLY_MAX,
      paymentIntentId: 'pi_9',
      chargedCents: 1,
      livemode: false,
      entries: [
        ['external:stripe', 'NOVA', -NOVA_SUPPLY_MAX],
        ['user:ann:purchased', 'NOVA', NOVA_SUPPLY_MAX],
      ],
    },
    'NovaPurchased is what the rules refuse there (INVALID_AMOUNT)',
  ],
  [
    'earned before purchased',
    forged(gift('ann', 'bob', '1,000'), 'GiftSent', {
      entries: [
        ['user:ann:earned', 'NOVA', -100_000n],
        ['user:bob:earned', 'NOVA', 50_000n],
        ['pool:influence', 'NOVA', 50_000n],
      ],
    }),
    'GiftSent has other entries than its command makes',
  ],
  [
    'a share that the holders of Influence do not get',
    forged(gift('ann', 'bob', '1,000'), 'GiftSent', {
      influenceShare: 0n,
      recipientShare: 100_000n,
      entries: [
        ['user:ann:purchased', 'NOVA', -100_000n],
        ['user:bob:earned', 'NOVA', 100_000n],
      ],
    }),
    'GiftSent has another recipientShare than its command gives it',
  ],
  [
    'a gift below the least',
    forged(gift('ann', 'bob', '1,000'), 'GiftSent', { amount: 1n }),
    'GiftSent is what the rules refuse there (INVALID_AMOUNT)',
  ],
  [
    'money of a wallet for its own owner',
    { ...eventsOf(appSpent('ann', '1', app('dev')))[0], userId: 'dev' } as LedgerEvent,
    'AppTokensSpent is what the rules refuse there (OWN_APPLICATION)',
  ],
  [
    'Seyvn that was not burned for',
    forged(burned('bob', { earnedNova: '1' }), 'TokensBurned', { seyvn: 101n }),
    'TokensBurned has another seyvn than its command gives it',
  ],
  [
    'Karma out of turn',
    forged(karmaMinted('ann'), 'KarmaMinted', { completedChats: 7 }),
    'KarmaMinted is what the rules refuse there (INVALID_COMMAND)',
  ],
  [
    'a word that no command says',
    forged(reversed('ann', '1'), 'PurchaseReversed', { reason: 'charity' as 'refund' }),
    'PurchaseReversed says what no command says',
  ],
  [
    'a part without its beginning',
    { ...forged(granted('ann', '100'), 'NovaGranted', {}), part: [1, 2] },
    'NovaGranted is a part of a command whose beginning is missing',
  ],
  [
    'a key that is none',
    { ...forged(granted('ann', '100'), 'NovaGranted', {}), key: { hash: 'KEY', fingerprint: '' } },
    'NovaGranted has a key that is none',
  ],
])('an event with %s is named, though it balances', (_, event, breach) => {
  const found = audited([], event);
  expect(found).toHaveLength(1);
  expect(found[0]?.replace(/^revision \d+: /, '')).toBe(breach);
});

test('a chat that was settled for more than was due, in its words', () => {
  const held = chatHeld('c', 'ann', 'bob', '10');
  const run = new LedgerRun();
  for (const command of [...BEFORE, held]) run.execute(command);
  const settled = decide(run.state, chatBrokenOff('c', '4'), START_MS);
  if (!settled.accepted) throw new Error('it was refused');
  const [fact] = settled.events;
  const event = { ...fact, at: START_MS, actor: 'process', treasuryShare: 0n } as LedgerEvent;
  expect(audited([held], event)).toEqual([expect.stringContaining('has another treasuryShare')]);
});

describe('a reinstated purchase', () => {
  const reversal = BEFORE.length;
  const idAt = (revision: number) => eventIdOf('0'.repeat(64), revision);
  const before: readonly LedgerCommand[] = [
    reversed('dev', '70'),
    granted('dev', '4'),
    { type: 'RepayShortfall', userId: 'dev', reversalId: 're_dev' },
    { type: 'WriteOffShortfall', userId: 'dev', reversalId: 're_dev', adminId: 'admin' },
  ];
  const reinstated = (change: Partial<CommandOf<'ReinstatePurchase'>> = {}): LedgerCommand => ({
    type: 'ReinstatePurchase',
    userId: 'dev',
    paymentIntentId: 'pi_dev',
    reversalId: 're_dev',
    reason: 'refund',
    adminId: 'admin',
    originalId: idAt(reversal),
    originalRevision: reversal,
    amount: 7_000n,
    purchased: 0n,
    // Half of what dev had is in the wallet.
    earned: 5_000n,
    repaid: 400n,
    ...change,
  });

  test('is what its reversal says', () => {
    expect(audited([...before, reinstated()])).toEqual([]);
  });

  test('that took effect twice is named', () => {
    const found = audited([...before, reinstated(), reinstated({ adminId: 'eve' })]);
    expect(found).toEqual([expect.stringContaining('reinstatement of reversal re_dev took effect twice')]);
  });

  const OTHER = `is not what its original at revision ${reversal} says`;
  test.each<[string, Partial<CommandOf<'ReinstatePurchase'>>, string]>([
    ['of more than was taken', { earned: 6_000n }, OTHER],
    ['into another bucket', { purchased: 5_000n, earned: 0n }, OTHER],
    ['to another member', { userId: 'bob' }, OTHER],
    ['of another reversal', { reversalId: 're_2' }, OTHER],
    ['by another id', { originalId: idAt(1) }, 'names an original by another revision than its id'],
    ['with more than was repaid', { repaid: 500n }, 'gives back another repayment than 400'],
  ])('%s is named', (_, change, breach) => {
    const found = audited([...before, reinstated(change)]);
    expect(found).toEqual([`revision ${reversal + 4}: PurchaseReinstated ${breach}`]);
  });
});

describe('a reversal', () => {
  const LAST = BEFORE.length + 4;
  const spent = appSpent('ann', '5', app('dev'));
  const before = [gift('ann', 'bob', '1,000'), granted('ann', '3'), deducted('ann', '2'), spent, appPaid('ann', '1')];
  const idAt = (revision: number) => eventIdOf('0'.repeat(64), revision);

  /** A reversal of one of these, by its place, changed. */
  function reversing(place: number, change: Partial<OriginalFacts & { originalId: string; partly: boolean }> = {}) {
    const run = new LedgerRun();
    for (const each of [...BEFORE, ...before]) expect(run.execute(each).status).toBe('accepted');
    const originalRevision = BEFORE.length + place;
    const { type = '', data = '' } = run.journal[originalRevision] ?? {};
    const facts = originalFacts(decodeLedgerEvent(type, data))!;
    const originalId = idAt(originalRevision);
    return {
      type: 'ReverseMovement',
      originalId,
      originalRevision,
      adminId: 'admin',
      ...facts,
      partly: true,
      ...change,
    } satisfies LedgerCommand;
  }

  test('of each kind is what its original says', () => {
    const reversals = before.map((_, place) => reversing(place));
    expect(reversals.map(({ originalType }) => originalType)).toEqual(REVERSIBLE_TYPES);
    expect(audited([...before, ...reversals])).toEqual([]);
  });

  test('that took effect twice is named, whatever it calls its original', () => {
    const found = audited([...before, reversing(1), { ...reversing(1), adminId: 'eve' }]);
    expect(found).toEqual([
      `revision ${LAST + 2}: MovementReversed repeats revision ${LAST + 1}: reversal of the event of revision ${LAST - 3} took effect twice`,
    ]);
  });

  test.each<[string, ReturnType<typeof reversing>, string]>([
    [
      'of more than its original',
      reversing(1, { earned: 400n }),
      `is not what its original at revision ${LAST - 3} says`,
    ],
    ['to another member', reversing(2, { userId: 'bob' }), `is not what its original at revision ${LAST - 2} says`],
    [
      'from another recipient',
      reversing(0, { counterpartyId: 'dev' }),
      `is not what its original at revision ${LAST - 4} says`,
    ],
    [
      'into another bucket',
      reversing(2, { purchased: 200n, earned: 0n }),
      `is not what its original at revision ${LAST - 2} says`,
    ],
    ['by another id', reversing(1, { originalId: idAt(1) }), 'names an original by another revision than its id'],
    ['by no id', reversing(1, { originalId: 'event-1' }), 'names an original by another revision than its id'],
  ])('%s is named', (_, command, breach) => {
    expect(audited([...before, command])).toEqual([`revision ${LAST + 1}: MovementReversed ${breach}`]);
  });

  test('of a reversal says what no command says', () => {
    const command = reversing(1);
    const event = {
      ...command,
      type: 'MovementReversed',
      originalType: 'MovementReversed',
      returned: 300n,
    } as unknown as LedgerEvent;
    const stamped = { ...event, at: START_MS, actor: 'process', entries: [] } as LedgerEvent;
    expect(audited(before, stamped)).toEqual([
      expect.stringContaining('is what the rules refuse there (NOT_REVERSIBLE)'),
    ]);
  });
});

test('a key of two events is named, with both revisions', () => {
  const key = { hash: 'ab'.repeat(16), fingerprint: 'cd'.repeat(8) };
  const [one] = eventsOf(granted('ann', '1'));
  const event = { ...one, key } as LedgerEvent;
  expect(audited([], event, event)).toEqual([
    expect.stringMatching(/^revision 10: NovaGranted has the idempotency key of revision 9: it took effect twice$/),
  ]);
});

test('a command of several events that another one interrupts, and one without its end', () => {
  const [one] = eventsOf(granted('ann', '1'));
  const part = (index: number, more: Partial<LedgerEvent> = {}) =>
    ({ ...one, part: [index, 2], ...more }) as LedgerEvent;
  expect(audited([], part(0), part(1))).toEqual([]);
  expect(audited([], part(0), one as LedgerEvent)).toEqual([
    expect.stringContaining('between the events of one command'),
  ]);
  expect(audited([], part(0), part(1, { actor: 'admin:eve' }))).toEqual([
    expect.stringContaining('between the events'),
  ]);
  expect(audited([], part(0), part(1, { nonce: 'n' }))).toEqual([expect.stringContaining('a key or a nonce')]);
  expect(audited([], part(0))).toEqual(['the journal ends inside a command of several events']);
});

test('a member whose account is closed gets nothing', () => {
  const [event] = eventsOf(granted('bob', '1'));
  expect(audited([closing('bob')], event as LedgerEvent)).toEqual([expect.stringContaining('(ACCOUNT_CLOSED)')]);
});

test('of very many breaches the first are told, and how many there are', () => {
  const event = forged(granted('ann', '100'), 'NovaGranted', { amount: 20_000n });
  const found = audited([], ...Array.from({ length: 25 }, () => event));
  expect(found).toHaveLength(21);
  expect(found.at(-1)).toBe('… and 5 more of this kind');
});
