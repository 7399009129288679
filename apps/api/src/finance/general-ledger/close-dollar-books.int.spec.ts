import type { LedgerCommand, Sums } from '@app/domain';
import { MemoryEventStore } from '@app/event-store';
import { type LedgerWriter, VerifiedLedger } from '@app/ledger';
import { type GeneralLedgerQueries, projectionMigrations, ProjectionRunner, readModels } from '@app/projections';
import { gift, reversed } from '../../../../../libs/domain/src/ledger/testing/commands.js';
import { ManualClock, startWriter } from '../../../../../libs/ledger/src/testing/writers.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/postgres.js';
import type { AdminReasons } from '../../admin/admin-reasons.js';
import { StreamMetadata } from '../../platform/journal/stream-metadata.js';
import { BooksStream } from './books-stream.js';
import { CloseDollarBooks, CloseDollarBooksHandler } from './close-dollar-books.js';
import { FiscalCalendar } from './fiscal-calendar.js';
import { GeneralLedgerReports } from './general-ledger-reports.js';
import { SetPolicy, SetPolicyHandler } from './policies.js';
import { ProviderMovements } from './provider-movements.js';

const BY = { adminId: 'admin', requestId: 'request', reason: 'Two in three pay' };

describe('closing months in dollars', () => {
  const store = new MemoryEventStore();
  const clock = new ManualClock(Date.UTC(2026, 0, 10));
  const calendar = new FiscalCalendar('UTC');
  let database: TestDatabase;
  let runner: ProjectionRunner;
  let writer: LedgerWriter;
  let stream: BooksStream;
  let policies: SetPolicyHandler;
  let closes: CloseDollarBooksHandler;
  const reasons = new Set<string>();

  beforeAll(async () => {
    database = await createTestDatabase('closing');
    for (const { sql } of projectionMigrations) await database.pool.query(sql);
    const models = readModels.filter(({ name }) => name === 'general_ledger');
    runner = new ProjectionRunner({ store, connectionString: database.url, models });
    await runner.start();
    writer = await startWriter({ store, clock });
    const events = new VerifiedLedger(store, () => writer.head);
    stream = new BooksStream(store, events, runner, new StreamMetadata(2), database.pool);
    const kept: Pick<AdminReasons, 'write' | 'discard'> = {
      async write({ text }) {
        reasons.add(text);
        return text;
      },
      async discard(id) {
        reasons.delete(id);
      },
    };
    policies = new SetPolicyHandler(stream, calendar, kept as AdminReasons);
    closes = new CloseDollarBooksHandler(stream, calendar, events, writer);
  });

  afterAll(async () => {
    await writer.stop();
    await runner.stop();
    await store.close();
    await database.drop();
  });

  const told = async (...commands: readonly LedgerCommand[]): Promise<void> => {
    for (const command of commands) {
      expect((await writer.execute({ command, actor: 'process' })).status).toBe('accepted');
    }
  };
  const closed = async (month: string): Promise<void> => {
    const { to } = calendar.month(month);
    clock.ms = to.getTime() + 86_400_000;
    const nothing = (async function* () {})();
    await new ProviderMovements(stream).record(nothing, new Date(to.getTime() + 1));
    await closes.execute(new CloseDollarBooks(month, BY));
  };
  const owedAt = async (at: Date): Promise<readonly (bigint | undefined)[]> => {
    const { cents } = await (await stream.current()).sumsAt(at);
    const accounts = ['assets:receivables:members', 'assets:receivables:allowance', 'expenses:losses:members'] as const;
    return accounts.map((account) => cents.get(account));
  };
  const losses = async (month: string): Promise<bigint | undefined> => {
    const { incomeStatement } = await new GeneralLedgerReports(stream, calendar).statements(calendar.month(month));
    return incomeStatement.expenses.figures.find(({ account }) => account === 'expenses:losses:members')?.cents;
  };
  const first = (month: string): Date => calendar.month(month).from;

  it('allows for what members owe as the policy of the month says, and for all of it in between', async () => {
    await told(
      {
        type: 'RecordPurchase',
        userId: 'ada',
        amount: 125_000n,
        paymentIntentId: 'pi_ada',
        chargedCents: 100,
        livemode: true,
      },
      gift('ada', 'bob', '1000'),
      reversed('ada', '1250', 'dispute'),
    );
    const paid = { kind: 'payment', amount: 100, fee: 0, providerId: null, arrivesAt: null } as const;
    await new ProviderMovements(stream).record(
      (async function* () {
        const about = { movementId: 'txn_1', paymentIntentId: 'pi_ada', currency: 'usd', livemode: true };
        yield { ...paid, ...about, createdAt: clock.ms };
      })(),
      new Date(clock.ms),
    );
    await policies.execute(new SetPolicy({ allowancePercent: 67 }, '2026-01', BY));
    // The same again is nothing new.
    await policies.execute(new SetPolicy({ allowancePercent: 67 }, '2026-01', { ...BY, reason: 'Again' }));
    expect([...reasons]).toEqual([BY.reason]);
    await closed('2026-01');
    expect(await owedAt(calendar.month('2026-01').to)).toEqual([80n, -54n, -26n]);
    expect(await owedAt(first('2026-02'))).toEqual([80n, -80n, 0n]);
    expect(await losses('2026-01')).toBe(-26n);
  });

  it('lets a reconciliation wait for books that are behind, where a request is told to come back', async () => {
    const wait = runner.waitForPosition.bind(runner);
    const waits = jest
      .spyOn(runner, 'waitForPosition')
      .mockImplementation((models, position, ms) =>
        ms <= 10_000 ? Promise.resolve({ projected: false }) : wait(models, position, ms),
      );
    try {
      await expect(stream.current()).rejects.toMatchObject({ statusCode: 503, code: 'BOOKS_BEHIND' });
      const movements = new ProviderMovements(stream);
      expect(await movements.takes({ livemode: true })).toBe(true);
      const until = new Date(Date.UTC(2026, 1, 2));
      await movements.record((async function* () {})(), until);
      expect(await movements.readUntil()).toEqual(until);
    } finally {
      waits.mockRestore();
    }
  });

  it('takes a policy for an open month, the last word of which holds', async () => {
    const late = policies.execute(new SetPolicy({ allowancePercent: 50 }, '2026-01', { ...BY, reason: 'Late' }));
    await expect(late).rejects.toMatchObject({
      statusCode: 409,
      code: 'BOOKS_CLOSED',
      message: 'The books are closed in this month. Choose a later one.',
    });
    await policies.execute(new SetPolicy({ allowancePercent: 0 }, '2026-04', BY));
    await policies.execute(new SetPolicy({ allowancePercent: 10 }, '2026-03', BY));
    await policies.execute(new SetPolicy({ allowancePercent: 20 }, '2026-05', BY));
    const found = await (await stream.current()).policies();
    expect(found.map(({ allowancePercent, effectiveAt }) => [allowancePercent, calendar.monthOf(effectiveAt)])).toEqual(
      [
        [20, '2026-05'],
        [10, '2026-03'],
        [67, '2026-01'],
      ],
    );
    expect(reasons).not.toContain('Late');
  });

  it('posts in each month what changed since the last', async () => {
    await closed('2026-02');
    await closed('2026-03');
    expect([await losses('2026-02'), await losses('2026-03')]).toEqual([undefined, -46n]);
    const sheet = async (month: string): Promise<Sums> => (await stream.current()).sumsAt(calendar.month(month).to);
    for (const month of ['2026-01', '2026-02', '2026-03']) {
      const { cents } = await sheet(month);
      expect([...cents.values()].reduce((sum, one) => sum + one, 0n)).toBe(0n);
    }
    const books: GeneralLedgerQueries = await stream.current();
    const sealed = (await books.marks('closed', 9)).map(({ number }) => number);
    expect(sealed).toEqual([3, 2, 1]);
  });
});
