import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { PeriodSealed } from '@app/domain';
import { MemoryEventStore } from '@app/event-store';
import {
  EMPTY_HEAD,
  type JournalClock,
  LedgerWriter,
  type LinkedEvent,
  packed,
  readLedgerEvent,
  StoredLedger,
  StoreJournal,
  unpacked,
} from '@app/ledger';
import { StreamMetadata } from '../../platform/journal/stream-metadata.js';
import { closePeriod } from './close-period.js';
import { PeriodAudit } from './period-audit.js';
import { PeriodBlocks } from './period-blocks.js';
import { SealedPeriods } from './sealed-periods.js';
import { openPeriodAudit, ThreadedPeriodAudit } from './threaded-period-audit.js';

// Each case starts a thread, which takes seconds on a busy machine.
jest.setTimeout(60_000);

const ENTRY = pathToFileURL(resolve('dist/apps/api/src/finance/periods/period-audit-worker.js'));
/** A thread that does nothing but this. */
const thread = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

const START = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const ZEROS = '0'.repeat(64);
/** So few that there are more batches than may be under way. */
const BATCH_EVENTS = 50;

let batches: readonly (readonly LinkedEvent[])[];
let first: PeriodSealed;
let second: PeriodSealed;

/** Two closed periods of 300 and 301 events, and an open one. */
beforeAll(async () => {
  let time = START;
  const clock: JournalClock = { ready: true, now: () => time };
  const store = new MemoryEventStore();
  const keyIndex = { find: () => Promise.resolve({ through: -1, found: new Map() }) };
  const ledger = new LedgerWriter({ store, clock, keyIndex });
  await ledger.start();
  const blocks = new PeriodBlocks({ query: () => Promise.resolve({ rows: [] }) } as never, store);
  const periods = new SealedPeriods(store);
  const events = new StoredLedger(store);
  const books = { store, events, ledger, clock, periods, blocks, metadata: new StreamMetadata(2) };
  const close = async (): Promise<PeriodSealed> => {
    for (let n = 0; n < 300; n++) {
      const command = { type: 'GrantNova', userId: `m${n % 7}`, adminId: 'root', amount: BigInt(n + 1) } as const;
      await ledger.execute({ command, actor: 'admin:root' });
    }
    time += DAY;
    return closePeriod(books, { endsAt: time - 1, adminId: null, by: { actor: 'process' } });
  };
  [first, second] = [await close(), await close()];
  await ledger.stop();
  const journal: LinkedEvent[] = [];
  for await (const batch of new StoreJournal(store).linked(EMPTY_HEAD)) journal.push(...batch);
  batches = Array.from({ length: Math.ceil(journal.length / BATCH_EVENTS) }, (_, n) =>
    journal.slice(n * BATCH_EVENTS, (n + 1) * BATCH_EVENTS),
  );
});

async function found(periods: readonly PeriodSealed[], given = batches, entry = ENTRY): Promise<readonly string[]> {
  const audit = new ThreadedPeriodAudit(periods, entry);
  try {
    for (const batch of given) await audit.seeAll(batch);
    return await audit.end();
  } finally {
    await audit.close();
  }
}

function foundHere(periods: readonly PeriodSealed[], given = batches): readonly string[] {
  const audit = new PeriodAudit(periods);
  for (const linked of given.flat()) audit.see(readLedgerEvent(linked), linked);
  return audit.end();
}

describe('a thread that checks the closed periods', () => {
  it('finds nothing where all is as it was sealed, whoever read the journal', async () => {
    expect(await found([first, second])).toEqual([]);
    const handedOn = batches.map((batch) => unpacked(structuredClone(packed(batch))));
    expect(await found([first, second], handedOn)).toEqual([]);
  });

  const changes: [what: string, change: Partial<PeriodSealed>][] = [
    ['another root', { root: ZEROS }],
    ['another chain hash', { chainHash: ZEROS }],
    ['another trial balance', { totals: '' }],
    ['another seal', { seal: ZEROS }],
    ['another seal before it', { previousSeal: ZEROS }],
    ['a number', { number: 7 }],
    ['an earlier end', { endsAt: START - 1 }],
    ['a later end', { endsAt: START + 9 * DAY }],
    ['an end beyond the journal', { lastRevision: 9_999 }],
  ];
  it.each(changes)('finds what is found here: %s', async (_, change) => {
    const periods = [first, { ...second, ...change }];
    const here = foundHere(periods);
    expect(here).not.toEqual([]);
    expect(await found(periods)).toEqual(here);
  });

  it('finds an event that was changed', async () => {
    const changed = batches.map((batch) => batch.map((event) => ({ ...event })));
    const [event] = changed[2] ?? [];
    if (event) event.data = event.data.replaceAll('"101"', '"102"');
    const here = foundHere([first, second], changed);
    expect(here).toContain('period 1 was sealed with another root: it was rewritten since');
    expect(await found([first, second], changed)).toEqual(here);
  });

  it('gives up where an event cannot be read', async () => {
    const unreadable = [[{ revision: 0, type: 'Nothing', data: '{}', hash: ZEROS }]];
    await expect(found([first], unreadable)).rejects.toThrow('revision 0: no such ledger event: Nothing');
  });

  it('holds back who reads faster than it checks', async () => {
    const audit = new ThreadedPeriodAudit([first], thread('setInterval(() => {}, 1_000)'));
    for (const batch of batches.slice(0, 4)) await audit.seeAll(batch);
    let taken = false;
    const fifth = audit.seeAll(batches[4] ?? []).then(() => (taken = true));
    await setTimeout(100);
    expect(taken).toBe(false);
    await audit.close();
    await expect(fifth).rejects.toThrow('ended before it was through');
  });

  it('never takes silence for consent', async () => {
    await expect(found([first], batches, thread('process.exit()'))).rejects.toThrow('ended before it was through');
    await expect(found([first], [], thread('throw new Error("out of order")'))).rejects.toThrow('out of order');
  });

  it('is not started for a few events', async () => {
    const far = { ...first, lastRevision: 50_000 };
    expect(openPeriodAudit([first, second], ENTRY)).toBeInstanceOf(PeriodAudit);
    expect(openPeriodAudit([far], undefined)).toBeInstanceOf(PeriodAudit);
    const audit = openPeriodAudit([far], ENTRY);
    expect(audit).toBeInstanceOf(ThreadedPeriodAudit);
    await audit.close?.();
  });
});
