import { setTimeout as sleep } from 'node:timers/promises';
import pg, { Client, type ClientConfig } from 'pg';
import { DataSource, type Migration, QueryFailedError } from 'typeorm';
import { errorCode } from '../errors/error-code.js';
import { Explained, reasonOf } from '../errors/explained.js';
import { repeatDeadlocked } from './deadlocks.js';
import { type MigrationArea, migrationClasses } from './migrations.js';
import { lookForPooler } from './pooler.js';

/**
 * A client that ends its connection when an answer did not come in time (`query_timeout`). The driver gives up the question
 * alone: the connection would go back to its pool, and whoever got it next would wait behind that question in vain. A
 * connection that breaks fails what is under way on it, and not the process (see `openPool`).
 */
class ImpatientClient extends Client {
  constructor(settings?: string | ClientConfig) {
    super(settings);
    this.on('error', () => undefined);
  }

  override query: Client['query'] = ((...question: Parameters<Client['query']>) => {
    const answer: unknown = super.query(...question);
    if (answer instanceof Promise) void this.endUnlessAnswered(answer);
    return answer;
  }) as Client['query'];

  private async endUnlessAnswered(answer: Promise<unknown>): Promise<void> {
    try {
      await answer;
    } catch (error) {
      const isUnanswered = error instanceof Error && error.message === 'Query read timeout';
      if (isUnanswered) await this.end().catch(() => undefined);
    }
  }
}

/** Its transactions run again after a deadlock, as single statements of its pool do. */
class RepeatingDataSource extends DataSource {
  override transaction: DataSource['transaction'] = (...given: unknown[]) =>
    repeatDeadlocked(() => super.transaction(...(given as Parameters<DataSource['transaction']>)));

  override async initialize(): Promise<this> {
    await super.initialize();
    const pool = poolOf(this);
    const query = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>;
    pool.query = ((...given: unknown[]) => repeatDeadlocked(() => query(...given))) as pg.Pool['query'];
    return this;
  }
}

/** Connections of one process, beside those that the event store and the projections hold. */
const POOL_SIZE = 20;

/**
 * After this time an unanswered query fails, and its request with 503. The driver's own clock counts, because a killed
 * server or a dead network does not. Far above what any page takes; exports run on cursors, whose single reads are
 * short.
 */
const ANSWER_MS_MAX = 15_000;

/** Any number that is the same in every process. */
const MIGRATION_LOCK = 7_266_182_001;

const LOCK_PAUSE_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

export interface Schema {
  readonly entities: readonly (new () => object)[];
  /** In the order in which a new database gets them. */
  readonly areas: readonly MigrationArea[];
}

/**
 * TypeORM on Postgres: the entities, and the migrations of every part. Not connected yet.
 * @param answerMsMax 0: a statement may take as long as it takes
 */
export const createDataSource = (url: string, { entities, areas }: Schema, answerMsMax = ANSWER_MS_MAX): DataSource =>
  new RepeatingDataSource({
    type: 'postgres',
    url,
    applicationName: 'nova',
    entities: [...entities],
    migrations: migrationClasses(areas),
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    poolSize: POOL_SIZE,
    connectTimeoutMS: 10_000,
    extra: { keepAlive: true, query_timeout: answerMsMax, Client: ImpatientClient },
    // A broken idle connection is replaced by the pool; the next query says so if the server is gone.
    poolErrorHandler: () => undefined,
  });

/** The same, connected. @throws Explained the database does not let us in */
export async function openDataSource(url: string, schema: Schema, answerMsMax?: number): Promise<DataSource> {
  try {
    return await createDataSource(url, schema, answerMsMax).initialize();
  } catch (cause) {
    throw new Explained(`The database that DATABASE_URL names cannot be used: ${reasonOf(cause)}.`, { cause });
  }
}

/** The pool beneath TypeORM: one pool serves entities and plain SQL alike. Only once the data source is connected. */
export function poolOf(dataSource: DataSource): pg.Pool {
  if ('master' in dataSource.driver && dataSource.driver.master) return dataSource.driver.master as pg.Pool;
  throw new Error('the data source is not connected to Postgres');
}

/**
 * Updates the schema. Several processes may start at once: one migrates, the others wait. Queries of older servers do
 * not wait long behind a step that waits for a table, for example while a backup reads it.
 */
export async function migrate(
  url: string,
  schema: Schema,
  log: (line: string) => void = () => undefined,
): Promise<void> {
  const dataSource = await openDataSource(url, schema, 0);
  try {
    const pooler = await lookForPooler(poolOf(dataSource));
    if (pooler !== undefined) log(`Warning: ${pooler}`);
    const client = await poolOf(dataSource).connect();
    try {
      await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
      const done = await runWhenFree(dataSource, log);
      if (done.length > 0) log(`Database brought up to date: ${done.length} migrations`);
    } finally {
      // The lock goes with the connection.
      client.release(true);
    }
  } finally {
    await dataSource.destroy();
  }
}

async function runWhenFree(dataSource: DataSource, log: (line: string) => void): Promise<Migration[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await dataSource.runMigrations();
    } catch (error) {
      if (!(error instanceof QueryFailedError) || errorCode(error) !== LOCK_NOT_AVAILABLE) throw error;
      if (tries === 1) log('Waiting for a table that is in use, by a backup for instance, to bring it up to date');
      await sleep(LOCK_PAUSE_MS);
    }
  }
}
