import type { LedgerCommand } from '@app/domain';
import { LedgerWriter, StoredLedger } from '@app/ledger';
import { MemoryEventStore } from '@app/event-store';
import {
  KeyIndexQueries,
  projectionMigrations,
  ProjectionRunner,
  readModels,
  type StatementRow,
} from '@app/projections';
import { parse } from 'csv-parse/sync';
import { randomCommands } from '../../../../../libs/projections/src/testing/random-commands.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/postgres.js';
import { Books } from '../../finance/books.js';
import { replay } from '../../finance/replay.js';
import { ReadModels } from '../read-models.js';
import { monthStatementCsv } from './month-statement-csv.js';
import { type MonthStatement, MonthStatements } from './month-statements.js';
import { type Month, readMonth } from './month.js';

jest.setTimeout(60_000);

const COMMANDS_OF_MOMENT = 400;
/** More than one batch. */
const GRANTS = 1_100;
const MONTHS = ['2026-01', '2026-02', '2026-03'].map((name) => readMonth(name) as Month);

describe('statements of a month', () => {
  let database: TestDatabase;
  const store = new MemoryEventStore();
  let runner: ProjectionRunner;
  let writer: LedgerWriter;
  let statements: MonthStatements;
  let members: readonly string[];

  beforeAll(async () => {
    database = await createTestDatabase('month_statements');
    for (const { sql } of projectionMigrations) await database.pool.query(sql);
    runner = new ProjectionRunner({ store, connectionString: database.url, models: readModels });
    await runner.start();
    let now = 0;
    const clock = { ready: true, now: () => now };
    writer = new LedgerWriter({ store, clock, keyIndex: new KeyIndexQueries(database.pool) });
    await writer.start();
    const next = randomCommands(23);
    for (const { start, end } of MONTHS) {
      // The last millisecond of a month belongs to it, and the first to the next.
      for (now of [start.getTime(), start.getTime() + 86_400_000, end.getTime() - 1]) {
        const commands: LedgerCommand[] = Array.from({ length: COMMANDS_OF_MOMENT }, next);
        await Promise.all(commands.map((command) => writer.execute({ command, actor: 'process' })));
      }
    }
    const grant: LedgerCommand = { type: 'GrantNova', userId: 'rich', adminId: 'root', amount: 1n };
    await Promise.all(Array.from({ length: GRANTS }, () => writer.execute({ command: grant, actor: 'admin:root' })));
    await runner.waitFor(
      readModels.map(({ name }) => name),
      writer.revision,
      20_000,
    );
    const { pool } = database;
    const books = new Books(new StoredLedger(store), pool, () => Promise.resolve());
    statements = new MonthStatements(books, new ReadModels(pool, runner), pool);
    members = [...(await replay(store, {})).state.memberIds()];
  });

  afterAll(async () => {
    await writer.stop();
    await runner.stop();
    await store.close();
    await database.drop();
  });

  async function rowsOf(statement: MonthStatement): Promise<StatementRow[]> {
    const rows: StatementRow[] = [];
    for await (const batch of statements.rows(statement)) rows.push(...batch);
    return rows;
  }

  it('goes from the journal’s balance before the month to its balance after it, for every member', async () => {
    let opening = 0;
    for (const month of MONTHS) {
      const { state: before } = await replay(store, { upTo: opening - 1 });
      const { closing } = await statements.of('nobody', month);
      const { state: after } = await replay(store, { upTo: closing.revision });
      expect(closing.at).toBe(month.end.getTime() - 1);
      for (const userId of members) {
        const statement = await statements.of(userId, month);
        expect(statement.isOver).toBe(true);
        expect(statement.nova).toEqual({ opening: before.novaBalance(userId), closing: after.novaBalance(userId) });
        const rows = await rowsOf(statement);
        for (const { type, count, amount } of statement.groups) {
          const own = rows.filter((row) => row.type === type);
          expect([type, own.length]).toEqual([type, count]);
          expect(own.reduce((sum, row) => sum + row.amount, 0n)).toBe(amount);
        }
        expect(statement.groups.reduce((sum, { count }) => sum + count, 0)).toBe(rows.length);
        expect(rows.every(({ createdAt }) => createdAt >= month.start && createdAt < month.end)).toBe(true);
        expect(rows.map(({ id }) => id)).toEqual([...new Set(rows.map(({ id }) => id))]);
      }
      opening = closing.revision + 1;
    }
    expect(members.length).toBeGreaterThan(4);
  });

  it('streams more rows than one batch holds, each once and in order', async () => {
    const { statement } = new ReadModels(database.pool, runner);
    const whole = { first: 0, last: writer.revision };
    for (const userId of members) {
      const rows: StatementRow[] = [];
      for await (const batch of statement.stream(userId, whole)) rows.push(...batch);
      const groups = await statement.groups(userId, whole);
      expect(rows).toHaveLength(groups.reduce((sum, { count }) => sum + count, 0));
      for (const [index, { revision, index: place }] of rows.entries()) {
        const before = rows[index - 1] ?? { revision: -1, index: 0 };
        expect(revision > before.revision || (revision === before.revision && place > before.index)).toBe(true);
      }
    }
    expect(await statement.groups('rich', whole)).toEqual([
      { type: 'admin_grant', count: GRANTS, amount: BigInt(GRANTS) },
    ]);
  });

  it('has months that follow each other without a gap', async () => {
    for (const userId of members) {
      const [january, february, march] = await Promise.all(MONTHS.map((month) => statements.of(userId, month)));
      expect(january?.opening.revision).toBe(-1);
      expect(february?.opening).toEqual(january?.closing);
      expect(march?.opening).toEqual(february?.closing);
      expect(march?.nova.opening).toBe(february?.nova.closing);
    }
  });

  it('writes CSV in which every balance is the one before and the amount of its row', async () => {
    const month = MONTHS[1] as Month;
    let accrued = 0;
    for (const userId of members) {
      const statement = await statements.of(userId, month);
      const described = (await rowsOf(statement)).map((row) => ({
        row,
        description: `Gift to "${userId}", and\nmore`,
      }));
      let text = '';
      const batches = (async function* () {
        yield described;
      })();
      for await (const piece of monthStatementCsv(statement, batches)) text += piece;
      const rows = parse(text, { bom: true, columns: true, relaxQuotes: false }) as Record<string, string>[];
      expect(rows).toHaveLength(described.length + 3);
      expect(rows[0]).toMatchObject({ Type: 'opening', Date: '2026-02-01T00:00:00.000Z', Amount: '' });
      expect(rows.at(-1)).toMatchObject({
        Type: 'closing',
        Date: '2026-03-01T00:00:00.000Z',
        Revision: String(statement.closing.revision),
        'Chain Hash': statement.closing.hash,
      });
      const cents = (amount = ''): bigint => BigInt(amount.replace('.', '') || '0');
      let balance = cents(rows[0]?.['Balance']);
      for (const row of rows.slice(1)) {
        balance += cents(row['Amount']);
        expect(cents(row['Balance'])).toBe(balance);
      }
      expect(balance).toBe(statement.nova.closing);
      if (rows.at(-2)?.['Amount'] !== '0.00') accrued += 1;
    }
    // Somebody's rewards changed: the line for them is not always zero.
    expect(accrued).toBeGreaterThan(0);
  });

  it('is empty for nobody and before the journal began, and refuses a month that has not begun', async () => {
    const nobody = await statements.of('nobody', MONTHS[2] as Month);
    expect(nobody.groups).toEqual([]);
    expect(nobody.nova).toEqual({ opening: 0n, closing: 0n });
    const early = await statements.of(members[0] ?? '', readMonth('2001-01') as Month);
    expect([early.opening.revision, early.closing.revision, early.groups]).toEqual([-1, -1, []]);
    await expect(statements.of(members[0] ?? '', readMonth('9999-01') as Month)).rejects.toMatchObject({
      code: 'INVALID_MONTH',
      message: 'This month has not begun yet.',
    });
  });

  it('stops where rows and balances do not agree', async () => {
    const [userId = ''] = members;
    const change = (by: string) =>
      database.pool.query(
        `update read.statements_row set amount = amount ${by} where (revision, idx) in
         (select revision, idx from read.statements_row where user_id = $1 order by revision limit 1)`,
        [userId],
      );
    await change('+ 1');
    await expect(statements.of(userId, MONTHS[0] as Month)).rejects.toThrow('do not add up');
    await change('- 1');
    await expect(statements.of(userId, MONTHS[0] as Month)).resolves.toMatchObject({ userId });
  });
});
