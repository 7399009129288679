import { BULK_ROWS_MAX, LEDGER_STREAM } from '@app/domain';
import { AppendOutcomeUnknown, MemoryEventStore, type NewEvent } from '@app/event-store';
import { correlationOf, envelopeAfter, type Envelope, hashOf, printEnvelope, readEnvelope } from './envelope.js';
import { BrokenChain, chainHash, eventIdOf, GENESIS_HASH } from './hash-chain.js';
import { StoreJournal, EMPTY_HEAD } from './journal-reader.js';
import { emptyIndex, grant, startWriter } from './testing/writers.js';

const hash = 'ab'.repeat(32);
const correlationId = '7f0c3a52-7d4e-4a0b-9a3e-0d1f5f4c2b11';
const causationId = 'a1d2c3b4-0000-7000-8000-5e6f7a8b9c0d';

describe('the envelope of a ledger event', () => {
  it.each([
    [{ hash }, `{"hash":"${hash}"}`],
    [{ hash, correlationId }, `{"nova":2,"hash":"${hash}","$correlationId":"${correlationId}"}`],
    [
      { hash, correlationId, causationId },
      `{"nova":2,"hash":"${hash}","$correlationId":"${correlationId}","$causationId":"${causationId}"}`,
    ],
  ] satisfies [Envelope, string][])('of %j is printed and read', (envelope, text) => {
    expect(printEnvelope(envelope)).toBe(text);
    expect(readEnvelope(text)).toEqual(envelope);
    expect(hashOf(text)).toBe(hash);
  });

  const second = printEnvelope({ hash, correlationId, causationId });
  it.each([
    ['none', '{}'],
    ['no JSON', ''],
    ['another version', second.replace('2', '3')],
    ['no correlation id', `{"nova":2,"hash":"${hash}"}`],
    ['another order', `{"hash":"${hash}","nova":2,"$correlationId":"${correlationId}"}`],
    ['a further field', second.replace('}', ',"more":1}')],
    ['a field twice', second.replace('}', `,"$causationId":"${causationId}"}`)],
    ['blanks', second.replace(':', ': ')],
    ['a line break behind it', `${second}\n`],
    ['an id in upper case', second.replace(correlationId, correlationId.toUpperCase())],
    ['an id that is no UUID', second.replace(correlationId, 'trace-17')],
    ['a short hash', second.replace('ab', '')],
  ])('is nothing else: %s', (_, text) => {
    expect(readEnvelope(text)).toBeUndefined();
    expect(() => hashOf(text)).toThrow(BrokenChain);
  });

  it('goes on in the version of the last event, and begins with the second', () => {
    expect([undefined, second, printEnvelope({ hash })].map(envelopeAfter)).toEqual([2, 2, 1]);
  });

  it('never takes what a caller may have chosen for an id', () => {
    expect(correlationOf(correlationId)).toBe(correlationId);
    for (const given of [undefined, '', 'trace-17', correlationId.toUpperCase()]) {
      expect(correlationOf(given)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });
});

describe('a journal of both versions', () => {
  const stored = async (store: MemoryEventStore) => {
    const events: NewEvent[] = [];
    for await (const batch of store.readStream(LEDGER_STREAM)) events.push(...batch);
    return events;
  };

  it('is one chain, whichever server wrote an event', async () => {
    const store = new MemoryEventStore();
    for (const envelope of [1, 2, 1, 2] as const) {
      const writer = await startWriter({ store, envelope, keyIndex: emptyIndex });
      await writer.execute({ ...grant('ada', 100n), correlationId, causationId });
      await writer.stop();
    }
    const events = await stored(store);
    expect(events.map(({ metadata }) => readEnvelope(metadata)?.correlationId)).toEqual([
      undefined,
      correlationId,
      undefined,
      correlationId,
    ]);
    const linked = [];
    for await (const batch of new StoreJournal(store).linked(EMPTY_HEAD)) linked.push(...batch);
    expect(linked.map((link) => link.hash)).toEqual(events.map(({ metadata }) => hashOf(metadata)));
    // The version is no part of the chain.
    let chain = GENESIS_HASH;
    for (const [revision, { id, type, data }] of events.entries()) {
      chain = chainHash(chain, revision, type, data);
      expect([id, linked[revision]?.hash]).toEqual([eventIdOf(chain, revision), chain]);
    }
  });

  it('has one id for all events of a command, another for the next, and the same for what is sent again', async () => {
    const store = new MemoryEventStore();
    const append = store.append.bind(store);
    const sent: string[][] = [];
    store.append = async (stream, events, expected) => {
      sent.push(events.map(({ metadata }) => metadata));
      if (sent.length === 1) throw new AppendOutcomeUnknown('timed out');
      return append(stream, events, expected);
    };
    const writer = await startWriter({ store, envelope: 2, retryMs: 0 });
    const grants = ['ada', 'bob'].map((userId) => ({ userId, amount: 100n }));
    const inBulk = { type: 'GrantNovaInBulk', adminId: 'admin', grants } as const;
    await Promise.all([writer.execute({ command: inBulk, actor: 'admin:admin' }), writer.execute(grant('eve', 1n))]);
    await writer.stop();
    expect(sent[1]).toEqual(sent[0]);
    const [first, second, other] = (await stored(store)).map(({ metadata }) => readEnvelope(metadata)?.correlationId);
    expect(second).toBe(first);
    expect(other).not.toBe(first);
  });

  it('keeps the id of a command that is decided anew behind what another server wrote', async () => {
    const store = new MemoryEventStore();
    const [ours, theirs] = await Promise.all([startWriter({ store, envelope: 2 }), startWriter({ store })]);
    await theirs.execute(grant('eve', 1n));
    await ours.execute({ ...grant('ada', 1n), correlationId });
    await Promise.all([ours.stop(), theirs.stop()]);
    expect(ours.stats.conflicts).toBe(1);
    expect((await stored(store)).map(({ metadata }) => readEnvelope(metadata)?.correlationId)).toEqual([
      undefined,
      correlationId,
    ]);
  });

  it('cuts batches by what is stored, metadata as well', async () => {
    const store = new MemoryEventStore();
    const append = jest.spyOn(store, 'append');
    const writer = await startWriter({ store, envelope: 2 });
    await Promise.all(Array.from({ length: 3_999 }, () => writer.execute(grant('ada', 1n))));
    await writer.stop();
    const sizes = append.mock.calls.map(([, events]) =>
      events.reduce((sum, { type, data, metadata }) => sum + type.length + data.length + metadata.length, 0),
    );
    expect(sizes.length).toBeGreaterThan(1);
    for (const size of sizes) expect(size).toBeLessThan(512 * 1024 + 1024);
    expect(sizes[0]).toBeGreaterThan(512 * 1024 - 1);
  });

  it('takes the longest bulk of grants there may be', async () => {
    const grants = Array.from({ length: BULK_ROWS_MAX }, (_, n) => ({
      userId: `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`,
      amount: 100_000_000_000n,
      cause: `reason:${correlationId}`,
    }));
    const command = { type: 'GrantNovaInBulk', adminId: correlationId, grants } as const;
    const writer = await startWriter({ envelope: 2 });
    expect(await writer.execute({ command, actor: `admin:${correlationId}` })).toMatchObject({ status: 'accepted' });
    await writer.stop();
  });
});
