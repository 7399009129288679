import { randomUUID } from 'node:crypto';
import {
  AppendOutcomeUnknown,
  type NewEvent,
  PostgresEventStore,
  StreamEnd,
  WrongExpectedRevision,
} from '@app/event-store';
import pg from 'pg';
import { eventually } from '../../../test/support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { PostgresTurn } from './turn.js';

const newEvents = (count: number): NewEvent[] =>
  Array.from({ length: count }, (_, n) => ({ id: randomUUID(), type: 'Noted', data: `{"n":${n}}`, metadata: '{}' }));

describe('a turn on a Postgres advisory lock', () => {
  let database: TestDatabase;
  const turns: PostgresTurn[] = [];
  const newTurn = (journal?: StreamEnd): PostgresTurn => {
    const turn = new PostgresTurn({ connectionString: database.url }, journal);
    turns.push(turn);
    return turn;
  };
  const endHolder = () =>
    database.pool.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database = (
         select oid from pg_database where datname = current_database())`,
    );
  const waiting = async () =>
    (
      await database.pool.query(
        `select from pg_locks where locktype = 'advisory' and not granted and database = (
           select oid from pg_database where datname = current_database())`,
      )
    ).rowCount;
  const msOf = async (work: () => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await work();
    return performance.now() - began;
  };

  beforeAll(async () => {
    database = await createTestDatabase('turns');
  });
  afterAll(async () => {
    await Promise.all(turns.map((turn) => turn.close()));
    await database.drop();
  });

  it('is one’s alone, and goes to whoever has waited longest', async () => {
    const [one, two, three] = [newTurn(), newTurn(), newTurn()];
    const order: string[] = [];
    await one.take(0);
    expect([await one.isWanted(), await two.isWanted()]).toEqual([false, true]);
    const second = two.take(0).then(() => order.push('two'));
    await eventually(async () => (await waiting()) === 1);
    const third = three.take(0).then(() => order.push('three'));
    await eventually(async () => (await waiting()) === 2);
    expect(order).toEqual([]);
    one.pass();
    await second;
    expect(order).toEqual(['two']);
    two.pass();
    await third;
    three.pass();
    one.pass();
    expect(await eventually(async () => !(await one.isWanted()))).toBe(true);
  });

  it('is waited for no longer than a moment', async () => {
    const [one, two] = [newTurn(), newTurn()];
    await one.take(0);
    expect(await msOf(() => two.take(0))).toBeLessThan(2_000);
    expect(await msOf(() => two.take(0))).toBeLessThan(2_000);
    one.pass();
    await two.take(0);
    two.pass();
  });

  it('brings what the journal holds when it begins', async () => {
    const stream = 'ledger-read';
    const store = await PostgresEventStore.open({ connectionString: database.url });
    const [one, two, three] = [newTurn(new StreamEnd(stream)), newTurn(new StreamEnd(stream)), newTurn()];
    const events = newEvents(6);
    expect(await one.take(0)).toEqual([]);
    // Whoever has waited too long for the turn has read nothing either.
    expect(await two.take(0)).toBeUndefined();
    await store.append(stream, events.slice(0, 5), 'none');
    const second = two.take(4);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await store.append(stream, events.slice(5), 4);
    one.pass();
    expect((await second)?.map(({ revision }) => revision)).toEqual([4, 5]);
    two.pass();
    const all = await one.take(0);
    expect(all).toMatchObject(events.map(({ id, data, metadata }, revision) => ({ id, data, metadata, revision })));
    one.pass();
    expect(await three.take(0)).toBeUndefined();
    three.pass();
    // More than one question answers is for the store to read.
    await store.append(stream, newEvents(1_000), 5);
    expect(await one.take(6)).toBeUndefined();
    one.pass();
    expect(await two.take(7)).toHaveLength(999);
    two.pass();
    await store.close();
  });

  describe('with an append', () => {
    let store: PostgresEventStore;
    let stream: string;
    const newWriter = () => newTurn(new StreamEnd(stream));
    const revisions = async (): Promise<number[]> => {
      const found: number[] = [];
      for await (const batch of store.readStream(stream)) found.push(...batch.map(({ revision }) => revision));
      return found;
    };

    beforeAll(async () => {
      store = await PostgresEventStore.open({ connectionString: database.url });
    });
    afterAll(() => store.close());
    beforeEach(() => {
      stream = `ledger-${randomUUID()}`;
    });

    it('writes, and goes to the next with the commit', async () => {
      const [one, two] = [newWriter(), newWriter()];
      await one.take(0);
      const second = two.take(0);
      expect(await one.append(newEvents(2), 'none')).toEqual({ revision: 1 });
      // It was not passed on: the commit gave it away.
      expect((await second)?.map(({ revision }) => revision)).toEqual([0, 1]);
      one.pass();
      expect(await two.append(newEvents(1), 1)).toEqual({ revision: 2 });
      expect(await revisions()).toEqual([0, 1, 2]);
      expect(await one.isWanted()).toBe(false);
    });

    it('is over where the append is refused, and nothing is written', async () => {
      const [one, two] = [newWriter(), newWriter()];
      await store.append(stream, newEvents(3), 'none');
      await one.take(0);
      await expect(one.append(newEvents(1), 1)).rejects.toThrow(WrongExpectedRevision);
      expect(await two.take(3)).toEqual([]);
      await expect(two.append([{ ...newEvents(1)[0]!, data: '\u0000' }], 2)).rejects.toThrow(TypeError);
      expect(await one.take(3)).toEqual([]);
      one.pass();
      expect(await revisions()).toEqual([0, 1, 2]);
    });

    it('takes a batch that was written before for written', async () => {
      const one = newWriter();
      const events = newEvents(2);
      await store.append(stream, events, 'none');
      await one.take(2);
      expect(await one.append(events, 'none')).toEqual({ revision: 1 });
      expect(await revisions()).toEqual([0, 1]);
    });

    it('says that the outcome is unknown where the connection breaks, and what was not committed is not there', async () => {
      const [one, two] = [newWriter(), newWriter()];
      await one.take(0);
      await endHolder();
      const events = newEvents(1);
      await expect(one.append(events, 'none')).rejects.toThrow(AppendOutcomeUnknown);
      expect(one.append(events, 'none')).toBeUndefined();
      await two.take(0);
      expect(await two.append(events, 'none')).toEqual({ revision: 0 });
    });

    it('is left to the store without a turn, and where the journal is elsewhere', async () => {
      const [here, elsewhere] = [newWriter(), newTurn()];
      expect(here.append(newEvents(1), 'none')).toBeUndefined();
      await elsewhere.take(0);
      expect(elsewhere.append(newEvents(1), 'none')).toBeUndefined();
      elsewhere.pass();
      expect(await revisions()).toEqual([]);
    });

    it('is on disk when it is acknowledged, whatever the database has as its default', async () => {
      await database.pool.query(
        `do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`,
      );
      const client = new pg.Client(database.url);
      try {
        await client.connect();
        const setting = async () =>
          (await client.query<{ synchronous_commit: string }>('show synchronous_commit')).rows;
        expect(await setting()).toEqual([{ synchronous_commit: 'off' }]);
        await client.query(new StreamEnd(stream).session);
        expect(await setting()).toEqual([{ synchronous_commit: 'on' }]);
      } finally {
        await client.end();
      }
    });
  });

  it('is taken from a server that keeps it for more than a second', async () => {
    const [stopped, other] = [newTurn(new StreamEnd('ledger-kept')), newTurn(new StreamEnd('ledger-kept'))];
    const store = await PostgresEventStore.open({ connectionString: database.url });
    await stopped.take(0);
    for (const began = Date.now(); !(await other.take(0));) expect(Date.now() - began).toBeLessThan(10_000);
    other.pass();
    const events = newEvents(1);
    await expect(stopped.append(events, 'none')).rejects.toThrow(AppendOutcomeUnknown);
    expect(await store.append('ledger-kept', events, 'none')).toEqual({ revision: 0 });
    await stopped.take(0);
    expect(await stopped.append(newEvents(1), 0)).toEqual({ revision: 1 });
    await store.close();
  });

  it('ends with the connection of whoever has it', async () => {
    const [one, two] = [newTurn(), newTurn()];
    await one.take(0);
    await endHolder();
    await two.take(0);
    expect(await two.isWanted()).toBe(false);
    two.pass();
    one.pass();
    await one.take(0);
    one.pass();
  });
});
