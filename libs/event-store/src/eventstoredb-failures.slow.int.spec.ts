import { binaryEvent, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { EventStoreDbServer } from '../../../test/support/eventstoredb-server.js';
import { TcpProxy } from '../../../test/support/tcp-proxy.js';
import { collect, newEvent, newEvents, take } from './contract.suite.js';
import { EventStoreDbEventStore } from './eventstoredb/eventstoredb-event-store.js';
import {
  AppendOutcomeUnknown,
  AppendTooLarge,
  type NewEvent,
  StoreUnavailable,
  WrongExpectedRevision,
} from './port.js';

// To give up a server that says nothing takes seconds.
jest.setTimeout(60_000);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('eventstoredb event store, when the server fails', () => {
  let server: EventStoreDbServer;
  let store: EventStoreDbEventStore;
  let ending: AbortController;

  beforeEach(async () => {
    server = new EventStoreDbServer();
    await server.start();
    store = await EventStoreDbEventStore.open({ connectionString: server.connectionString, appendTimeoutMs: 1_500 });
    ending = new AbortController();
  });
  afterEach(async () => {
    ending.abort();
    await store.close();
    server.kill();
  });

  /** Repeats an append as the ledger's writer does, until the server is back. */
  const appendUntilAnswered = async (
    stream: string,
    events: readonly NewEvent[],
    expected: number | 'none',
    to = store,
  ) => {
    for (const deadline = Date.now() + 20_000; ;) {
      try {
        return await to.append(stream, events, expected);
      } catch (error) {
        if (!(error instanceof AppendOutcomeUnknown || error instanceof StoreUnavailable)) throw error;
        if (Date.now() > deadline) throw error;
        await pause(100);
      }
    }
  };

  it('answers unknown when the server dies before its answer, and the repeat writes nothing twice', async () => {
    await store.append('a', newEvents(1), 'none');
    const events = newEvents(3);
    server.dieAfterNextAppend();
    await expect(store.append('a', events, 0)).rejects.toBeInstanceOf(AppendOutcomeUnknown);
    await server.start();
    await expect(appendUntilAnswered('a', events, 0)).resolves.toEqual({ revision: 3 });
    expect(await collect(store.readStream('a'))).toHaveLength(4);
  });

  it('answers unknown when no answer comes in time', async () => {
    server.setMute(true);
    const events = newEvents(1);
    await expect(store.append('a', events, 'none')).rejects.toBeInstanceOf(AppendOutcomeUnknown);
    server.setMute(false);
    await expect(store.append('a', events, 'none')).resolves.toEqual({ revision: 0 });
  });

  it('answers unavailable while the server is down, for appends and reads', async () => {
    server.kill();
    // The first calls may still find out that the connection is gone.
    await store.append('a', newEvents(1), 'none').catch(() => undefined);
    await store.head('a').catch(() => undefined);
    await expect(store.append('a', newEvents(1), 'none')).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(store.head('a')).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(collect(store.readStream('a'))).rejects.toBeInstanceOf(StoreUnavailable);
    await server.start();
    await expect(appendUntilAnswered('a', newEvents(1), 'none')).resolves.toEqual({ revision: 0 });
  });

  it('answers unavailable when there is no server to open', async () => {
    const connectionString = 'esdb://127.0.0.1:1?tls=false';
    await expect(EventStoreDbEventStore.open({ connectionString })).rejects.toBeInstanceOf(StoreUnavailable);
  });

  it('keeps a subscription through the death of the server, without gap or repeat', async () => {
    await store.append('a', newEvents(3), 'none');
    const reading = take(
      store.subscribeAll({ streamPrefixes: ['a'], signal: ending.signal }),
      (events) => events.length >= 6,
    );
    await pause(200);
    server.kill();
    await pause(200);
    await server.start();
    await appendUntilAnswered('a', newEvents(3), 2);
    expect((await reading).map((event) => event.revision)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('reads up to a position again until the server has come to it, and says so where it does not', async () => {
    const events = newEvents(5);
    await store.append('a', events.slice(0, 4), 'none');
    await store.append('b', events.slice(4), 'none');
    const upTo = (await store.head('b'))?.position ?? -1n;
    const idsOf = async (options: { readonly upTo: bigint; readonly streamPrefixes?: string[] }) =>
      (await collect(store.readAll(options))).map(({ id }) => id);
    server.fallBehind(2);
    expect(await idsOf({ upTo })).toEqual(events.map(({ id }) => id));
    server.fallBehind(1);
    expect(await idsOf({ upTo, streamPrefixes: ['b'] })).toEqual([events[4]?.id]);
    server.fallBehind(1_000);
    await expect(idsOf({ upTo })).rejects.toBeInstanceOf(StoreUnavailable);
  });

  it('answers a conflict where the connection string asks for appends that do not throw', async () => {
    const quiet = await EventStoreDbEventStore.open({
      connectionString: `${server.connectionString}&throwOnAppendFailure=false`,
    });
    await quiet.append('a', newEvents(2), 'none');
    for (const expected of ['none', 0, 7] as const) {
      await expect(quiet.append('a', newEvents(1), expected)).rejects.toBeInstanceOf(WrongExpectedRevision);
    }
    await expect(quiet.append('a', newEvents(1), 1)).resolves.toEqual({ revision: 2 });
    await quiet.close();
  });

  it('connects anew when the server takes a connection and never says a word', async () => {
    const { proxy, url: connectionString } = await TcpProxy.toUrl(server.connectionString);
    proxy.halfDie();
    await expect(EventStoreDbEventStore.open({ connectionString })).rejects.toBeInstanceOf(StoreUnavailable);
    proxy.heal();
    const found = await EventStoreDbEventStore.open({ connectionString });
    await expect(found.append('a', newEvents(1), 'none')).resolves.toEqual({ revision: 0 });
    await found.close();
    await proxy.close();
  });

  it('ends nothing while a cluster has no leader, and goes on once it has one', async () => {
    const cluster = await EventStoreDbEventStore.open({
      connectionString: server.clusterConnectionString,
      appendTimeoutMs: 3_000,
    });
    await cluster.append('a', newEvents(1), 'none');
    const reading = take(cluster.subscribeAll({ signal: ending.signal }), (events) => events.length >= 3);
    server.loseQuorum();
    await expect(cluster.head('a')).rejects.toBeInstanceOf(StoreUnavailable);
    // What stood breaks while a leader is looked for.
    const looking = cluster.head('a');
    await pause(100);
    server.kill();
    await server.start();
    await expect(looking).rejects.toBeInstanceOf(StoreUnavailable);
    for (let round = 0; round < 3; round += 1) {
      const lost = await Promise.allSettled([
        cluster.append('a', newEvents(1), 0),
        cluster.append('b', newEvents(1), 'none'),
        cluster.head('a'),
        collect(cluster.readAll()),
      ]);
      expect(lost.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
      for (const { reason } of lost.filter((each) => each.status === 'rejected')) {
        expect([StoreUnavailable.name, AppendOutcomeUnknown.name]).toContain((reason as Error).name);
      }
    }
    server.findQuorum();
    await expect(appendUntilAnswered('a', newEvents(2), 0, cluster)).resolves.toEqual({ revision: 2 });
    expect((await reading).map(({ revision }) => revision)).toEqual([0, 1, 2]);
    await cluster.close();
  });

  it('connects anew when a node that was found, on a port of its own, never says a word', async () => {
    const { proxy } = await TcpProxy.toUrl(server.connectionString);
    server.advertise(proxy.port);
    proxy.halfDie();
    const connectionString = server.clusterConnectionString;
    await expect(EventStoreDbEventStore.open({ connectionString })).rejects.toBeInstanceOf(StoreUnavailable);
    proxy.heal();
    const found = await EventStoreDbEventStore.open({ connectionString });
    await expect(found.append('a', newEvents(1), 'none')).resolves.toEqual({ revision: 0 });
    await found.close();
    await proxy.close();
  });

  it('sends no more appends over a dead line than the client can lose, and lets none escape', async () => {
    const { proxy, url: connectionString } = await TcpProxy.toUrl(server.connectionString);
    const hasty = await EventStoreDbEventStore.open({ connectionString, appendTimeoutMs: 200 });
    await hasty.append('warm', newEvents(1), 'none');
    proxy.halfDie();
    const large = { data: 'x'.repeat(200_000) };
    const lost = await Promise.allSettled(
      Array.from({ length: 60 }, (_, n) => hasty.append(`s-${n}`, newEvents(1, large), 'none')),
    );
    expect(new Set(lost.map(({ status }) => status))).toEqual(new Set(['rejected']));
    proxy.heal();
    proxy.cut();
    // What escapes would end the process, and ends this test.
    await pause(300);
    await hasty.close();
    await proxy.close();
  });

  it('rejects each of many appends that a death interrupts, and lets none escape', async () => {
    await store.append('warm', newEvents(1), 'none');
    server.setMute(true);
    const many = Promise.allSettled(Array.from({ length: 40 }, (_, n) => store.append(`s-${n}`, newEvents(1), 'none')));
    await pause(50);
    server.kill();
    const statuses = new Set((await many).map((result) => result.status));
    expect(statuses).toEqual(new Set(['rejected']));
  });

  it("takes the server's limit for too large, which counts types twice", async () => {
    const events = Array.from({ length: 4 }, () => newEvent({ type: 'T'.repeat(220_000) }));
    const patient = await EventStoreDbEventStore.open({ connectionString: server.connectionString });
    await expect(patient.append('a', events, 'none')).rejects.toBeInstanceOf(AppendTooLarge);
    await patient.close();
  });

  it('learns a smaller limit of the server, and sends nothing that is over it any more', async () => {
    const strict = new EventStoreDbServer({ appendBytesMax: 4_096 });
    await strict.start();
    const learning = await EventStoreDbEventStore.open({ connectionString: strict.connectionString });
    const events = newEvents(10, { data: JSON.stringify('x'.repeat(500)) });
    await expect(learning.append('a', events, 'none')).rejects.toBeInstanceOf(AppendTooLarge);
    expect(learning.maxAppendBytes).toBeLessThan(4_096);
    expect(learning.maxAppendBytes).toBeGreaterThan(3_000);
    strict.kill();
    await expect(learning.append('a', events, 'none')).rejects.toBeInstanceOf(AppendTooLarge);
    await learning.close();
  });

  it('is JSON with metadata as an object to whoever looks, from the second version on, where the bytes come back', async () => {
    const metadata = '{"nova":2,"hash":"ab","$correlationId":"7f0c3a52-7d4e-4a0b-9a3e-0d1f5f4c2b11"}';
    const events = [
      ...newEvents(1, { metadata, data: '{"amount":"1000"}' }),
      ...newEvents(1, { metadata, data: '{"amount":1.0}' }),
      ...newEvents(1, { metadata: '{"hash":"ab"}' }),
    ];
    await store.append('seen', events, 'none');
    const client = EventStoreDBClient.connectionString(server.connectionString);
    const seen: unknown[] = [];
    for await (const { event } of client.readStream('seen')) seen.push([event?.isJson, event?.data, event?.metadata]);
    await client.dispose();
    expect(seen).toEqual([
      [true, { amount: '1000' }, JSON.parse(metadata)],
      [false, expect.any(Uint8Array), JSON.parse(metadata)],
      [false, expect.any(Uint8Array), '{"hash":"ab"}'],
    ]);
    expect(await collect(store.readStream('seen'))).toMatchObject(events);
  });

  it('passes over and counts what other programs wrote, and says so to those who read a stream by its name', async () => {
    const client = EventStoreDBClient.connectionString(server.connectionString);
    const events = newEvents(3);
    await store.append('user-1', events.slice(0, 1), 'none');
    await client.appendToStream('user-42', jsonEvent({ type: 'Foreign', data: { a: 1 }, metadata: { b: 2 } }));
    await client.appendToStream('user-1', [
      jsonEvent({ type: 'Foreign', data: [], metadata: 'a text' }),
      binaryEvent({ type: 'Foreign', data: Buffer.from('x') }),
      binaryEvent({ type: 'Foreign', data: Buffer.from('x'), metadata: { hash: 'x' } }),
      jsonEvent({ type: 'Foreign', data: {}, metadata: { b: 2, nova: 2 } }),
      binaryEvent({ type: 'Foreign', data: Buffer.from('x'), metadata: new Uint8Array(Buffer.from('{"nova":2,')) }),
    ]);
    await store.append('user-1', events.slice(1, 2), 5);
    await store.append('empty', [{ ...events[2]!, metadata: '' }], 'none');
    await client.appendToStream('user-42', jsonEvent({ type: 'Foreign', data: { a: 1 } }));
    const ids = events.map(({ id }) => id);
    expect((await collect(store.readAll())).map(({ id }) => id)).toEqual(ids);
    const backwards = await collect(store.readAll({ direction: 'backwards', limit: 1 }));
    expect(backwards.map(({ id }) => id)).toEqual(ids.slice(-1));
    const followed = await take(store.subscribeAll({ signal: ending.signal }), (read) => read.length === 3);
    expect(followed.map(({ id }) => id)).toEqual(ids);
    expect(store.foreignEvents).toBeGreaterThanOrEqual(6);
    expect(await store.head('user-42')).toMatchObject({ data: '{"a":1}', isForeign: true });
    const marks = (await collect(store.readStream('user-1'))).map(({ isForeign = false }) => isForeign);
    expect(marks).toEqual([false, true, true, true, true, true, false]);
    await client.dispose();
  });
});
