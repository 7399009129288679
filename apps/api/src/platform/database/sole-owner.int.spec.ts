import pg from 'pg';
import { eventually } from '../../../../../test/support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/postgres.js';
import { inTurn, isTakenSql } from './sole-owner.js';

const LOCK = 4_711;

describe('work of one process at a time', () => {
  let database: TestDatabase;
  const pools: pg.Pool[] = [];
  const ends: (() => void)[] = [];

  beforeEach(async () => {
    database = await createTestDatabase('turns');
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) end();
    for (const pool of pools.splice(0)) await pool.end();
    await database.drop();
  });

  const server = (): pg.Pool => {
    const pool = new pg.Pool({ connectionString: database.url });
    pool.on('error', () => undefined);
    pools.push(pool);
    return pool;
  };
  const isTaken = async (): Promise<boolean> =>
    (await database.pool.query<{ taken: boolean }>(`select ${isTakenSql(LOCK)} as taken`)).rows[0]?.taken === true;
  /** Work that runs until it is told to end. */
  const working = async (pool: pg.Pool) => {
    let [end, lost] = [(): void => undefined, new AbortController().signal];
    const ended = new Promise<void>((resolve) => (end = resolve));
    ends.push(end);
    let turn: Promise<boolean> | undefined;
    await new Promise<void>((began) => {
      turn = inTurn(pool, LOCK, (signal) => {
        lost = signal;
        began();
        return ended;
      });
    });
    return { end, lost: () => lost.aborted, turn: () => turn };
  };
  const tries = (pool: pg.Pool) => inTurn(pool, LOCK, () => Promise.resolve());
  /** The turn's connection stands still: nothing comes over it any more, as of a process that is stopped. */
  const stopped = (pool: pg.Pool): pg.Pool =>
    Object.assign(Object.create(pool), {
      async connect() {
        const client = await pool.connect();
        const query = client.query.bind(client) as (question: pg.QueryConfig) => Promise<unknown>;
        const stand = (question: pg.QueryConfig) =>
          question.text === 'select 1' ? new Promise(() => undefined) : query(question);
        return Object.assign(client, { query: stand });
      },
    });

  it('is for one of them, and tells everybody that it is under way', async () => {
    const [one, other] = [server(), server()];
    expect(await isTaken()).toBe(false);
    const work = await working(one);
    expect([await isTaken(), await tries(other)]).toEqual([true, false]);
    work.end();
    expect(await work.turn()).toBe(true);
    expect([await isTaken(), await tries(other)]).toEqual([false, true]);
  });

  it('lasts longer than a connection may be silent', async () => {
    const [one, other] = [server(), server()];
    const work = await working(one);
    await eventually(
      () =>
        database.pool.query(
          `select from pg_stat_activity a join pg_locks l on l.pid = a.pid and l.locktype = 'advisory' and l.objid = ${LOCK}
           where clock_timestamp() - a.backend_start > interval '4 s' and a.datname = current_database()`,
        ),
      ({ rowCount }) => rowCount === 1,
    );
    expect([await tries(other), work.lost()]).toEqual([false, false]);
    work.end();
    await work.turn();
  }, 20_000);

  it('goes to another one when the process that is at it stops', async () => {
    const [one, other] = [server(), server()];
    const work = await working(stopped(one));
    expect(await tries(other)).toBe(false);
    await eventually(
      () => tries(other),
      (mine) => mine,
    );
    await eventually(() => work.lost());
  }, 20_000);
});
