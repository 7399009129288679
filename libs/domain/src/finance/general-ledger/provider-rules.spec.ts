import { decodeBooksEvent, encodeBooksEvent, type ProviderMoved } from '../books-events.js';
import { postBooksEvent, readLines, writeLines } from './provider-rules.js';

const DAY = 86_400_000;

const moved = (movement: Partial<ProviderMoved>): ProviderMoved => ({
  type: 'ProviderMoved',
  movementId: 'txn_1',
  kind: 'payment',
  currency: 'usd',
  amount: 8_001,
  fee: 262,
  providerId: 'ch_1',
  paymentIntentId: 'pi_1',
  livemode: true,
  createdAt: 0,
  arrivesAt: null,
  postedAt: 0,
  at: DAY,
  ...movement,
});

const lines = (movement: Partial<ProviderMoved>): string[] =>
  postBooksEvent(moved(movement)).map(
    ({ account, subject, cents, postedAt }) =>
      `${account}${subject && ` [${subject}]`} ${cents}${postedAt === 0 ? '' : ` on day ${postedAt / DAY}`}`,
  );

describe('a close', () => {
  const reclassified = writeLines([
    { account: 'assets:provider:clearing', subject: 'pi_1', cents: 700n },
    { account: 'liabilities:unapplied', subject: 'pi_1', cents: -700n },
  ]);
  const facts = {
    number: 1,
    endsAt: DAY - 1,
    timeZone: 'UTC',
    ledgerRevision: 9,
    chainHash: 'c0ffee',
    trialBalance: '',
  };
  const close = { type: 'BooksPeriodClosed', ...facts, lines: reclassified, adminId: 'ada', at: 2 * DAY } as const;

  it('reclassifies at its last moment, and takes that back at the next', () => {
    const posted = postBooksEvent(close).map(({ account, cents, postedAt }) => [account, cents, postedAt]);
    expect(posted).toEqual([
      ['assets:provider:clearing', 700n, DAY - 1],
      ['liabilities:unapplied', -700n, DAY - 1],
      ['assets:provider:clearing', -700n, DAY],
      ['liabilities:unapplied', 700n, DAY],
    ]);
    expect(decodeBooksEvent(close.type, encodeBooksEvent(close))).toEqual(close);
  });

  it('from before closes had lines is read as one without', () => {
    const { lines: _, ...before } = JSON.parse(encodeBooksEvent(close));
    const read = decodeBooksEvent(close.type, JSON.stringify(before));
    expect(read).toEqual({ ...close, lines: '' });
    expect(postBooksEvent(read)).toEqual([]);
  });
});

describe('a movement at the provider', () => {
  it.each<[string, Partial<ProviderMoved>, string[]]>([
    [
      'a payment, less its fee',
      {},
      [
        'assets:provider:balance 8001',
        'assets:provider:clearing [pi_1] -8001',
        'expenses:provider:fees 262',
        'assets:provider:balance -262',
      ],
    ],
    [
      'a payment that is not ours',
      { paymentIntentId: null, fee: 0 },
      ['assets:provider:balance 8001', 'assets:provider:clearing [txn_1] -8001'],
    ],
    [
      'a refund',
      { kind: 'refund', amount: -400, fee: 0 },
      ['assets:provider:balance -400', 'assets:provider:clearing [pi_1] 400'],
    ],
    [
      'a refund that failed',
      { kind: 'refund-failed', amount: 400, fee: 0 },
      ['assets:provider:balance 400', 'assets:provider:clearing [pi_1] -400'],
    ],
    [
      'a dispute, with its fee',
      { kind: 'dispute', providerId: 'dp_1', amount: -100, fee: 1_500 },
      [
        'assets:provider:balance -100',
        'assets:provider:disputes [dp_1] 100',
        'expenses:provider:dispute-fees 1500',
        'assets:provider:balance -1500',
      ],
    ],
    [
      'a dispute that was won, with the fee given back',
      { kind: 'dispute-won', providerId: 'dp_1', amount: 100, fee: -1_500 },
      [
        'assets:provider:balance 100',
        'assets:provider:disputes [dp_1] -100',
        'expenses:provider:dispute-fees -1500',
        'assets:provider:balance 1500',
      ],
    ],
    [
      "the provider's own charge",
      { kind: 'fee', amount: -75, fee: 0 },
      ['assets:provider:balance -75', 'expenses:provider:fees 75'],
    ],
    [
      'a payout, in the bank two days later',
      { kind: 'payout', amount: -2_000, fee: 0, arrivesAt: 2 * DAY },
      [
        'assets:provider:balance -2000',
        'assets:payouts-in-transit 2000',
        'assets:bank 2000 on day 2',
        'assets:payouts-in-transit -2000 on day 2',
      ],
    ],
    [
      'a payout that came back',
      { kind: 'payout-returned', amount: 2_000, fee: 0 },
      ['assets:provider:balance 2000', 'assets:bank -2000'],
    ],
    [
      'something unknown, as a subject of its own',
      { kind: 'other', amount: 7, fee: 0 },
      ['assets:provider:balance 7', 'assets:provider:clearing [txn_1] -7'],
    ],
    ['another currency: nothing', { currency: 'eur' }, []],
  ])('%s', (_, movement, expected) => {
    expect(lines(movement)).toEqual(expected);
  });
});

it('reads what a person decided as it was written', () => {
  const decided = [
    { account: 'expenses:losses:differences', subject: '', cents: 5n },
    { account: 'assets:provider:clearing', subject: 'pi_1', cents: -5n },
  ] as const;
  expect(readLines(writeLines(decided))).toEqual(decided);
  const event = {
    type: 'AdjustmentPosted',
    adjustmentId: 'a1',
    lines: writeLines(decided),
    postedAt: 0,
    adminId: 'ada',
    reasonId: 'r1',
    at: 1,
  } as const;
  expect(postBooksEvent(decodeBooksEvent(event.type, encodeBooksEvent(event)))).toHaveLength(2);
});

it.each(['income:unknown  5', 'assets:bank  five', ''])('does not read %p', (text) => {
  expect(() => readLines(text)).toThrow('no line of the books');
});
