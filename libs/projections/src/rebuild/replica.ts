import { getHeapStatistics } from 'node:v8';
import { Client } from 'pg';
import type { ReadModel, ReadModelApplier } from '../read-model.js';

/** The schema in which a rebuild of a read model is filled. */
export const replicaSchema = (name: string): string => `read_next_${name}`;

/** About the size of a row with its key in a cache. */
const ROW_BYTES = 256;
const HEAP_SHARE = 1 / 8;

/**
 * Every look-up of a row slows a rebuild down. So the cache of a table may take an eighth of the heap, shared by all
 * read models that are filled at once. With 4 GB that is enough for the rows of two million members.
 */
const cachedRowsMax = (replicas: number): number =>
  Math.floor((getHeapStatistics().heap_size_limit * HEAP_SHARE) / ROW_BYTES / replicas);

/** A read model that is filled from the first event on, in a schema of its own next to the live one. */
export class Replica {
  position = -1n;
  revision = -1;
  private constructor(
    readonly model: ReadModel,
    readonly schema: string,
    readonly client: Client,
    readonly applier: ReadModelApplier,
  ) {}

  /**
   * Creates the tables, empty and without the indexes that only reading needs.
   * @param atOnce how many are filled at the same time, with this one
   * @param isKept whether the tables may replace the live ones; otherwise they are unlogged
   * @throws RebuildUnderWay another process fills this schema
   */
  static async open(
    connectionString: string,
    model: ReadModel,
    { schema, atOnce, isKept }: { readonly schema: string; readonly atOnce: number; readonly isKept: boolean },
  ): Promise<Replica> {
    const client = new Client({ connectionString, application_name: `nova ${schema}` });
    // A broken connection fails the current statement; between statements the next one reports it.
    client.on('error', () => undefined);
    await client.connect();
    try {
      const locked = await client.query<{ locked: boolean }>(
        'select pg_try_advisory_lock(hashtextextended($1, 0)) as locked',
        [`projections:${schema}`],
      );
      if (!locked.rows[0]?.locked) throw new RebuildUnderWay(schema);
      await client.query(`drop schema if exists ${schema} cascade`);
      await client.query(`create schema ${schema}`);
      // Lost rows would be derived again, so nothing here waits for the disk.
      await client.query(
        `set synchronous_commit = off; set maintenance_work_mem = '128MB'; set search_path = ${schema}`,
      );
      await client.query(model.ddl);
      if (!isKept) await client.query(model.tables.map((table) => `alter table ${table} set unlogged`).join(';'));
    } catch (error) {
      await client.end();
      throw error;
    }
    const applier = model.createApplier({ startsEmpty: true, cachedRowsMax: cachedRowsMax(atOnce) });
    return new Replica(model, schema, client, applier);
  }

  async addIndexes(): Promise<void> {
    await this.client.query(this.model.indexes);
    await this.client.query('analyze ' + this.model.tables.join(', '));
  }

  /** Removes everything. The lock ends with the connection. */
  async close(): Promise<void> {
    try {
      await this.client.query(`drop schema if exists ${this.schema} cascade`);
    } finally {
      await this.client.end();
    }
  }
}

export class RebuildUnderWay extends Error {
  override readonly name = 'RebuildUnderWay';
  constructor(schema: string) {
    super(`Another process is rebuilding this read model already (its tables are in ${schema}).`);
  }
}
