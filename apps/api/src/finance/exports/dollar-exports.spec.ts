import { spawnSync } from 'node:child_process';
import {
  BOOKS_STREAM,
  CHART,
  decodeBooksEvent,
  DOLLAR_ACCOUNTS,
  type DollarAccount,
  GeneralLedger,
  type LedgerCommand,
  Money,
  post,
  postBooksEvent,
  utcDay,
} from '@app/domain';
import { type EventStore, MemoryEventStore } from '@app/event-store';
import type { LedgerWriter } from '@app/ledger';
import {
  burned,
  chatHeld,
  chatSucceeded,
  gift,
  granted,
  karmaMinted,
  questReward,
  released,
  reversed,
} from '../../../../../libs/domain/src/ledger/testing/commands.js';
import { parse } from 'csv-parse/sync';
import { ManualClock, startWriter } from '../../../../../libs/ledger/src/testing/writers.js';
import { randomCommands } from '../../../../../libs/projections/src/testing/random-commands.js';
import { readDayOrMoment } from '../../platform/day-or-moment.js';
import type { ExportOptions } from '../export.js';
import { walkJournal } from '../journal-walk.js';
import { FiscalCalendar } from '../general-ledger/fiscal-calendar.js';
import { MixedBooks } from './dollar-books.js';
import { exportPeriod } from './export-period.js';
import { readOwnAccounts } from './own-accounts.js';
import {
  type Cents,
  exported,
  hledgerReport,
  MONTH_END,
  moved,
  type Movement,
  periodOf,
  record,
  recordProvider,
  requires,
  withFile,
} from './testing/provider-side.js';

const START = Date.UTC(2026, 0, 1);
const END = Date.UTC(2026, 1, 20);
const HOUR_MS = 3_600_000;
/** Text that no format may mistake for syntax. */
const HOSTILE =
  '=1+1, "quoted" \\ ; x [2026-13-99] [=2020] :tag: Key: v (y) {z} @@ 1 | \u0085\u0000 é\u2028\r\n2026-01-01 (0) Forged\n    treasury  1.00 NOVA ' +
  'long '.repeat(2_000);

/** The balances before a moment of every dollar account, by the posting rules alone. */
async function folded(store: EventStore, before: number): Promise<Cents> {
  const balances: Cents = new Map();
  const add = (account: string, cents: bigint): void => {
    balances.set(account, (balances.get(account) ?? 0n) + cents);
  };
  const state = new GeneralLedger();
  for await (const { event } of walkJournal(store, {})) {
    for (const { account, cents } of post(state, event)) if (event.at < before) add(account, cents);
  }
  const seen = new Set<string>();
  for await (const batch of store.readStream(BOOKS_STREAM)) {
    for (const { type, data } of batch) {
      const event = decodeBooksEvent(type, data);
      if (event.type === 'ProviderMoved' && seen.size === seen.add(event.movementId).size) continue;
      for (const { account, cents, postedAt } of postBooksEvent(event)) if (postedAt < before) add(account, cents);
    }
  }
  return balances;
}

const isEarned = (account: DollarAccount): boolean => ['revenue', 'expense'].includes(CHART[account].class);

/** What statements show: balance sheets all before a moment, income statements what came after another; no zeros. */
function statementOf(kind: 'bs' | 'is', before: Cents, after: Cents): Cents {
  const shown: Cents = new Map();
  for (const account of DOLLAR_ACCOUNTS) {
    const isCredit = ['liability', 'revenue'].includes(CHART[account].class);
    if (isEarned(account) !== (kind === 'is') || CHART[account].class === 'equity') continue;
    const cents = (after.get(account) ?? 0n) - (kind === 'is' ? (before.get(account) ?? 0n) : 0n);
    if (cents !== 0n) shown.set(account, isCredit ? -cents : cents);
  }
  return shown;
}

const CHECKS = [
  ['hledger', 'hledger', (file: string) => ['check', '--strict', '-f', file]],
  ['hledger', 'ledger', (file: string) => ['--pedantic', '-f', file, 'bal']],
  ['beancount', 'bean-check', (file: string) => [file]],
] as const;

type PostingRow = Readonly<
  Record<'date' | 'number' | 'account' | 'own_account' | 'debit' | 'credit' | 'currency', string>
>;

function readCsv(text: string): readonly PostingRow[] {
  return parse(text, { columns: true });
}

describe('exports of a random history in Nova and dollars', () => {
  const store = new MemoryEventStore();
  const clock = new ManualClock(START);
  let writer: LedgerWriter;

  beforeAll(async () => {
    writer = await startWriter({ store, clock });
    const next = randomCommands(23);
    for (let round = 0; clock.ms < END; round++) {
      clock.ms += HOUR_MS;
      const actor = round % 60 === 0 ? HOSTILE : 'process';
      await writer.execute({ command: next(), actor, ...(round % 50 === 0 && { cause: HOSTILE }) });
    }
    await recordProvider(store, HOSTILE);
  });

  afterAll(() => writer.stop());

  const PERIODS = [
    ['from the beginning', undefined, END],
    ['of a month', Date.UTC(2026, 0, 15), MONTH_END],
    ['after a close', MONTH_END, END],
    ['of hours', Date.UTC(2026, 1, 1, 7, 30), Date.UTC(2026, 1, 3, 12)],
    ['before everything', Date.UTC(2025, 0, 1), Date.UTC(2025, 1, 1)],
    ['after everything', Date.UTC(2027, 0, 1), Date.UTC(2027, 1, 1)],
  ] as const;
  const calendar = new FiscalCalendar('America/St_Johns');
  const optionsOf = async (from: number | undefined, until: number): Promise<ExportOptions> => ({
    calendar,
    ...(from === undefined ? { until } : await periodOf(store, from, until)),
  });

  for (const [format, program, argumentsOf] of CHECKS) {
    requires(program).each(PERIODS)(`is what ${program} accepts in full: %s`, async (_, from, until) => {
      const text = await exported(store, format, await optionsOf(from, until));
      withFile(text, (file) => {
        const { status, stdout, stderr } = spawnSync(program, argumentsOf(file), { encoding: 'utf8' });
        expect(`${stdout}${stderr}`.split('\n').filter((line) => /error/i.test(line))).toEqual([]);
        expect(status).toBe(0);
      });
    });

    requires(program)(`has assertions that ${program} refuses once a figure is wrong`, async () => {
      const text = await exported(store, format, await optionsOf(Date.UTC(2026, 0, 15), Date.UTC(2026, 1, 15)));
      const wrong = text.replace(/(?<=0\.00 XTS = -?|balance \S+ {2}-?)\d/, (digit) => `${(Number(digit) % 9) + 1}`);
      expect(wrong).not.toBe(text);
      withFile(wrong, (file) => expect(spawnSync(program, argumentsOf(file)).status).not.toBe(0));
    });
  }

  requires('hledger').each(PERIODS)('has the figures of the posting rules in bs and is: %s', async (_, from, until) => {
    const text = await exported(store, 'hledger', await optionsOf(from, until));
    const [before, after] = [await folded(store, from ?? 0), await folded(store, until)];
    withFile(text, (file) => {
      for (const kind of ['bs', 'is'] as const) {
        expect(hledgerReport(kind, file, 'XTS')).toEqual(statementOf(kind, before, after));
        const isClosed = kind === 'bs' && until === MONTH_END;
        expect(statementOf(kind, before, after).get('liabilities:unapplied')).toBe(isClosed ? 700n : undefined);
      }
    });
  });

  it('tells when a movement was made that is posted later', async () => {
    for (const [format, tag] of [
      ['hledger', /^\d{4}[^\n]* provider dispute [^\n]*, late:\d{4}-\d\d-\d\d$/m],
      ['beancount', /^ {2}late: "\d{4}-\d\d-\d\d"$/m],
    ] as const) {
      expect(await exported(store, format, { until: END })).toMatch(tag);
    }
  });

  it('writes postings that balance in each transaction and sum to the posting rules', async () => {
    const [from, until] = [Date.UTC(2026, 0, 15), Date.UTC(2026, 1, 15)];
    const [before, after] = [await folded(store, from), await folded(store, until)];
    const rows = readCsv(await exported(store, 'postings', await periodOf(store, from, until)));
    const sums: Cents = new Map();
    const transactions = new Map<string, bigint>();
    for (const { date, number, account, debit, credit, currency } of rows) {
      const cents = Money.parse(debit || '0').minor - Money.parse(credit || '0').minor;
      sums.set(account, (sums.get(account) ?? 0n) + cents);
      transactions.set(`${date} ${number}`, (transactions.get(`${date} ${number}`) ?? 0n) + cents);
      expect([currency, utcDay(from) <= date && date < utcDay(until)]).toEqual(['XTS', true]);
    }
    expect(transactions.size).toBeGreaterThan(100);
    expect([...transactions.values()].filter((sum) => sum !== 0n)).toEqual([]);
    for (const account of DOLLAR_ACCOUNTS) {
      const change = (after.get(account) ?? 0n) - (before.get(account) ?? 0n);
      expect([account, sums.get(account) ?? 0n]).toEqual([account, change]);
    }
    expect(rows.map(({ date }) => date)).toEqual(rows.map(({ date }) => date).toSorted());
    expect(rows.every(({ own_account: own }) => own === '')).toBe(true);
  });

  it("names one's own accounts in postings", async () => {
    const accounts = readOwnAccounts(MAPPING);
    const rows = readCsv(await exported(store, 'postings', { until: END, accounts }));
    expect(new Set(rows.map(({ account, own_account: own }) => `${account} ${own}`))).toContain(
      'assets:provider:balance 1000',
    );
    expect(rows.filter(({ account, own_account: own }) => accounts.get(account as DollarAccount) !== own)).toEqual([]);
  });
});

const MAPPING = DOLLAR_ACCOUNTS.map((account, place) => `${account},${1_000 + place}\n`).join('');

it.each([
  ['', /^The mapping lacks assets:provider:balance, .* and 20 more\. Nothing was exported\.$/],
  [MAPPING.replace(/^assets:bank,.*\n/m, ''), 'The mapping lacks assets:bank. Nothing was exported.'],
  [MAPPING.replace('assets:bank,', 'assets:vault,'), 'names "assets:vault", which is no account of the dollar books.'],
  [`${MAPPING}assets:bank,7`, 'The mapping names assets:bank twice.'],
  [MAPPING.replace(/^(assets:bank,).*$/m, '$1'), 'The mapping has no number for assets:bank'],
  [MAPPING.replace(/^(assets:bank,).*$/m, '$1=1+1'), 'The mapping has no number for assets:bank'],
  [MAPPING.replace(/^(assets:bank,.*)$/m, '$1,x'), 'The mapping has no number for assets:bank'],
  [`${MAPPING}${'\n'.repeat(4_000)}`, 'longer than 4000 characters'],
  ['assets:bank,"1', 'The mapping of accounts is not CSV. Nothing was exported.'],
])('refuses a mapping of accounts that is wrong or has a gap (%#)', (text, sentence) => {
  expect(() => readOwnAccounts(text)).toThrow(sentence);
});

it('reads a mapping as spreadsheets write it', () => {
  const text = `\ufeffaccount,number\r\n${MAPPING.replaceAll('\n', '\r\n')}`;
  expect(readOwnAccounts(text)).toEqual(readOwnAccounts(MAPPING));
});

describe('the worked example of docs/accounting.md', () => {
  const store = new MemoryEventStore();

  beforeAll(async () => {
    const clock = new ManualClock(Date.UTC(2026, 0, 5));
    const writer = await startWriter({ store, clock });
    const tell = async (day: number, ...commands: readonly LedgerCommand[]): Promise<void> => {
      clock.ms = day;
      for (const command of commands) {
        const actor = command.type === 'CloseAccount' ? `member:${command.userId}` : 'process';
        const outcome = await writer.execute({ command, actor });
        expect([command.type, outcome.status]).toEqual([command.type, 'accepted']);
      }
    };
    const sale = (userId: string, nova: string, chargedCents: number): LedgerCommand => ({
      type: 'RecordPurchase',
      userId,
      amount: Money.parse(nova).minor,
      paymentIntentId: `pi_${userId}`,
      chargedCents,
      livemode: true,
    });
    const movement = (day: number, given: Movement) => record(store, moved(day, { ...given, livemode: true }));
    const january = Date.UTC(2026, 0, 5);
    const february = (day: number): number => Date.UTC(2026, 1, day);
    // Somebody holds Karma and Influence, so that pools take their shares.
    await tell(january, sale('ada', '1250', 100), granted('flo', '0.01'), karmaMinted('flo'));
    await tell(january, chatHeld('c0', 'flo', 'bob', '0.01'), chatSucceeded('c0'), released('c0', 'initiator'));
    await movement(january, { movementId: 'txn_1', amount: 100, fee: 33, paymentIntentId: 'pi_ada' });
    await tell(february(2), sale('cyd', '100001', 8_001));
    await movement(february(2), { movementId: 'txn_2', amount: 8_001, fee: 262, paymentIntentId: 'pi_cyd' });
    await tell(february(3), questReward('bob', '1000'));
    await tell(february(4), gift('ada', 'bob', '1000'));
    await tell(february(5), chatHeld('c1', 'cyd', 'bob', '1250'), chatSucceeded('c1'));
    await movement(february(6), { movementId: 'txn_3', kind: 'dispute', providerId: 'dp_1', amount: -100, fee: 1_500 });
    await tell(february(9), burned('bob', { earnedNova: '700' }));
    await tell(february(10), reversed('ada', '1250', 'dispute', 'dp_1'));
    await tell(february(11), reversed('cyd', '4999.42', 'refund', 're_1'));
    await movement(february(11), { movementId: 'txn_4', kind: 'refund', amount: -400, paymentIntentId: 'pi_cyd' });
    await tell(february(27), released('c1', 'initiator'));
    await tell(february(27), { type: 'CloseAccount', userId: 'cyd' }, { type: 'FinishClosingAccount', userId: 'cyd' });
    await movement(february(27), { movementId: 'txn_5', kind: 'payout', amount: -2_000 });
    await writer.stop();
  });

  const february = () => periodOf(store, Date.UTC(2026, 1, 1), Date.UTC(2026, 2, 1));

  requires('hledger')('has the figures of its statements in hledger', async () => {
    withFile(await exported(store, 'hledger', await february()), (file) => {
      const report = (kind: 'bs' | 'is') =>
        [...hledgerReport(kind, file, 'USD')].map(
          ([account, cents]) => `${account} ${Money.ofMinor(cents, 'NOVA').toDecimal()}`,
        );
      expect(report('bs')).toEqual([
        'assets:bank 20.00',
        'assets:provider:balance 38.06',
        'assets:receivables:members 0.80',
        'assets:receivables:allowance -0.80',
        'liabilities:deferred-revenue 1.22',
      ]);
      expect(report('is')).toEqual([
        'income:rounding 0.01',
        'income:breakage:forfeited 75.00',
        'income:revenue:commission 0.40',
        'income:revenue:burns 0.18',
        'expenses:losses:disputes 0.80',
        'expenses:provider:fees 2.62',
        'expenses:provider:dispute-fees 15.00',
      ]);
    });
  });

  it('opens with January, prices a purchase, and asserts what is left', async () => {
    // Ids and hashes differ from the example's.
    const text = (await exported(store, 'hledger', await february())).replace(/ {2}; event:.*$|^ {4}; hash:.*\n/gm, '');
    for (const transaction of [
      `2026-02-01 (opening) Opening balances
    assets:provider:balance  0.67 USD
    liabilities:deferred-revenue  -1.00 USD
    equity:retained-earnings  0.33 USD
    external:stripe  -1250.00 NOVA
    user:ada:purchased  1250.00 NOVA
`,
      `account user:cyd:purchased

2026-02-02 (6) NovaPurchased
    assets:provider:clearing  80.01 USD  ; subject:pi_cyd
    liabilities:deferred-revenue  -80.01 USD
    external:stripe  -100001.00 NOVA @@ 80.01 USD
    user:cyd:purchased  100001.00 NOVA @@ 80.01 USD

2026-02-02 (txn_2) provider payment
    assets:provider:balance  80.01 USD
    assets:provider:clearing  -80.01 USD  ; subject:pi_cyd
    expenses:provider:fees  2.62 USD
    assets:provider:balance  -2.62 USD
`,
      `2026-02-10 (12) PurchaseReversed
    liabilities:deferred-revenue  0.20 USD
    assets:provider:disputes  -1.00 USD  ; subject:dp_1
    expenses:losses:disputes  0.80 USD
    assets:receivables:members  0.80 USD  ; subject:ada
    assets:receivables:allowance  -0.80 USD  ; subject:ada
    user:ada:purchased  -250.00 NOVA
    external:chargebacks  -1000.00 NOVA
    external:stripe  1250.00 NOVA
`,
      `
    assets:bank  0.00 USD = 20.00 USD
    liabilities:deferred-revenue  0.00 USD = -1.22 USD
    equity:retained-earnings  0.00 USD = 0.33 USD
    income:revenue:commission  0.00 USD = -0.40 USD
`,
      `
    user:ada:purchased  0.00 NOVA = 0.00 NOVA
`,
    ]) {
      expect(text).toContain(transaction);
    }
    expect(text).not.toContain('2026-01');
  });
});

it('has the days of the books, in posting dates and in what is asked for', async () => {
  const store = new MemoryEventStore();
  const writer = await startWriter({ store, clock: new ManualClock(Date.UTC(2026, 0, 31, 23, 30)) });
  await writer.execute({ command: saleOf(true, 'pi_1'), actor: 'stripe' });
  await writer.stop();
  const calendar = new FiscalCalendar('Europe/Berlin');
  expect(await exported(store, 'hledger', { calendar })).toContain('\n2026-02-01 (0) NovaPurchased');
  expect(await exported(store, 'hledger')).toContain('\n2026-01-31 (0) NovaPurchased');
  const march = { from: readDayOrMoment('2026-03-01'), to: readDayOrMoment('2026-03-31') };
  const { from, to } = exportPeriod(march, 'postings', calendar);
  expect([from?.start, to?.end].map((moment) => moment?.toISOString())).toEqual([
    '2026-02-28T23:00:00.000Z',
    '2026-03-31T22:00:00.000Z',
  ]);
  expect(exportPeriod(march, 'csv', calendar)).toEqual(march);
  const moments = { from: readDayOrMoment('2026-03-01T00:00:00Z'), to: undefined };
  expect(exportPeriod(moments, 'postings', calendar)).toEqual(moments);
});

const saleOf = (livemode: boolean, paymentIntentId: string): LedgerCommand => ({
  type: 'RecordPurchase',
  userId: 'ada',
  amount: 125_000n,
  paymentIntentId,
  chargedCents: 100,
  livemode,
});

describe('the commodity of the books', () => {
  const journalOf = async (...requests: readonly { command: LedgerCommand; cause?: string }[]): Promise<EventStore> => {
    const store = new MemoryEventStore();
    const writer = await startWriter({ store, clock: new ManualClock(START) });
    for (const request of requests) await writer.execute({ actor: 'stripe', ...request });
    await writer.stop();
    return store;
  };

  it.each([
    ['USD for real purchases', [{ command: saleOf(true, 'pi_1') }], 'USD'],
    ["XTS for the sandbox's", [{ command: saleOf(false, 'pi_1') }], 'XTS'],
    ["XTS for a demo's", [{ command: saleOf(true, 'pi_1'), cause: 'demo' }], 'XTS'],
    ['USD where nothing was sold', [{ command: granted('ada', '1') }], 'USD'],
  ])('is %s', async (_, requests, commodity) => {
    const text = await exported(await journalOf(...requests), 'hledger', {});
    expect(text.includes(`commodity ${commodity}\n`)).toBe(true);
    expect(text.includes(commodity === 'USD' ? 'XTS' : 'USD')).toBe(false);
  });

  it('is none for a journal with both, which no format with dollars shows', async () => {
    const mixed = await journalOf({ command: saleOf(true, 'pi_1') }, { command: saleOf(false, 'pi_2') });
    for (const format of ['hledger', 'beancount', 'postings'] as const) {
      await expect(exported(mixed, format)).rejects.toThrow(MixedBooks);
    }
    expect(await exported(mixed, 'csv')).toContain('NovaPurchased');
    const real = await journalOf({ command: saleOf(true, 'pi_1') });
    await record(real, moved(START, { movementId: 'txn_1', livemode: false }));
    await expect(exported(real, 'hledger')).rejects.toThrow(MixedBooks);
  });
});
