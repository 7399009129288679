import { randomUUID } from 'node:crypto';
import {
  EventStoreDbEventStore,
  MemoryEventStore,
  PostgresEventStore,
  type EventStore,
  type NewEvent,
} from '@app/event-store';
import type { Figure } from './report.js';
import type { Surroundings } from './surroundings.js';

const BATCH = 1_000;

/** As large as a gift of the journal. */
const DATA = `{"at":1700000000000,"actor":"member:0193a000-0000-7000-8000-000000000000","key":["${'0'.repeat(32)}","${'0'.repeat(16)}"],"padding":"${'x'.repeat(270)}"}`;
const METADATA = `{"hash":"${'0'.repeat(64)}"}`;

const events = (count: number): NewEvent[] =>
  Array.from({ length: count }, () => ({ id: randomUUID(), type: 'GiftSent', data: DATA, metadata: METADATA }));

/**
 * Measures append and read rates of every store: sequential appends of 1,000 events, single events from 64 callers, and
 * continuous reading. The store that keeps millions of events in this process comes last: collecting them took half the
 * time of the measurements after it.
 */
export async function benchStores(surroundings: Surroundings, seconds: number): Promise<Figure[]> {
  const postgres = await PostgresEventStore.open({ connectionString: await surroundings.database() });
  const figures = await measure('postgres', postgres, seconds);
  const url = process.env['EVENTSTORE_URL'];
  if (url) {
    const remote = await EventStoreDbEventStore.open({ connectionString: url });
    figures.push(...(await measure('eventstoredb', remote, seconds)));
  } else {
    console.error('EVENTSTORE_URL is not set: the EventStoreDB store is not measured.');
  }
  figures.push(...(await measure('memory', new MemoryEventStore(), seconds)));
  return figures;
}

async function measure(name: string, store: EventStore, seconds: number): Promise<Figure[]> {
  const goal = name === 'postgres' ? ({ at: '>=', value: 100_000 } as const) : undefined;
  const stream = `bench-${randomUUID()}`;
  const appended = await appendBatches(store, stream, seconds);
  const read = await readAll(store, stream, appended.events);
  const single = await appendSingles(store, seconds);
  await store.close();
  return [
    { group: 'appends of 1,000', name, value: appended.perSecond, unit: 'events/s', ...(goal && { goal }) },
    { group: 'single appends, 64 callers', name, value: single, unit: 'events/s' },
    { group: 'reading a stream', name, value: read, unit: 'events/s' },
  ];
}

async function appendBatches(store: EventStore, stream: string, seconds: number) {
  const batches = Array.from({ length: 8 }, () => events(BATCH));
  let revision: number | 'none' = 'none';
  let count = 0;
  const begin = performance.now();
  while (performance.now() - begin < seconds * 1_000) {
    const batch = batches[(count / BATCH) % batches.length] ?? [];
    revision = (await store.append(stream, batch, revision)).revision;
    count += BATCH;
  }
  return { events: count, perSecond: (count * 1_000) / (performance.now() - begin) };
}

async function appendSingles(store: EventStore, seconds: number): Promise<number> {
  const begin = performance.now();
  let count = 0;
  const caller = async () => {
    const stream = `bench-${randomUUID()}`;
    while (performance.now() - begin < seconds * 1_000) {
      await store.append(stream, events(1), 'any');
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: 64 }, caller));
  return (count * 1_000) / (performance.now() - begin);
}

async function readAll(store: EventStore, stream: string, expected: number): Promise<number> {
  const begin = performance.now();
  let count = 0;
  for await (const batch of store.readStream(stream)) count += batch.length;
  if (count !== expected) throw new Error(`read ${count} of ${expected} events`);
  return (count * 1_000) / (performance.now() - begin);
}
