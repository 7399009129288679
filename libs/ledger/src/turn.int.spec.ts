import { PostgresEventStore, StreamEnd, type NewEvent } from '@app/event-store';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { PostgresTurn } from './turn.js';

const newEvents = (count: number): NewEvent[] =>
  Array.from({ length: count }, (_, n) => ({ id: randomUUID(), type: 'Noted', data: `{"n":${n}}`, metadata: '{}' }));

describe('a turn on a Postgres advisory lock', () => {
  let database: TestDatabase;
  const pools: pg.Pool[] = [];
  const newTurn = (settings: pg.PoolConfig = {}, journal?: StreamEnd): PostgresTurn => {
    const pool = new pg.Pool({ connectionString: database.url, max: 2, ...settings });
    pool.on('error', () => undefined);
    pools.push(pool);
    return new PostgresTurn(pool, journal);
  };
  const msOf = async (work: () => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await work();
    return performance.now() - began;
  };

  beforeAll(async () => {
    database = await createTestDatabase('turns');
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await database.drop();
  });

  it('is one’s alone, and goes to whoever has waited longest', async () => {
    const [one, two, three] = [newTurn(), newTurn(), newTurn()];
    const order: string[] = [];
    await one.take(0);
    expect([await one.isWanted(), await two.isWanted()]).toEqual([false, true]);
    const second = two.take(0).then(() => order.push('two'));
    await new Promise((resolve) => setTimeout(resolve, 40));
    const third = three.take(0).then(() => order.push('three'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(order).toEqual([]);
    one.pass();
    await second;
    expect(order).toEqual(['two']);
    two.pass();
    await third;
    three.pass();
    one.pass();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await one.isWanted()).toBe(false);
  });

  it('is waited for no longer than a moment, and leaves its connection as it was', async () => {
    const [one, two] = [newTurn(), newTurn()];
    await one.take(0);
    expect(await msOf(() => two.take(0))).toBeLessThan(2_000);
    expect(await msOf(() => two.take(0))).toBeLessThan(2_000);
    one.pass();
    await two.take(0);
    two.pass();
    const last = pools.at(-1) ?? database.pool;
    const { rows } = await last.query<{ lock_timeout: string }>('show lock_timeout');
    expect(rows[0]?.lock_timeout).toBe('0');
  });

  it.each([{ pipeline: true }, { pipeline: false }])(
    'brings what the journal holds when it begins: %j',
    async (pool) => {
      const stream = `ledger-${pool.pipeline}`;
      const store = await PostgresEventStore.open({ connectionString: database.url });
      const [one, two, three] = [
        newTurn(pool, new StreamEnd(stream)),
        newTurn(pool, new StreamEnd(stream)),
        newTurn(pool),
      ];
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
    },
  );

  it('ends with the connection of whoever has it', async () => {
    const [one, two] = [newTurn(), newTurn()];
    await one.take(0);
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database = (
         select oid from pg_database where datname = current_database())`,
    );
    await two.take(0);
    expect(await two.isWanted()).toBe(false);
    two.pass();
    one.pass();
    await one.take(0);
    one.pass();
  });
});
