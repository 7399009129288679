import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MemoryEventStore, type ReadAllOptions, type RecordedEvent } from '@app/event-store';
import { JournalSigner, LogTree, SignedStore } from '@app/ledger';
import { grant, startWriter } from '../../../../../libs/ledger/src/testing/writers.js';
import type { KeptCheckpoint } from './checkpoint-log.js';
import { JournalForked, lastEvent, makeCheckpoint } from './checkpoint-rounds.js';
import { checkSeals, readSeals, type Seal } from './seals.js';

const journal = '5b1c0e8f6a7d4c219e3f00112233aabb';
const newSigner = () => new JournalSigner(generateKeyPairSync('ed25519').privateKey);
const signer = newSigner();
const trust = [{ journal, publicKey: signer.publicKey, from: 2 }];
const { signal } = new AbortController();

const STREAMS = ['ledger', 'moderation-ada', 'chat-1', 'quest-1'];

async function append(store: MemoryEventStore, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const stream = STREAMS[n % STREAMS.length] ?? '';
    const metadata = `{"nova":2,"$correlationId":"${randomUUID()}","actor":"admin:root"}`;
    await store.append(stream, [{ id: randomUUID(), type: 'Said', data: `{"n":${n}}`, metadata }], 'any');
  }
}

async function eventsOf(store: MemoryEventStore): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const batch of store.readAll()) events.push(...batch);
  return events;
}

/** What somebody made of a journal. */
const readerOf = (events: readonly RecordedEvent[]) => ({
  async *readAll({ limit = Infinity }: { readonly limit?: number } = {}) {
    if (limit > 0 && events.length > 0) yield events.slice(0, limit);
  },
});

async function make(
  store: Pick<MemoryEventStore, 'readAll'>,
  last?: KeptCheckpoint,
  by = signer,
): Promise<KeptCheckpoint> {
  const upTo = await lastEvent(store);
  if (!upTo) throw new Error('there is no event');
  const made = await makeCheckpoint({ store, journal, trust, signer: by, last, upTo, now: 0, signal });
  if (!made) throw new Error('none was made');
  return made;
}

const sealOf = ({ size, note }: KeptCheckpoint): Seal => ({ name: `${size}.txt`, bytes: Buffer.from(note) });

describe('checkpoints of a journal', () => {
  let store: MemoryEventStore;
  let kept: KeptCheckpoint[];
  let seals: Seal[];
  beforeEach(async () => {
    store = new MemoryEventStore();
    kept = [];
    for (const count of [5, 6, 20]) {
      await append(store, count);
      kept.push(await make(store, kept.at(-1)));
    }
    await append(store, 3);
    seals = kept.map(sealOf);
  });

  const breaches = async (given: readonly Seal[] = seals, reader: Pick<MemoryEventStore, 'readAll'> = store) =>
    (await checkSeals(reader, given, trust, undefined, 0)).breaches;
  const changed = async (change: (events: RecordedEvent[]) => void) => {
    const events = await eventsOf(store);
    change(events);
    return breaches(seals, readerOf(events));
  };
  const edit = (place: number, fields: Partial<RecordedEvent>) =>
    changed((events) => (events[place] = { ...(events[place] as RecordedEvent), ...fields }));

  it('hold, in whatever order they are given, of one tree', async () => {
    expect(kept.map(({ size }) => size)).toEqual([5, 11, 31]);
    expect(new Set(kept.map(({ note }) => note.split('\n')[0])).size).toBe(1);
    expect(await checkSeals(store, seals.toReversed(), trust)).toEqual({
      detail: '3, the largest over 31 events of all streams',
      breaches: [],
    });
  });

  it('go on under a new name where signatures began anew, and hold beside those of before', async () => {
    const [next, anew] = [newSigner(), 'c'.repeat(32)];
    const both = [...trust, { journal: anew, publicKey: next.publicKey, from: 40 }];
    const upTo = (await lastEvent(store))!;
    const options = { store, journal: anew, trust: both, signer: next, last: kept.at(-1), upTo, now: 0, signal };
    const first = (await makeCheckpoint(options))!;
    await append(store, 2);
    const second = (await makeCheckpoint({ ...options, last: first, upTo: (await lastEvent(store))! }))!;
    expect(first.note).toMatch(new RegExp(`^nova-journal/${anew}/[0-9a-f]{16}\n34\n`));
    expect(second.note.split('\n')[0]).toBe(first.note.split('\n')[0]);
    const found = await checkSeals(store, [...seals, sealOf(first), sealOf(second)], both);
    expect(found).toEqual({ detail: expect.stringContaining('the largest over 36 events'), breaches: [] });
  });

  it('name the first that does not hold, where any part of an event was changed', async () => {
    const broken = [
      '11.txt does not hold: of the first 11 events at least one is not as it was signed, and the first 5 are; nor do 1 after it',
    ];
    expect(await edit(7, { data: '{"n":70}' })).toEqual(broken);
    expect(await edit(7, { metadata: '{"nova":2,"actor":"admin:eve"}' })).toEqual(broken);
    expect(await edit(7, { type: 'Meant' })).toEqual(broken);
    expect(await edit(7, { id: randomUUID() })).toEqual(broken);
    expect(await edit(0, { data: '{}' })).toEqual([
      '5.txt does not hold: of the first 5 events at least one is not as it was signed, and no smaller checkpoint says from where on; nor do 2 after it',
    ]);
    expect(await edit(31, { data: '{}' })).toEqual([]);
  });

  it('notice two events in another order, one left out, and one put in', async () => {
    const swapped = await changed((events) => events.splice(6, 2, ...events.slice(6, 8).toReversed()));
    const without = await changed((events) => events.splice(6, 1));
    const more = await changed((events) => events.splice(6, 0, { ...(events[6] as RecordedEvent), id: randomUUID() }));
    for (const found of [swapped, without, more]) expect(found).toEqual([expect.stringMatching(/^11\.txt does not/)]);
  });

  it('wait for an end that a store does not show for the moment', async () => {
    let looks = 0;
    const readAll = (options: ReadAllOptions = {}) =>
      store.readAll({ ...options, limit: looks++ === 0 ? 7 : (options.limit ?? 0) });
    const found = await checkSeals({ readAll }, seals, trust);
    expect([found.breaches, looks]).toEqual([[], 2]);
  });

  it('notice an end that is missing', async () => {
    expect(await changed((events) => events.splice(20))).toEqual([
      '31.txt is over 31 events, and the journal has 20: its end is missing',
    ]);
    expect(await changed((events) => events.splice(0))).toEqual([
      '5.txt is over 5 events, and the journal has 0: its end is missing',
    ]);
  });

  it('count only where one of our keys signed them, and are told of where not', async () => {
    const [seal = { name: '', bytes: Buffer.of() }] = seals;
    const text = Buffer.from(seal.bytes).toString();
    const forged = { name: 'a.txt', bytes: Buffer.from(text.replace('\n5\n', '\n6\n')) };
    const bytes = { name: 'b.txt', bytes: Buffer.of(0xff, 0xfe) };
    const foreign = sealOf(await make(store, undefined, newSigner()));
    expect(await breaches([seal, forged, bytes, { ...foreign, name: 'c.txt' }])).toEqual([
      expect.stringMatching(/^a\.txt: its signature by nova-journal\/\S+ is wrong$/),
      expect.stringMatching(/^b\.txt: /),
      'c.txt: it is signed by no key that we trust',
    ]);
    expect((await checkSeals(store, seals, [])).breaches).toEqual([expect.stringContaining('set JOURNAL_TRUST')]);
    expect((await checkSeals(store, seals, [{ ...trust[0]!, journal: '0'.repeat(32) }])).breaches[0]).toContain(
      'which is not ours',
    );
  });

  it('hold by the key of before a change as well', async () => {
    const next = newSigner();
    const both = [...trust, { journal, publicKey: next.publicKey, from: 9 }];
    const last = await make(store, kept.at(-1), next);
    expect((await checkSeals(store, [...seals, sealOf(last)], both)).breaches).toEqual([]);
    expect(await breaches([sealOf(last)])).toEqual(['34.txt: it is signed by no key that we trust']);
  });

  it('are made from the first event again where it is not known where to go on, under the same name', async () => {
    const last = kept.at(-1) as KeptCheckpoint;
    const { note } = await make(store, last);
    expect(note.split('\n')[0]).toBe(last.note.split('\n')[0]);
    const damaged = [
      { position: undefined, tree: LogTree.empty() },
      { tree: LogTree.empty() },
      { position: 7n },
      { position: 99n },
    ];
    for (const fields of damaged) expect((await make(store, { ...last, ...fields })).note).toBe(note);
  });

  it('are not made of a journal that is another one than they were made of', async () => {
    const last = kept.at(-1) as KeptCheckpoint;
    const refused = async (events: readonly RecordedEvent[]) => {
      const other = new MemoryEventStore();
      for (const { stream, revision: _, position: __, ...event } of events) await other.append(stream, [event], 'any');
      await expect(make(other, last)).rejects.toThrow(JournalForked);
      await expect(make(other, { ...last, position: undefined, tree: LogTree.empty() })).rejects.toThrow(JournalForked);
    };
    const events = await eventsOf(store);
    await refused(events.slice(0, 20));
    await refused(events.with(30, { ...(events[30] as RecordedEvent), data: '{}' }));
    // Cut back, and gone on from there.
    await refused([...events.slice(0, 20), ...events.slice(0, 14).map((event) => ({ ...event, id: randomUUID() }))]);
  });

  it('go on within a range that a server signed at once, and never over what nobody signed', async () => {
    const journalStore = new MemoryEventStore();
    const writer = await startWriter({ store: journalStore, envelope: 2, signerFor: () => signer });
    const began = {
      command: { type: 'BeginSigning', journal, publicKey: signer.publicKey } as const,
      actor: 'terminal',
    };
    expect((await writer.execute(began)).status).toBe('accepted');
    const signedStore = new SignedStore(journalStore, { trust: [{ journal, publicKey: signer.publicKey, from: 0 }] });
    const grants = (...amounts: bigint[]) => Promise.all(amounts.map((amount) => writer.execute(grant('ada', amount))));
    await grants(1n, 2n, 3n);
    const before = await make(signedStore);
    await grants(4n, 5n);
    const after = await make(signedStore, before);
    expect([before.size, after.size]).toEqual([4, 6]);
    expect((await checkSeals(journalStore, [before, after].map(sealOf), trust)).breaches).toEqual([]);
    const head = await journalStore.head('ledger');
    await journalStore.append('ledger', [{ ...head!, id: randomUUID() }], 5);
    await expect(make(signedStore, after)).rejects.toThrow(/^revision 6 /);
  });

  it('are not made up to an event that is gone', async () => {
    const upTo = { ...(await lastEvent(store))!, id: randomUUID() };
    const options = { store, journal, trust, signer, last: kept.at(-1), upTo, now: 0, signal };
    expect(await makeCheckpoint(options)).toBeUndefined();
    const ended = AbortSignal.abort();
    expect(await makeCheckpoint({ ...options, upTo: (await lastEvent(store))!, signal: ended })).toBeUndefined();
  });
});

describe('where checkpoints were kept', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'nova-seals-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is a folder or a file, and never nothing', async () => {
    await expect(readSeals(folder, undefined)).rejects.toThrow('There is no checkpoint in');
    for (const name of ['2.txt', '1.txt', '.draft', 'notes.md']) writeFileSync(path.join(folder, name), name);
    expect((await readSeals(folder, undefined)).map(({ name }) => name)).toEqual(['1.txt', '2.txt']);
    expect(await readSeals(path.join(folder, 'notes.md'), undefined)).toMatchObject([{ name: 'notes.md' }]);
    await expect(readSeals(path.join(folder, 'none'), undefined)).rejects.toThrow('cannot be read from');
    await expect(readSeals('s3://bucket', undefined)).rejects.toThrow('the S3_ settings are missing');
  });
});
