import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { PostgresTurn } from './turn.js';

describe('a turn on a Postgres advisory lock', () => {
  let database: TestDatabase;
  const pools: pg.Pool[] = [];
  const newTurn = (): PostgresTurn => {
    const pool = new pg.Pool({ connectionString: database.url, max: 2 });
    pool.on('error', () => undefined);
    pools.push(pool);
    return new PostgresTurn(pool);
  };
  const msOf = async (work: () => Promise<void>): Promise<number> => {
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
    await one.take();
    expect([await one.isWanted(), await two.isWanted()]).toEqual([false, true]);
    const second = two.take().then(() => order.push('two'));
    await new Promise((resolve) => setTimeout(resolve, 40));
    const third = three.take().then(() => order.push('three'));
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
    await one.take();
    expect(await msOf(() => two.take())).toBeLessThan(2_000);
    expect(await msOf(() => two.take())).toBeLessThan(2_000);
    one.pass();
    await two.take();
    two.pass();
    const last = pools.at(-1) ?? database.pool;
    const { rows } = await last.query<{ lock_timeout: string }>('show lock_timeout');
    expect(rows[0]?.lock_timeout).toBe('0');
  });

  it('ends with the connection of whoever has it', async () => {
    const [one, two] = [newTurn(), newTurn()];
    await one.take();
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database = (
         select oid from pg_database where datname = current_database())`,
    );
    await two.take();
    expect(await two.isWanted()).toBe(false);
    two.pass();
    one.pass();
    await one.take();
    one.pass();
  });
});
