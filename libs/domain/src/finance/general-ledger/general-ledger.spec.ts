import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { accountKind, type AccountKind, type AccountName } from '../../ledger/accounts.js';
import type { LedgerCommand } from '../../ledger/commands.js';
import type { LedgerEvent } from '../../ledger/events.js';
import { history } from '../../ledger/testing/arbitraries.js';
import {
  burned,
  chatHeld,
  chatSucceeded,
  closed,
  closing,
  deducted,
  gift,
  granted,
  karmaMinted,
  questReward,
  released,
  reinstatementIn,
  reversalIn,
  reversed,
  shortfallRepaid,
  shortfallWrittenOff,
} from '../../ledger/testing/commands.js';
import { LedgerRun } from '../../ledger/testing/ledger-run.js';
import { LEDGER_EVENT_TYPES } from '../../ledger/movements/registry.js';
import { Money } from '../../money/money.js';
import { CHART, CONTROLLED_ACCOUNTS, DOLLAR_ACCOUNTS, type DollarAccount } from './chart.js';
import { GeneralLedger, post } from './general-ledger.js';
import { soldHistory } from './testing.js';
import { bucketOf, DEAREST_PRICE, type Flow, FLOWS, floorDiv, LIST_PRICE, MICROS_PER_CENT } from './valuation.js';

/** Kinds of accounts whose Nova carries what was paid for it. */
const CARRYING: ReadonlySet<AccountKind> = new Set<AccountKind>([
  'user:purchased',
  'user:earned',
  'user:pending',
  'app:purchased',
  'app:earned',
  'chat',
  'pool:influence',
  'pool:karma',
  'pool:thread',
]);
const DEFERRED = 'liabilities:deferred-revenue';

const sum = (values: Iterable<bigint>): bigint => [...values].reduce((all, value) => all + value, 0n);
const money = (cents: bigint): string => (Number(cents) / 100).toFixed(2);

/** Posts events, and keeps every balance. */
class Books {
  readonly state = new GeneralLedger();
  private readonly cents = new Map<DollarAccount, bigint>();
  private readonly micros = new Map<DollarAccount, bigint>();
  private readonly flows = new Map<Flow, bigint>();
  readonly nova = new Map<AccountName, bigint>();

  take(event: LedgerEvent): void {
    const postings = post(this.state, event);
    if (sum(postings.map(({ cents }) => cents)) !== 0n) throw new Error(`${event.type} leaves cents`);
    if (sum(postings.map(({ micros }) => micros)) !== 0n) throw new Error(`${event.type} leaves micro-dollars`);
    for (const { account, cents, flow, micros } of postings) {
      this.cents.set(account, this.balance(account) + cents);
      this.micros.set(account, (this.micros.get(account) ?? 0n) + micros);
      if (flow) this.flows.set(flow, this.flow(flow) - micros);
    }
    for (const [account, currency, delta] of event.entries) {
      if (currency === 'NOVA') this.nova.set(account, (this.nova.get(account) ?? 0n) + delta);
    }
    this.check(event.type);
  }

  private check(type: string): void {
    const owed = -floorDiv(-this.carried, MICROS_PER_CENT);
    if (-this.balance(DEFERRED) !== owed) throw new Error(`after ${type} deferred revenue is not what is carried`);
    if (sum(FLOWS.map((flow) => this.flow(flow))) !== this.carried) throw new Error(`${type} is no flow`);
    if (this.balance('assets:receivables:members') + this.balance('assets:receivables:allowance') !== 0n) {
      throw new Error(`after ${type} the allowance is another sum`);
    }
    for (const [account, micros] of this.micros) {
      if (account === 'income:rounding') continue;
      const off = micros - this.balance(account) * MICROS_PER_CENT;
      if (off >= MICROS_PER_CENT || -off >= MICROS_PER_CENT) throw new Error(`${account} is a cent off`);
    }
  }

  get carried(): bigint {
    return sum([...this.state.holdings.values()].map(({ carry }) => carry));
  }

  balance(account: DollarAccount): bigint {
    return this.cents.get(account) ?? 0n;
  }

  flow(flow: Flow): bigint {
    return this.flows.get(flow) ?? 0n;
  }

  /** The Nova by which carries are divided is the ledger's. */
  compareHoldings(): void {
    for (const [name, balance] of this.nova) {
      if (!CARRYING.has(accountKind(name))) continue;
      const names = accountKind(name) === 'chat' ? [bucketOf(name, 'purchased'), bucketOf(name, 'earned')] : [name];
      const held = sum(names.map((part) => this.state.holding(part)?.nova ?? 0n));
      if (held !== balance) throw new Error(`${name} holds ${held}, not ${balance}`);
    }
  }

  /** What was paid for Nova stays a price that it was sold for. */
  comparePrices(type: string): void {
    for (const [account, { nova, carry }] of this.state.holdings) {
      const least = account.endsWith(':purchased') ? LIST_PRICE * nova : 0n;
      if (carry < least || carry > DEAREST_PRICE * nova) throw new Error(`after ${type} ${account} has an odd price`);
    }
  }
}

it('keeps every history in balance, event by event, whatever was charged', () => {
  fc.assert(
    fc.property(history(70), (steps) => {
      const run = new LedgerRun();
      const books = new Books();
      for (const { command, waitMs } of steps) {
        run.now += waitMs;
        const outcome = run.execute(command);
        if (outcome.status === 'accepted') for (const event of outcome.events) books.take(event);
      }
      books.compareHoldings();
    }),
    { numRuns: 150 },
  );
});

it('keeps the price of Nova between the cheapest and the dearest sale', () => {
  fc.assert(
    fc.property(soldHistory(70), (events) => {
      const books = new Books();
      for (const event of events) {
        books.take(event);
        books.comparePrices(event.type);
      }
    }),
    { numRuns: 150 },
  );
});

it('gains nothing from a grant that is taken away again, whatever happened before', () => {
  fc.assert(
    fc.property(soldHistory(40), fc.bigInt(1n, 500_000n), (events, amount) => {
      const books = new Books();
      for (const event of events) books.take(event);
      const before = books.carried;
      const entries = (delta: bigint) =>
        [
          ['issuance:NOVA', 'NOVA', -delta],
          ['user:ann:earned', 'NOVA', delta],
        ] as const;
      const stamp = { userId: 'ann', adminId: 'admin', amount, at: 0, actor: 'admin:admin' };
      books.take({ type: 'NovaGranted', ...stamp, entries: entries(amount) });
      books.take({ type: 'NovaDeducted', ...stamp, entries: entries(-amount) });
      expect(books.carried).toBe(before);
    }),
    { numRuns: 100 },
  );
});

/** Executes commands and posts their events, as the product's actors. */
class Story {
  private readonly run = new LedgerRun();
  readonly books = new Books();

  tell(command: LedgerCommand, actor = 'process', cause?: string): this {
    const outcome = this.run.execute(command);
    if (outcome.status !== 'accepted') throw new Error(`${command.type}: ${JSON.stringify(outcome.status)}`);
    for (const event of outcome.events) this.books.take({ ...event, actor, ...(cause !== undefined && { cause }) });
    return this;
  }

  get journal() {
    return this.run.journal;
  }

  sheet(...accounts: readonly DollarAccount[]): string[] {
    return accounts.map((account) => `${account} ${money(this.books.balance(account))}`);
  }
}

const sale = (userId: string, nova: string, cents: number): LedgerCommand => ({
  type: 'RecordPurchase',
  userId,
  amount: Money.parse(nova).minor,
  paymentIntentId: `pi_${userId}`,
  chargedCents: cents,
  livemode: true,
});

describe('a month (the worked example of the design)', () => {
  it('ends at these figures', () => {
    const story = new Story().tell(sale('ada', '1250', 100)).tell(granted('flo', '0.01'));
    // Somebody holds Karma and Influence, so that pools take their shares.
    story
      .tell(karmaMinted('flo'))
      .tell(chatHeld('c0', 'flo', 'bob', '0.01'))
      .tell(chatSucceeded('c0'));
    story.tell(released('c0', 'initiator'));
    expect(story.sheet(DEFERRED)).toEqual([`${DEFERRED} -1.00`]);
    const carried = [
      () => story.tell(sale('cyd', '100001', 8_001)),
      () => story.tell(questReward('bob', '1000')),
      () => story.tell(gift('ada', 'bob', '1000')),
      () => story.tell(chatHeld('c1', 'cyd', 'bob', '1250')),
      () => story.tell(chatSucceeded('c1')),
      () => story.tell(burned('bob', { earnedNova: '700' })),
      () => story.tell(reversed('ada', '1250', 'dispute', 'dp_1')),
      () => story.tell(reversed('cyd', '4999.42', 'refund', 're_1')),
      () => story.tell(released('c1', 'initiator')).tell(closing('cyd'), 'member:cyd').tell(closed('cyd')),
    ].map((step) => [step() && story.books.carried, money(-story.books.balance(DEFERRED))]);
    expect(carried).toEqual([
      [81_010_000n, '81.01'],
      [81_010_000n, '81.01'],
      [81_010_000n, '81.01'],
      [81_010_000n, '81.01'],
      [80_609_954n, '80.61'],
      [80_423_288n, '80.43'],
      [80_223_288n, '80.23'],
      [76_223_288n, '76.23'],
      [1_213_402n, '1.22'],
    ]);
  });
});

describe('what is taken back', () => {
  const COMMISSION = 'income:revenue:commission';
  const OWED = 'assets:receivables:members';
  const LOST = 'expenses:losses:disputes';
  const UNCLAIMED = 'liabilities:unclaimed';

  it('is a gift with its commission', () => {
    const story = new Story().tell(sale('ada', '1250', 100)).tell(gift('ada', 'bob', '1000'));
    expect(story.sheet(DEFERRED, COMMISSION)).toEqual([`${DEFERRED} -0.60`, `${COMMISSION} -0.40`]);
    story.tell(reversalIn(story.journal, 'GiftSent'));
    expect(story.sheet(DEFERRED, COMMISSION)).toEqual([`${DEFERRED} -1.00`, `${COMMISSION} 0.00`]);
  });

  it('is a grant, which is worth nothing, and a deduction, with what it took', () => {
    const story = new Story().tell(sale('ada', '1250', 100)).tell(granted('ada', '500'));
    story.tell(reversalIn(story.journal, 'NovaGranted'));
    expect(story.sheet(DEFERRED, UNCLAIMED)).toEqual([`${DEFERRED} -1.00`, `${UNCLAIMED} 0.00`]);
    story.tell(deducted('ada', '1250'));
    expect(story.sheet(DEFERRED, UNCLAIMED)).toEqual([`${DEFERRED} 0.00`, `${UNCLAIMED} -1.00`]);
    story.tell(reversalIn(story.journal, 'NovaDeducted'));
    expect(story.sheet(DEFERRED, UNCLAIMED)).toEqual([`${DEFERRED} -1.00`, `${UNCLAIMED} 0.00`]);
  });

  /** Ada gave 1,000 of 1,250 Nova away, and charged all of it back: she owes 0.80. */
  const disputed = (): Story =>
    new Story()
      .tell(sale('ada', '1250', 100))
      .tell(gift('ada', 'bob', '1000'))
      .tell(reversed('ada', '1250', 'dispute'));

  it('is a reversed purchase, with debt and loss', () => {
    const story = disputed();
    const accounts = ['assets:provider:disputes', DEFERRED, OWED, LOST] as const;
    const figures = (...cents: readonly string[]) => accounts.map((account, place) => `${account} ${cents[place]}`);
    expect(story.sheet(...accounts)).toEqual(figures('-1.00', '-0.40', '0.80', '0.80'));
    story.tell(reinstatementIn(story.journal));
    expect(story.sheet(...accounts)).toEqual(figures('0.00', '-0.60', '0.00', '0.00'));
  });

  it('is repaid with Nova that was paid for, which lowers the loss, and given back with it', () => {
    const story = disputed()
      .tell(sale('ada', '500', 40))
      .tell(shortfallRepaid('ada'));
    const accounts = [DEFERRED, OWED, LOST] as const;
    const figures = (...cents: readonly string[]) => accounts.map((account, place) => `${account} ${cents[place]}`);
    expect(story.sheet(...accounts)).toEqual(figures('-0.40', '0.40', '0.40'));
    story.tell(shortfallWrittenOff('ada'));
    expect(story.sheet(...accounts)).toEqual(figures('-0.40', '0.00', '0.40'));
    story.tell(reinstatementIn(story.journal, 50_000n));
    expect(story.sheet(...accounts)).toEqual(figures('-1.00', '0.00', '0.00'));
  });
});

describe('the page about accounting', () => {
  const page = readFileSync(path.resolve(__dirname, '../../../../../docs/accounting.md'), 'utf8');

  it('names every event', () => {
    expect(LEDGER_EVENT_TYPES.filter((type) => !page.includes(`\`${type}\``))).toEqual([]);
  });

  it('lists every account with the name that the panel has for it alone, and says which events alone change', () => {
    const rows = [...page.matchAll(/^\| `([a-z:-]+)`( †)? *\| ([^|]*?) *\|/gm)];
    expect(rows.map(([, account, isControlled, label]) => [account, label, isControlled !== undefined])).toEqual(
      DOLLAR_ACCOUNTS.map((account) => [account, CHART[account].label, CONTROLLED_ACCOUNTS.has(account)]),
    );
    expect(new Set(rows.map(([, , , label]) => label)).size).toBe(DOLLAR_ACCOUNTS.length);
  });
});
