import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ChannelListener, PostgresEventStore } from '@app/event-store';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { BalanceQueries } from '../wallet/balance-queries.js';
import { readModels } from '../read-models.js';
import { projectionMigrations } from '../schema.js';
import { TestJournal } from '../testing/test-journal.js';
import { LISTENER_NAME } from './progress-listener.js';
import { ProjectionRunner } from './projection-runner.js';
import { ThreadedProjections } from './threaded-projections.js';

// Each start of a thread takes seconds on a busy machine.
jest.setTimeout(60_000);

const WAIT_MS = 30_000;
const NAMES = readModels.map(({ name }) => name);
const ENTRY = pathToFileURL(path.resolve('dist/apps/api/src/platform/journal/projections-worker.js'));
const thread = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
const grant = (amount: bigint) => ({ type: 'GrantNova', userId: 'ada', adminId: 'admin', amount }) as const;

describe('read models that a thread feeds', () => {
  let database: TestDatabase;
  let store: PostgresEventStore;
  let journal: TestJournal;
  let errors: [message: string, error: unknown][];
  const running: { stop(): Promise<void> }[] = [];

  const threaded = (entry = ENTRY, databaseUrl = database.url): ThreadedProjections => {
    const logger = {
      info: () => undefined,
      error: (message: string, error: unknown) => void errors.push([message, error]),
    };
    const listener = new ChannelListener({ connectionString: databaseUrl, application_name: LISTENER_NAME });
    const address = { databaseUrl, eventStoreUrl: undefined };
    const projections = new ThreadedProjections({ entry, errand: address, listener, logger });
    running.push(projections, { stop: () => listener.close() });
    return projections;
  };
  const nova = async (): Promise<bigint> => (await new BalanceQueries(database.pool).member('ada')).nova;

  beforeEach(async () => {
    errors = [];
    database = await createTestDatabase('threaded_projections');
    for (const { sql } of projectionMigrations) await database.pool.query(sql);
    store = await PostgresEventStore.open({ connectionString: database.url });
    journal = new TestJournal(store);
  });
  afterEach(async () => {
    for (const part of running.splice(0)) await part.stop();
    await store.close();
    await database.drop();
  });

  it('hold what is waited for, by revision and by position', async () => {
    const projections = threaded();
    await projections.start();
    await journal.execute(grant(100n));
    expect(await projections.waitFor(NAMES, 0, WAIT_MS)).toEqual({ projected: true });
    expect(await nova()).toBe(100n);
    await journal.execute(grant(20n));
    const head = await store.head('ledger');
    expect(await projections.waitForPosition(['balances'], head?.position ?? -1n, WAIT_MS)).toEqual({
      projected: true,
    });
    expect(await nova()).toBe(120n);
    expect(await projections.waitFor(['balances'], 2, 50)).toEqual({ projected: false });
    expect(await projections.status()).toEqual(
      expect.arrayContaining([{ name: 'balances', state: 'live', revision: 1, isOfOtherVersion: false }]),
    );
    expect((await projections.connections()).totalCount).toBeGreaterThan(0);
    expect(errors).toEqual([]);
  });

  it('are rebuilt on request, and of no other release then', async () => {
    const projections = threaded();
    await projections.start();
    await journal.execute(grant(100n));
    await projections.waitFor(NAMES, 0, WAIT_MS);
    const epochs = async () =>
      (await database.pool.query('select name, epoch from read.checkpoint order by name')).rows;
    const before = await epochs();
    await projections.requestRebuild('balances');
    for (let tries = 0; tries < 200 && JSON.stringify(await epochs()) === JSON.stringify(before); tries++) {
      await pause(50);
    }
    expect(await epochs()).not.toEqual(before);
    expect(await nova()).toBe(100n);
    expect(await projections.isBetweenVersions()).toBe(false);
    await expect(projections.requestRebuild('nothing')).rejects.toThrow('no such read model: nothing');
  });

  it('are waited for as well while another process feeds them, and fed once it stops', async () => {
    const other = new ProjectionRunner({ store, connectionString: database.url, models: readModels });
    await other.start();
    const projections = threaded();
    await projections.start();
    await journal.execute(grant(100n));
    const head = await store.head('ledger');
    expect(await projections.waitFor(NAMES, 0, WAIT_MS)).toEqual({ projected: true });
    expect(await projections.waitForPosition(NAMES, head?.position ?? -1n, WAIT_MS)).toEqual({ projected: true });
    expect((await projections.status()).map(({ state }) => state)).toEqual(NAMES.map(() => 'standby'));
    await other.stop();
    await journal.execute(grant(20n));
    expect(await projections.waitFor(NAMES, 1, WAIT_MS)).toEqual({ projected: true });
    expect(await nova()).toBe(120n);
  });

  it('are as far as another process says that they are', async () => {
    const projections = threaded();
    await projections.start();
    const waiting = projections.waitFor(['balances', 'sent_gifts'], 41, WAIT_MS);
    await database.pool.query(`select pg_notify('projection_progress', '41:statements,balances,sent_gifts')`);
    expect(await waiting).toEqual({ projected: true });
    expect(await projections.waitFor(['quests'], 41, 50)).toEqual({ projected: false });
  });

  it('are given back in order: whoever comes next need not wait', async () => {
    const projections = threaded();
    await projections.start();
    await journal.execute(grant(100n));
    await projections.waitFor(NAMES, 0, WAIT_MS);
    await projections.stop();
    const { rows } = await database.pool.query('select name from read.checkpoint where owner is not null');
    expect(rows).toEqual([]);
    expect(await projections.waitFor(NAMES, 1, WAIT_MS)).toEqual({ projected: false });
    expect(errors).toEqual([]);
  });

  it('go on with another thread after one that failed', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'threaded-'));
    const flag = path.join(folder, 'fail');
    const failsWhenTold = thread(`
      import { existsSync, rmSync } from 'node:fs';
      setInterval(() => {
        if (!existsSync(${JSON.stringify(flag)})) return;
        rmSync(${JSON.stringify(flag)});
        throw new Error('out of luck');
      }, 10);
      await import(${JSON.stringify(ENTRY.href)});`);
    const projections = threaded(failsWhenTold);
    await projections.start();
    await writeFile(flag, '');
    for (let tries = 0; tries < 1_000 && errors.length === 0; tries++) await pause(10);
    await expect(projections.status()).rejects.toThrow('is being started anew');
    await journal.execute(grant(100n));
    expect(await projections.waitFor(NAMES, 0, WAIT_MS)).toEqual({ projected: true });
    expect(await nova()).toBe(100n);
    expect(errors.map(([, error]) => (error as Error).message)).toEqual(['out of luck']);
    await rm(folder, { recursive: true });
  });

  it('say at the start why their thread does not start, and start no other', async () => {
    await expect(threaded(thread('throw new Error("out of luck")')).start()).rejects.toThrow('out of luck');
    await expect(threaded(thread('process.exit(0)')).start()).rejects.toThrow('ended');
    const nowhere = 'postgres://nobody:nothing@127.0.0.1:9/none';
    await expect(threaded(ENTRY, nowhere).start()).rejects.toThrow('no connection to the event store');
    expect(errors).toEqual([]);
  });
});
