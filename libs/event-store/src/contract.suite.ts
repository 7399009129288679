import { randomBytes, randomUUID } from 'node:crypto';
import {
  AppendTooLarge,
  type EventBatches,
  type EventStore,
  type NewEvent,
  READ_BATCH_MAX,
  type RecordedEvent,
  WrongExpectedRevision,
} from './port.js';

/** What a spec gives the suite: stores on one and the same journal, as several processes would have them. */
export interface StoreUnderTest {
  readonly store: EventStore;
  /** A second store on the same journal; the same one where an adapter knows no second. */
  readonly other: EventStore;
  close(): Promise<void>;
}

export function newEvent(change: Partial<NewEvent> = {}): NewEvent {
  return { id: randomUUID(), type: 'Tested', data: '{"n":1}', metadata: '{}', ...change };
}

export function newEvents(count: number, change: Partial<NewEvent> = {}): NewEvent[] {
  return Array.from({ length: count }, (_, n) => newEvent({ data: `{"n":${n}}`, ...change }));
}

export async function collect(batches: EventBatches): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const batch of batches) {
    expect(batch.length).toBeGreaterThan(0);
    expect(batch.length).toBeLessThanOrEqual(READ_BATCH_MAX);
    events.push(...batch);
  }
  return events;
}

/** Takes from a subscription until `done` says so. */
export async function take(
  batches: EventBatches,
  done: (events: readonly RecordedEvent[]) => boolean,
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const batch of batches) {
    events.push(...batch);
    if (done(events)) break;
  }
  return events;
}

/** Texts that a parser takes and prints otherwise, or not at all, and a few that it prints as they are. */
const ODD_TEXTS = [
  '1.0',
  '1e3',
  String.raw`"\/"`,
  String.raw`"\u0041"`,
  '{"b":1,"1":2}',
  '{"a":1,"a":2}',
  '{"n":12345678901234567890}',
  '{ "a": 1 }',
  String.raw`"\ud83d"`,
  '',
  '-0',
  'null',
  '7',
  '"plain"',
  '[1,{"__proto__":[true]}]',
  'no JSON',
];
const SECOND_VERSION = '{"nova":2,"hash":"ab","$correlationId":"7f0c3a52-7d4e-4a0b-9a3e-0d1f5f4c2b11"}';
const ODD_SECOND_VERSIONS = [
  '{"nova":2,"nova":2}',
  '{"nova":2,"1":2}',
  '{"nova":2, "a":1.0}',
  '{"nova":2,',
  '{"nova":2}',
];

const revisions = (events: readonly RecordedEvent[]) => events.map((event) => event.revision);
const ids = (events: readonly { readonly id: string }[]) => events.map((event) => event.id);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function expectRising(events: readonly RecordedEvent[]): void {
  for (const [index, event] of events.entries()) {
    const before = events[index - 1];
    if (before && event.position <= before.position) {
      throw new Error(`position ${event.position} (${event.stream}) came after ${before.position} (${before.stream})`);
    }
  }
}

/** The text of the port as tests: every adapter passes it. */
export function describeEventStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`event store contract: ${name}`, () => {
    jest.setTimeout(60_000);
    let opened: StoreUnderTest;
    let store: EventStore;
    let other: EventStore;
    let prefix: string;
    let ending: AbortController;

    const streamOf = (label = 'a') => `${prefix}${label}`;
    const mine = () => ({ streamPrefixes: [prefix] });
    const subscribe = (after?: bigint) =>
      store.subscribeAll({
        streamPrefixes: [prefix],
        signal: ending.signal,
        ...(after === undefined ? {} : { after }),
      });

    beforeAll(async () => {
      opened = await open();
      ({ store, other } = opened);
    });
    afterAll(() => opened.close());
    beforeEach(() => {
      prefix = `contract.${randomBytes(6).toString('hex')}-`;
      ending = new AbortController();
    });
    afterEach(() => ending.abort());

    describe('append', () => {
      it('begins a stream that is expected not to exist, and counts revisions from 0', async () => {
        await expect(store.append(streamOf(), newEvents(3), 'none')).resolves.toEqual({ revision: 2 });
        await expect(store.append(streamOf(), newEvents(1), 2)).resolves.toEqual({ revision: 3 });
        expect(revisions(await collect(store.readStream(streamOf())))).toEqual([0, 1, 2, 3]);
      });

      it('takes any revision when any is expected', async () => {
        await expect(store.append(streamOf(), newEvents(2), 'any')).resolves.toEqual({ revision: 1 });
        await expect(store.append(streamOf(), newEvents(1), 'any')).resolves.toEqual({ revision: 2 });
      });

      it.each([
        ['none for a stream that exists', 'none', 1],
        ['a revision behind the head', 0, 1],
        ['a revision ahead of the head', 7, 1],
        ['a revision beyond all counting', 9_000_000_000, 1],
      ] as const)('refuses %s and writes nothing', async (_, expected, actual) => {
        await store.append(streamOf(), newEvents(2), 'none');
        const refused = store.append(streamOf(), newEvents(2), expected);
        await expect(refused).rejects.toBeInstanceOf(WrongExpectedRevision);
        await expect(refused).rejects.toMatchObject({ stream: streamOf(), expected, actual });
        expect(await collect(store.readStream(streamOf()))).toHaveLength(2);
      });

      it('refuses a revision of a stream that does not exist', async () => {
        const refused = store.append(streamOf(), newEvents(1), 0);
        await expect(refused).rejects.toMatchObject({ name: 'WrongExpectedRevision', actual: undefined });
        expect(await store.head(streamOf())).toBeUndefined();
      });

      it('lets one of two stores win a revision', async () => {
        await store.append(streamOf(), newEvents(1), 'none');
        const both = await Promise.allSettled([
          store.append(streamOf(), newEvents(2), 0),
          other.append(streamOf(), newEvents(2), 0),
        ]);
        expect(both.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected']);
        expect(await collect(store.readStream(streamOf()))).toHaveLength(3);
      });

      it('answers a repeated append with the same revision and writes nothing', async () => {
        const first = newEvents(3);
        const second = newEvents(2);
        await store.append(streamOf(), first, 'none');
        await store.append(streamOf(), second, 2);
        await expect(store.append(streamOf(), first, 'none')).resolves.toEqual({ revision: 2 });
        await expect(other.append(streamOf(), second, 2)).resolves.toEqual({ revision: 4 });
        expect(ids(await collect(store.readStream(streamOf())))).toEqual(ids([...first, ...second]));
      });

      it('answers a repeated append of one event although the stream went on', async () => {
        const [event] = newEvents(1) as [NewEvent];
        await store.append(streamOf(), newEvents(4), 'none');
        await store.append(streamOf(), [event], 3);
        await store.append(streamOf(), newEvents(4), 4);
        await expect(store.append(streamOf(), [event], 3)).resolves.toEqual({ revision: 4 });
        expect(await collect(store.readStream(streamOf()))).toHaveLength(9);
      });

      it('answers a repeat with any while the events are recent', async () => {
        const events = newEvents(2);
        await store.append(streamOf(), newEvents(1), 'any');
        await store.append(streamOf(), events, 'any');
        await expect(store.append(streamOf(), events, 'any')).resolves.toEqual({ revision: 2 });
        expect(await collect(store.readStream(streamOf()))).toHaveLength(3);
      });

      it('takes two concurrent identical appends for one', async () => {
        const events = newEvents(2);
        const both = await Promise.all([
          store.append(streamOf(), events, 'none'),
          other.append(streamOf(), events, 'none'),
          store.append(streamOf(), events, 'none'),
        ]);
        expect(both).toEqual([{ revision: 1 }, { revision: 1 }, { revision: 1 }]);
        expect(await collect(store.readStream(streamOf()))).toHaveLength(2);
      });

      it('refuses an append of which only a part is there', async () => {
        const events = newEvents(2);
        await store.append(streamOf(), events, 'none');
        const mixed = store.append(streamOf(), [events[0]!, newEvent()], 'none');
        await expect(mixed).rejects.toBeInstanceOf(WrongExpectedRevision);
        const longer = store.append(streamOf(), [...events, newEvent()], 'none');
        await expect(longer).rejects.toBeInstanceOf(WrongExpectedRevision);
        expect(await collect(store.readStream(streamOf()))).toHaveLength(2);
      });

      it('lets a conflict on one stream not disturb the appends beside it', async () => {
        await store.append(streamOf('conflict'), newEvents(1), 'none');
        const results = await Promise.allSettled(
          Array.from({ length: 40 }, (_, n) =>
            n % 4 === 0
              ? store.append(streamOf('conflict'), newEvents(3), 'none')
              : store.append(streamOf(`fine-${n}`), newEvents(3), 'none'),
          ),
        );
        expect(results.map((result) => result.status)).toEqual(
          Array.from({ length: 40 }, (_, n) => (n % 4 === 0 ? 'rejected' : 'fulfilled')),
        );
        const all = await collect(store.readAll(mine()));
        expect(all).toHaveLength(1 + 30 * 3);
        expectRising(all);
      });

      it('serves many waiting appends to one stream in turn', async () => {
        const results = await Promise.all(
          Array.from({ length: 50 }, () => store.append(streamOf(), newEvents(2), 'any')),
        );
        expect(results.map((result) => result.revision)).toEqual(Array.from({ length: 50 }, (_, n) => 2 * n + 1));
      });

      it('takes an append of the largest size and refuses one above it', async () => {
        const type = 'Big';
        const metadata = '{}';
        const pieces = 8;
        const size = Math.floor(store.maxAppendBytes / pieces) - type.length - metadata.length;
        const events = newEvents(pieces, { type, metadata, data: `"${'x'.repeat(size - 2)}"` });
        await expect(store.append(streamOf(), events, 'none')).resolves.toEqual({ revision: pieces - 1 });

        const above = [...newEvents(pieces, { data: events[0]!.data }), newEvent({ data: `"${'y'.repeat(200)}"` })];
        await expect(store.append(streamOf(), above, pieces - 1)).rejects.toBeInstanceOf(AppendTooLarge);
        expect(await store.head(streamOf())).toMatchObject({ revision: pieces - 1 });
      });

      it.each([
        ['no events', 'fine', [] as NewEvent[]],
        ['a raw line break', 'fine', [newEvent({ data: '{\n}' })]],
        ['a NUL', 'fine', [newEvent({ data: '"\0"' })]],
        ['half of a surrogate pair', 'fine', [newEvent({ data: '"\ud83d"' })]],
        ['an id that is no UUID', 'fine', [newEvent({ id: 'x' })]],
        ['an empty type', 'fine', [newEvent({ type: '' })]],
        ['a type of the system', 'fine', [newEvent({ type: '$fine' })]],
        ['a name of the system', '$fine', [newEvent()]],
        ['a name with a line break', 'fi\nne', [newEvent()]],
      ])('refuses %s as a bug of the caller', async (_, label, events) => {
        await expect(store.append(label, events, 'none')).rejects.toBeInstanceOf(TypeError);
      });
    });

    describe('reading', () => {
      const oddEvents = () => [
        newEvent({ data: '{"b":1, "a" :1.0,"a":2,"n":12345678901234567890}', metadata: '{ "hash":"ab" }' }),
        newEvent({ data: String.raw`{"t":"\u00e9\n\t\"\\ \ud83d\ude00"}`, type: 'Überweisung' }),
        newEvent({ data: '{"t":"naïve 日本語 😀 \u2028 \u007f \ufeff"}', metadata: '{"m":"😀"}' }),
        newEvent({ data: '', metadata: '' }),
        newEvent({ data: '  {"padded":true}\t ', metadata: '\r' }),
        ...ODD_TEXTS.flatMap((data) => [newEvent({ data }), newEvent({ data, metadata: SECOND_VERSION })]),
        ...ODD_SECOND_VERSIONS.map((metadata) => newEvent({ metadata })),
      ];

      it('keeps every byte of data, metadata and type', async () => {
        const events = oddEvents();
        await store.append(streamOf(), events, 'none');
        const expected = events.map((event, revision) => ({ ...event, stream: streamOf(), revision }));
        expect(await collect(store.readStream(streamOf()))).toMatchObject(expected);
        expect(await collect(store.readAll(mine()))).toMatchObject(expected);
        expect(await take(subscribe(), (taken) => taken.length === events.length)).toMatchObject(expected);
        expect(await store.head(streamOf())).toMatchObject(expected.at(-1)!);
      });

      it('keeps every byte in a long stream as well, which may be read in another way', async () => {
        const events = [...newEvents(150), ...oddEvents()];
        await store.append(streamOf(), events, 'none');
        const expected = events.map((event, revision) => ({ ...event, stream: streamOf(), revision }));
        expect(await collect(store.readStream(streamOf()))).toMatchObject(expected);
      });

      it('reads a stream both ways, from a revision, up to a limit', async () => {
        await store.append(streamOf(), newEvents(6), 'none');
        const read = async (options: Parameters<EventStore['readStream']>[1]) =>
          revisions(await collect(store.readStream(streamOf(), options)));
        expect(await read({ from: 4 })).toEqual([4, 5]);
        expect(await read({ from: 2, limit: 2 })).toEqual([2, 3]);
        expect(await read({ from: 6 })).toEqual([]);
        // As an id that somebody made up may ask for.
        expect(await read({ from: 2 ** 47 })).toEqual([]);
        expect(await read({ direction: 'backwards' })).toEqual([5, 4, 3, 2, 1, 0]);
        expect(await read({ direction: 'backwards', from: 3, limit: 2 })).toEqual([3, 2]);
        expect(await read({ direction: 'backwards', from: 99, limit: 1 })).toEqual([5]);
        expect(await read({ limit: 0 })).toEqual([]);
      });

      it('reads a stream of more than one batch without a gap, and stops where its reader does', async () => {
        const all = newEvents(READ_BATCH_MAX + 3, { data: '{}' });
        for (let at = 0; at < all.length; at += 1_000) {
          await store.append(streamOf(), all.slice(at, at + 1_000), 'any');
        }
        const read = async (options: Parameters<EventStore['readStream']>[1]) =>
          ids(await collect(store.readStream(streamOf(), options)));
        expect(await read({})).toEqual(ids(all));
        expect(await read({ direction: 'backwards' })).toEqual(ids(all.toReversed()));
        expect(await read({ from: 1, limit: READ_BATCH_MAX + 1 })).toEqual(ids(all.slice(1, -1)));
        expect(await read({ from: 1, limit: READ_BATCH_MAX })).toEqual(ids(all.slice(1, -2)));
        const begun = await take(store.readStream(streamOf()), () => true);
        expect(ids(begun)).toEqual(ids(all.slice(0, begun.length)));
        const leaving = new AbortController();
        const untilAborted = take(store.readStream(streamOf(), { signal: leaving.signal }), () => {
          leaving.abort();
          return false;
        });
        expect((await untilAborted).length).toBeLessThan(all.length);
      });

      it('yields nothing for a stream that does not exist', async () => {
        expect(await collect(store.readStream(streamOf()))).toEqual([]);
        expect(await collect(store.readStream(streamOf(), { direction: 'backwards' }))).toEqual([]);
        expect(await store.head(streamOf())).toBeUndefined();
      });

      it('answers the newest event as head', async () => {
        const events = newEvents(3);
        await store.append(streamOf(), events, 'none');
        expect(await other.head(streamOf())).toMatchObject({ id: events[2]!.id, revision: 2, stream: streamOf() });
      });

      it('reads all streams in one order, both ways, after a position', async () => {
        for (let n = 0; n < 4; n += 1) {
          await store.append(streamOf('a'), newEvents(2), 'any');
          await store.append(streamOf('b'), newEvents(1), 'any');
        }
        const all = await collect(store.readAll(mine()));
        expect(all).toHaveLength(12);
        expectRising(all);
        const after = all[4]!.position;
        expect(ids(await collect(store.readAll({ ...mine(), after })))).toEqual(ids(all.slice(5)));
        expect(ids(await collect(store.readAll({ ...mine(), after, limit: 3 })))).toEqual(ids(all.slice(5, 8)));
        const backwards = { ...mine(), direction: 'backwards' as const };
        expect(ids(await collect(store.readAll(backwards)))).toEqual(ids(all.toReversed()));
        expect(ids(await collect(store.readAll({ ...backwards, after })))).toEqual(ids(all.slice(0, 4).toReversed()));
        expect(ids(await collect(store.readAll({ ...backwards, limit: 2 })))).toEqual(ids(all.slice(-2).toReversed()));
      });

      it('reads all streams up to a position, of whichever stream that is, and ends there', async () => {
        for (let n = 0; n < 3; n += 1) {
          await store.append(streamOf('a'), newEvents(2), 'any');
          await store.append(streamOf('b'), newEvents(1), 'any');
        }
        const all = await collect(store.readAll(mine()));
        const read = async (options: Parameters<EventStore['readAll']>[0]) =>
          ids(await collect(other.readAll({ ...mine(), ...options })));
        expect(await read({ upTo: all[6]!.position })).toEqual(ids(all.slice(0, 7)));
        const [after, upTo] = [all[1]!.position, all[5]!.position];
        expect(await read({ after, upTo })).toEqual(ids(all.slice(2, 6)));
        expect(await read({ after, upTo, limit: 2 })).toEqual(ids(all.slice(2, 4)));
        expect(await read({ after, upTo, streamPrefixes: [streamOf('a')] })).toEqual(ids([all[3]!, all[4]!]));
        expect(await read({ after: upTo, upTo })).toEqual([]);
      });

      it('keeps to streams of the given prefixes', async () => {
        await store.append(streamOf('chat-1'), newEvents(1), 'none');
        await store.append(streamOf('quest-1'), newEvents(1), 'none');
        await store.append(streamOf('%_'), newEvents(1), 'none');
        await store.append(streamOf('chat-2'), newEvents(1), 'none');
        await store.append(streamOf(`it's \\ "here"`), newEvents(1), 'none');
        const streams = async (...labels: string[]) =>
          (await collect(store.readAll({ streamPrefixes: labels.map(streamOf) }))).map((event) => event.stream);
        expect(await streams('chat-')).toEqual([streamOf('chat-1'), streamOf('chat-2')]);
        expect(await streams('quest-', 'chat-2')).toEqual([streamOf('quest-1'), streamOf('chat-2')]);
        expect(await streams('%')).toEqual([streamOf('%_')]);
        expect(await streams(`it's \\`)).toEqual([streamOf(`it's \\ "here"`)]);
        expect(await streams()).toEqual([]);
      });

      it('never delivers events of the system', async () => {
        await store.append(streamOf(), newEvents(1), 'none');
        const all = await collect(store.readAll({ direction: 'backwards', limit: 2_000 }));
        expect(all.some((event) => event.stream === streamOf())).toBe(true);
        expect(all.filter((event) => event.stream.startsWith('$') || event.type.startsWith('$'))).toEqual([]);
      });
    });

    describe('subscription', () => {
      it('catches up, then stays live', async () => {
        await store.append(streamOf(), newEvents(5), 'none');
        let isCaughtUp: (() => void) | undefined;
        const caughtUp = new Promise<void>((resolve) => {
          isCaughtUp = resolve;
        });
        const taken = take(subscribe(), (events) => {
          if (events.length === 5) isCaughtUp?.();
          return events.length >= 8;
        });
        await caughtUp;
        await store.append(streamOf('b'), newEvents(1), 'none');
        await other.append(streamOf(), newEvents(2), 4);
        const events = await taken;
        expectRising(events);
        expect(events.map((event) => `${event.stream.at(-1)}${event.revision}`)).toEqual([
          'a0',
          'a1',
          'a2',
          'a3',
          'a4',
          'b0',
          'a5',
          'a6',
        ]);
      });

      it('delivers soon after the commit', async () => {
        const delays: number[] = [];
        let sentAt = 0;
        await store.append(streamOf(), newEvents(1), 'none');
        const subscription = subscribe()[Symbol.asyncIterator]();
        await subscription.next();
        for (let n = 0; n < 20; n += 1) {
          const next = subscription.next();
          await pause(5);
          await store.append(streamOf(), newEvents(1), n);
          sentAt = performance.now();
          await next;
          delays.push(performance.now() - sentAt);
        }
        const median = delays.toSorted((a, b) => a - b)[10]!;
        expect(median).toBeLessThan(60);
      });

      it('resumes after a position', async () => {
        await store.append(streamOf(), newEvents(6), 'none');
        const before = await take(subscribe(), (events) => events.length >= 3);
        const resumed = await take(subscribe(before[2]!.position), (events) => events.length >= 3);
        expect(revisions(resumed)).toEqual([3, 4, 5]);
      });

      it('ends without an error when it is aborted while it waits', async () => {
        await store.append(streamOf(), newEvents(1), 'none');
        const taken = await take(subscribe(), (events) => {
          if (events.length === 1) setTimeout(() => ending.abort(), 50);
          return false;
        });
        expect(taken).toHaveLength(1);
      });

      it('is empty when it was aborted before', async () => {
        await store.append(streamOf(), newEvents(1), 'none');
        ending.abort();
        expect(await collect(subscribe())).toEqual([]);
      });

      it('orders without gaps what concurrent writers append to several streams', async () => {
        const writers = 6;
        const appends = 25;
        const total = writers * appends * 3;
        const taken = take(subscribe(), (events) => events.length >= total);
        const write = async (writer: number) => {
          const target = writer % 2 === 0 ? store : other;
          for (let n = 0; n < appends; n += 1) {
            // Each writer has a stream of its own, and all share one.
            await Promise.all([
              target.append(streamOf(`own-${writer}`), newEvents(2), n === 0 ? 'none' : 2 * n - 1),
              target.append(streamOf('shared'), newEvents(1), 'any'),
            ]);
          }
        };
        await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
        const events = await taken;
        expectRising(events);
        const next = new Map<string, number>();
        for (const event of events) {
          expect(event.revision).toBe(next.get(event.stream) ?? 0);
          next.set(event.stream, event.revision + 1);
        }
        expect(next.get(streamOf('shared'))).toBe(writers * appends);
        expect(events).toHaveLength(total);
        expect(ids(await collect(store.readAll(mine())))).toEqual(ids(events));
      });
    });

    // Last, because some adapters read through all that is there.
    describe('in bulk', () => {
      it('reads more than one batch, complete and in order', async () => {
        const count = READ_BATCH_MAX + 200;
        for (let written = 0; written < count; written += 1_300) {
          await store.append(streamOf(), newEvents(1_300), written === 0 ? 'none' : written - 1);
        }
        const expected = Array.from({ length: count }, (_, n) => n);
        expect(revisions(await collect(store.readStream(streamOf())))).toEqual(expected);
        expect(revisions(await collect(store.readAll(mine())))).toEqual(expected);
        expect(revisions(await take(subscribe(), (taken) => taken.length >= count))).toEqual(expected);
        const backwards = await collect(store.readAll({ ...mine(), direction: 'backwards', limit: count - 1 }));
        expect(revisions(backwards)).toEqual(expected.slice(1).toReversed());
      });

      it('is held back by a slow consumer and loses nothing', async () => {
        const count = 7_000;
        const writing = (async () => {
          for (let n = 0; n < count; n += 1_000) {
            await store.append(streamOf(), newEvents(1_000), n === 0 ? 'none' : n - 1);
          }
        })();
        const seen: number[] = [];
        for await (const batch of subscribe()) {
          expect(batch.length).toBeLessThanOrEqual(READ_BATCH_MAX);
          seen.push(...revisions(batch));
          await pause(30);
          if (seen.length >= count) break;
        }
        await writing;
        expect(seen).toEqual(Array.from({ length: count }, (_, n) => n));
      });
    });
  });
}
