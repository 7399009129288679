import { balanceSheet, incomeStatement, LEDGER_STREAM, rollForward } from '@app/domain';
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
const REBUILD_GOAL = { at: '>=', value: 50_000 } as const;
const PAGE = 50;

/** Measures how long a month takes whose books were never made in dollars: making them, and all reports. */
export async function benchDollars(surroundings: Surroundings, log: (line: string) => void): Promise<Figure[]> {
  const url = await surroundings.database();
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  for (const { sql } of projectionMigrations) await pool.query(sql);
  const store = await PostgresEventStore.open({ connectionString: url });
  const models = readModels.filter(({ name }) => name === 'general_ledger');
  await fill(store, { accounts: MEMBERS, events: EVENTS }, log);
  const last = (await store.head(LEDGER_STREAM))?.revision ?? 0;
  const runner = new ProjectionRunner({ store, connectionString: url, models });
  const [made] = await timed(async () => {
    await runner.start();
    const { projected } = await runner.waitFor(['general_ledger'], last, CLOSE_SECONDS_MAX * 5_000);
    if (!projected) throw new Error('the dollar books did not come so far');
  });
  await runner.stop();
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
    { group, name: 'made from the journal', value: made, unit: 's' },
    { group, name: 'all reports', value: reported, unit: 's' },
    { group, name: 'both', value: made + reported, unit: 's', goal },
    { group, name: 'rebuilt beside the live books', value: (last + 1) / rebuilt, unit: 'events/s', goal: REBUILD_GOAL },
  ];
}
