import { randomUUID } from 'node:crypto';
import {
  balanceSheet,
  BOOKS_STREAM,
  encodeBooksEvent,
  incomeStatement,
  LEDGER_STREAM,
  type ProviderMoved,
  rollForward,
} from '@app/domain';
import { type EventStore, PostgresEventStore } from '@app/event-store';
import type { LedgerWriter } from '@app/ledger';
import {
  GeneralLedgerQueries,
  projectionMigrations,
  ProjectionRunner,
  readModels,
  rebuildReadModels,
} from '@app/projections';
import pg from 'pg';
import { callsPerSecond, memberIds, openWriter, pairsOf, sendGift } from './gifts.js';
import { timed } from './history.js';
import type { Figure } from './report.js';
import type { Surroundings } from './surroundings.js';

const EVENTS = 1_000_000;
const MEMBERS = 10_000;
/** What each member buys: enough for all their gifts. */
const BOUGHT = { nova: 1_250_000_000n, cents: 1_000_000 } as const;
const BATCH = 1_000;
const CALLERS = 1_500;
const FILL_SECONDS = 5;
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
  await fill(store, log);
  const last = (await store.head(LEDGER_STREAM))?.revision ?? 0;
  const position = (await store.head(BOOKS_STREAM))?.position ?? 0n;
  const runner = new ProjectionRunner({ store, connectionString: url, models });
  const [made] = await timed(async () => {
    await runner.start();
    const { projected } = await runner.waitForPosition(['general_ledger'], position, CLOSE_SECONDS_MAX * 5_000);
    if (!projected) throw new Error('the dollar books did not come so far');
  });
  await runner.stop();
  const [rebuilt] = await timed(() => rebuildReadModels({ store, connectionString: url, models }));
  const books = new GeneralLedgerQueries(pool);
  const period = { from: new Date(0), to: new Date() };
  const [reported, result] = await timed(() => report(books, period));
  await store.close();
  await pool.end();
  if (result.revenue === 0n || result.open !== 0) throw new Error('the books are not those of this history');
  const group = 'a month of 1M events in dollars';
  const goal = { at: '<=', value: CLOSE_SECONDS_MAX } as const;
  return [
    { group, name: 'made from the journal', value: made, unit: 's' },
    { group, name: 'all reports', value: reported, unit: 's' },
    { group, name: 'both', value: made + reported, unit: 's', goal },
    { group, name: 'rebuilt beside the live books', value: (last + 1) / rebuilt, unit: 'events/s', goal: REBUILD_GOAL },
  ];
}

async function report(books: GeneralLedgerQueries, period: { readonly from: Date; readonly to: Date }) {
  const [opening, closing] = [await books.sumsAt(period.from), await books.sumsAt(period.to)];
  balanceSheet(opening, closing);
  const { revenue } = incomeStatement(opening, closing);
  rollForward(opening, closing);
  let open = 0;
  for (const account of ['assets:provider:clearing', 'assets:provider:disputes'] as const) {
    await books.turnoverByDay(account, period, 'UTC');
    await books.openSubjects(account, { to: period.to, limit: PAGE, offset: 0 });
    open += (await books.unsettled(account, period.to, PAGE)).length;
  }
  await books.movementsByDay(period, 'UTC');
  await books.lines('liabilities:deferred-revenue', period, { limit: PAGE });
  return { revenue: revenue.cents, open };
}

/** Members who bought Nova, and send each other gifts: half of each is our commission, because nobody holds Influence. */
async function fill(store: EventStore, log: (line: string) => void): Promise<void> {
  const writer = await openWriter(store);
  const ids = memberIds(MEMBERS);
  for (let at = 0; at < ids.length; at += BATCH) await buy(writer, ids.slice(at, at + BATCH));
  const pair = pairsOf(ids);
  while (writer.revision < EVENTS) {
    log(`  ${writer.revision + 1} of ${EVENTS} events`);
    await callsPerSecond(CALLERS, FILL_SECONDS, () => sendGift(writer, pair));
  }
  await writer.stop();
  for (let at = 0; at < ids.length; at += BATCH) await receive(store, ids.slice(at, at + BATCH));
}

const buy = (writer: LedgerWriter, ids: readonly string[]) =>
  Promise.all(
    ids.map((userId) =>
      writer.execute({
        command: {
          type: 'RecordPurchase',
          userId,
          amount: BOUGHT.nova,
          paymentIntentId: `pi_${userId}`,
          chargedCents: BOUGHT.cents,
          livemode: true,
        },
        actor: 'stripe',
      }),
    ),
  );

/** The provider's movements for these members' purchases. */
async function receive(store: EventStore, ids: readonly string[]): Promise<void> {
  const now = Date.now();
  const events = ids.map((userId): ProviderMoved => ({
    type: 'ProviderMoved',
    movementId: `txn_${userId}`,
    kind: 'payment',
    currency: 'usd',
    amount: BOUGHT.cents,
    fee: 30,
    providerId: `ch_${userId}`,
    paymentIntentId: `pi_${userId}`,
    livemode: true,
    createdAt: now,
    arrivesAt: null,
    postedAt: now,
    at: now,
  }));
  const recorded = events.map((event) => ({
    id: randomUUID(),
    type: event.type,
    data: encodeBooksEvent(event),
    metadata: '{}',
  }));
  await store.append(BOOKS_STREAM, recorded, 'any');
}
