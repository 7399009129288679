import { setTimeout as pause } from 'node:timers/promises';
import { PostgresEventStore } from '@app/event-store';
import type { LedgerWriter } from '@app/ledger';
import { readModels, projectionMigrations, ProjectionRunner, rebuildReadModels } from '@app/projections';
import pg from 'pg';
import { callsPerSecond, fund, memberIds, openWriter, pairsOf, sendGift, type Pair } from './gifts.js';
import { percentile, type Figure } from './report.js';
import type { Surroundings } from './surroundings.js';

const MEMBERS = 10_000;
const LAG_RATE = 2_000;
const TICK_MS = 10;
const REBUILD_EVENTS = 300_000;
const names = readModels.map(({ name }) => name);
const awaitedNames = readModels.filter(({ isBackground }) => !isBackground).map(({ name }) => name);

/** Measures how far read models lag behind the journal under load, and how fast they are rebuilt. */
export async function benchProjections(surroundings: Surroundings, seconds: number): Promise<Figure[]> {
  const url = await surroundings.database();
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  for (const { sql } of projectionMigrations) await pool.query(sql);
  await pool.end();
  const store = await PostgresEventStore.open({ connectionString: url });
  const runner = new ProjectionRunner({ store, connectionString: url, models: readModels });
  await runner.start();
  const writer = await openWriter(store);
  const ids = memberIds(MEMBERS);
  await fund(writer, ids);
  const pair = pairsOf(ids);
  // Neither the burst that funds the members nor the first second of a cold process is measured.
  await runner.waitFor(names, writer.revision, 60_000);
  await lagsAt(LAG_RATE, 1, writer, runner, pair);
  const lags = await lagsAt(LAG_RATE, seconds, writer, runner, pair);
  const busy = await callsPerSecond(4_000, Math.max(5, seconds), () => sendGift(writer, pair));
  while (writer.revision < REBUILD_EVENTS) await callsPerSecond(4_000, 1, () => sendGift(writer, pair));
  const begin = performance.now();
  await runner.waitFor(names, writer.revision, 300_000);
  const catchUp = performance.now() - begin;
  await runner.stop();
  const rebuilds = await rebuildRates(url, store, writer.revision + 1);
  await writer.stop();
  await store.close();
  return [
    ...lagFigures(lags),
    { group: 'gifts with projections running', name: 'in process', value: busy, unit: '/s' },
    { group: 'gifts with projections running', name: 'read models caught up after', value: catchUp / 1_000, unit: 's' },
    ...rebuilds,
  ];
}

/** Milliseconds from a gift's answer until the read models that requests wait for include it, and until all do. */
interface Lags {
  readonly awaited: number[];
  readonly all: number[];
}

/** Sends gifts at a fixed rate. */
async function lagsAt(rate: number, seconds: number, writer: LedgerWriter, runner: ProjectionRunner, pair: Pair) {
  const lags: Lags = { awaited: [], all: [] };
  const under: Promise<void>[] = [];
  const one = async () => {
    const revision = await sendGift(writer, pair);
    const answered = performance.now();
    const lagOf = async (models: readonly string[]): Promise<number> => {
      const { projected } = await runner.waitFor(models, revision, 10_000);
      return projected ? performance.now() - answered : Number.POSITIVE_INFINITY;
    };
    lags.awaited.push(await lagOf(awaitedNames));
    lags.all.push(await lagOf(names));
  };
  const begin = performance.now();
  for (let sent = 0; sent < rate * seconds;) {
    const due = Math.floor(((performance.now() - begin) * rate) / 1_000);
    for (; sent < due; sent++) under.push(one());
    await pause(TICK_MS);
  }
  await Promise.all(under);
  return lags;
}

const lagFigures = ({ awaited, all }: Lags): Figure[] =>
  Object.entries({ 'of what answers wait for': awaited, 'of all': all }).flatMap(([of, lags]) => [
    { group: 'projection lag at 2,000 gifts/s', name: `p50 ${of}`, value: percentile(lags, 50), unit: 'ms' },
    {
      group: 'projection lag at 2,000 gifts/s',
      name: `p99 ${of}`,
      value: percentile(lags, 99),
      unit: 'ms',
      goal: { at: '<=', value: 100 },
    },
  ]);

async function rebuildRates(url: string, store: PostgresEventStore, events: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  const goal = { at: '>=', value: 50_000 } as const;
  const timed = async (models: typeof readModels): Promise<number> => {
    const begin = performance.now();
    const outcomes = await rebuildReadModels({ store, connectionString: url, models });
    for (const { name, matched } of outcomes) if (matched === false) throw new Error(`${name} was rebuilt differently`);
    return (events * 1_000) / (performance.now() - begin);
  };
  for (const model of readModels) {
    figures.push({
      group: 'rebuild, swap included',
      name: model.name,
      value: await timed([model]),
      unit: 'events/s',
      goal,
    });
  }
  figures.push({
    group: 'rebuild, swap included',
    name: 'all together',
    value: await timed(readModels),
    unit: 'events/s',
    goal: { at: '>=', value: 60_000 },
  });
  return figures;
}
