import { BOOKS_STREAM, type Group, LEDGER_STREAM, normalSide } from '@app/domain';
import { MemoryEventStore } from '@app/event-store';
import { VerifiedLedger } from '@app/ledger';
import { projectionMigrations, ProjectionRunner, readModels } from '@app/projections';
import { ManualClock, startWriter } from '../../../../../libs/ledger/src/testing/writers.js';
import { randomCommands } from '../../../../../libs/projections/src/testing/random-commands.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/postgres.js';
import { StreamMetadata } from '../../platform/journal/stream-metadata.js';
import { BooksStream } from '../general-ledger/books-stream.js';
import { FiscalCalendar, type FiscalPeriod } from '../general-ledger/fiscal-calendar.js';
import { GeneralLedgerReports } from '../general-ledger/general-ledger-reports.js';
import {
  type Cents,
  exported,
  hledgerReport,
  MONTH_END,
  periodOf,
  recordProvider,
  requires,
  withFile,
} from './testing/provider-side.js';

// hledger takes minutes for so many transactions.
jest.setTimeout(20 * 60_000);

const EVENTS = 200_000;
const MEMBERS = 3_000;
const START = Date.UTC(2026, 0, 1);
/** Between two commands: the history takes about two months. */
const STEP_MS = 15_000;

describe('200,000 random events in dollars', () => {
  const store = new MemoryEventStore();
  const calendar = new FiscalCalendar('UTC');
  let database: TestDatabase;
  let runner: ProjectionRunner;
  let reports: GeneralLedgerReports;
  let end = START;

  beforeAll(async () => {
    const clock = new ManualClock(START);
    const writer = await startWriter({ store, clock });
    const next = randomCommands(41, MEMBERS);
    while (writer.revision < EVENTS - 1) {
      clock.ms += STEP_MS;
      await writer.execute({ command: next(), actor: 'process' });
    }
    await writer.stop();
    end = clock.ms + 1;
    await recordProvider(store, 'dp_1');
    database = await createTestDatabase('dollar_exports');
    for (const { sql } of projectionMigrations) await database.pool.query(sql);
    const models = readModels.filter(({ name }) => name === 'general_ledger');
    runner = new ProjectionRunner({ store, connectionString: database.url, models });
    await runner.start();
    for (const head of [await store.head(LEDGER_STREAM), await store.head(BOOKS_STREAM)]) {
      await runner.waitForPosition(['general_ledger'], head?.position ?? 0n, 5 * 60_000);
    }
    const events = new VerifiedLedger(store, () => writer.head);
    const stream = new BooksStream(store, events, runner, new StreamMetadata(2), database.pool);
    reports = new GeneralLedgerReports(stream, calendar);
  });

  afterAll(async () => {
    await runner.stop();
    await store.close();
    await database.drop();
  });

  /** The figures of a report's group as hledger signs them: what lowers the group is below zero. */
  const shown = (group: Group, side: 1n | -1n): (readonly [string, bigint])[] =>
    group.figures.map(({ account, cents }) => [account, normalSide(account) === side ? cents : -cents]);

  const PERIODS: readonly (readonly [string, () => FiscalPeriod])[] = [
    ['all of it', () => ({ from: new Date(0), to: new Date(end) })],
    ['a month that was closed', () => ({ from: new Date(Date.UTC(2026, 0, 15)), to: new Date(MONTH_END - 1) })],
    ['what came after it', () => ({ from: new Date(MONTH_END), to: new Date(end) })],
  ];

  requires('hledger').each(PERIODS)(
    'are the same in hledger’s bs and is and in the panel’s reports: %s',
    async (_, of) => {
      const period = of();
      const { currency, balanceSheet, incomeStatement } = await reports.statements(period);
      const options = await periodOf(store, period.from.getTime(), period.to.getTime() + 1);
      const text = await exported(store, 'hledger', { calendar, ...options });
      const panel: Record<'bs' | 'is', Cents> = {
        bs: new Map([...shown(balanceSheet.assets, 1n), ...shown(balanceSheet.liabilities, -1n)]),
        is: new Map([...shown(incomeStatement.revenue, -1n), ...shown(incomeStatement.expenses, 1n)]),
      };
      expect(panel.is.size).toBeGreaterThan(5);
      withFile(text, (file) => {
        for (const kind of ['bs', 'is'] as const) expect(hledgerReport(kind, file, currency)).toEqual(panel[kind]);
      });
    },
  );
});
