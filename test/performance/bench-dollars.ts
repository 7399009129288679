import { balanceSheet, incomeStatement, rollForward } from '@app/domain';
import { PostgresEventStore } from '@app/event-store';
import {
  GeneralLedgerQueries,
  projectionMigrations,
  ProjectionRunner,
  readModels,
  rebuildReadModels,
} from '@app/projections';
import pg from 'pg';
import { fill, timed } from './history.js';
import type { Figure } from './report.js';
import type { Surroundings } from './surroundings.js';

const EVENTS = 1_000_000;
const MEMBERS = 50_000;
const CLOSE_SECONDS_MAX = 60;
const PAGE = 50;

/** Measures how long a month takes whose books were never made in dollars: making them, and all reports. */
export async function benchDollars(surroundings: Surroundings, log: (line: string) => void): Promise<Figure[]> {
  const url = await surroundings.database();
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  for (const { sql } of projectionMigrations) await pool.query(sql);
  const store = await PostgresEventStore.open({ connectionString: url });
  const models = readModels.filter(({ name }) => name === 'general_ledger');
  // Makes its tables.
  const runner = new ProjectionRunner({ store, connectionString: url, models });
  await runner.start();
  await runner.stop();
  await fill(store, { accounts: MEMBERS, events: EVENTS }, log);
  const [rebuilt] = await timed(() => rebuildReadModels({ store, connectionString: url, models }));
  const books = new GeneralLedgerQueries(pool);
  const period = { from: new Date(0), to: new Date() };
  const [reported] = await timed(async () => {
    const [opening, closing] = [await books.sumsAt(period.from), await books.sumsAt(period.to)];
    balanceSheet(opening, closing);
    incomeStatement(opening, closing);
    rollForward(opening, closing);
    for (const account of ['assets:provider:clearing', 'assets:provider:disputes'] as const) {
      await books.turnoverByDay(account, period, 'UTC');
      await books.openSubjects(account, { to: period.to, limit: PAGE, offset: 0 });
      await books.unsettled(account, period.to, PAGE);
    }
    await books.movementsByDay(period, 'UTC');
    await books.lines('liabilities:deferred-revenue', period, { limit: PAGE });
  });
  await store.close();
  await pool.end();
  const group = 'a month of 1M events in dollars';
  const goal = { at: '<=', value: CLOSE_SECONDS_MAX } as const;
  return [
    { group, name: 'made from the journal', value: rebuilt, unit: 's' },
    { group, name: 'all reports', value: reported, unit: 's' },
    { group, name: 'both', value: rebuilt + reported, unit: 's', goal },
  ];
}
