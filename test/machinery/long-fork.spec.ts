import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDbServer } from '../support/eventstoredb-server.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { IS_THOROUGH } from './thorough.js';

jest.setTimeout(120_000);

const PROCESS = path.join(import.meta.dirname, 'long-fork-process.mjs');
const LOAD_MS = IS_THOROUGH ? 10_000 : 2_000;
const STREAMS = ['fork-a', 'fork-b'] as const;

interface Reader {
  /** Per read: how many events of each stream it saw. */
  readonly reads: readonly (readonly number[])[];
  /** Everything that the last read saw, in order. */
  readonly order: readonly string[];
}

const JOURNALS = IS_THOROUGH ? ['Postgres', 'EventStoreDB'] : ['Postgres'];

/**
 * Two processes write, each to its own stream, and three read everything. All readers see one order: no reader sees one
 * writer ahead while another sees the other ahead, and an event that was seen never changes its place.
 */
describe.each(JOURNALS)('writers and readers in five processes, the journal in %s', (journalIn) => {
  const eventStore = journalIn === 'EventStoreDB' ? new EventStoreDbServer() : undefined;
  let database: TestDatabase;
  const processes: ChildProcess[] = [];

  beforeAll(async () => {
    await eventStore?.start();
    database = await createTestDatabase('fork');
  });

  afterAll(async () => {
    for (const child of processes) child.kill('SIGKILL');
    eventStore?.kill();
    await database?.drop();
  });

  const begin = async (): Promise<ChildProcess> => {
    // Without the loaders of this test: the process runs the built code.
    const child = fork(PROCESS, [database.url, eventStore?.connectionString ?? '-'], { execArgv: [] });
    processes.push(child);
    await once(child, 'message');
    return child;
  };
  const resultOf = async <T>(child: ChildProcess): Promise<T> => {
    const [result] = (await once(child, 'message')) as [T];
    return result;
  };

  it('agree on one order', async () => {
    const writers: ChildProcess[] = [];
    const readers: ChildProcess[] = [];
    // The first prepares the database.
    for (let number = 0; number < STREAMS.length; number += 1) writers.push(await begin());
    for (let number = 0; number < 3; number += 1) readers.push(await begin());
    const results = {
      written: writers.map((child) => resultOf<{ written: number }>(child)),
      read: readers.map((child) => resultOf<Reader>(child)),
    };
    for (const [number, child] of writers.entries()) child.send({ role: 'write', stream: STREAMS[number] });
    for (const child of readers) child.send({ role: 'read', streams: STREAMS });
    await sleep(LOAD_MS);
    for (const child of writers) child.send({ role: 'end' });
    const written = (await Promise.all(results.written)).map((result) => result.written);
    for (const child of readers) child.send({ role: 'end' });
    const read = await Promise.all(results.read);

    const seen = read.flatMap(({ reads }) => reads);
    expect(forksAmong(seen)).toEqual([]);
    const longest = read.map(({ order }) => order).toSorted((a, b) => b.length - a.length)[0] ?? [];
    for (const { order } of read) expect(order).toEqual(longest.slice(0, order.length));
    // There was a race: both wrote, and readers saw both in progress.
    for (const count of written) expect(count).toBeGreaterThan(10);
    expect(new Set(seen.map(String)).size).toBeGreaterThan(3);
    process.stderr.write(
      `  ${written.join(' + ')} events in ${LOAD_MS / 1000} s, ${seen.length} reads by three processes\n`,
    );
  });
});

/** Pairs of reads that each saw something that the other did not. */
function forksAmong(reads: readonly (readonly number[])[]): string[] {
  const forks: string[] = [];
  const sorted = reads.toSorted((one, other) => sum(one) - sum(other));
  for (const [index, later] of sorted.entries()) {
    const earlier = sorted[index - 1] ?? later.map(() => 0);
    // Sorted by their sums, so comparing neighbours is enough: each must include everything of the one before.
    if (later.some((count, stream) => count < (earlier[stream] ?? 0)))
      forks.push(`${earlier.join(':')} and ${later.join(':')}`);
  }
  return forks;
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
