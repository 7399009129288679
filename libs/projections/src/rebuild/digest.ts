import { Client } from 'pg';
import { READ_SCHEMA } from '../schema.js';
import type { ReadModel } from '../read-model.js';
import { readCheckpoints, type Checkpoint } from '../runner/checkpoints.js';

export interface TableDigest {
  readonly table: string;
  readonly rows: number;
  /** Sum of a 64-bit hash of every row's values: the same rows give the same digest in any order. */
  readonly digest: string;
}

/** The digest of each table of a schema, as this client's transaction sees it. */
export async function digestTables(client: Client, schema: string, tables: readonly string[]): Promise<TableDigest[]> {
  const digests: TableDigest[] = [];
  for (const table of tables) {
    const found = await client.query<{ rows: string; digest: string }>(
      `select count(*) as rows, coalesce(sum(hash_record_extended(t, 0)), 0)::text as digest
       from ${schema}.${table} t`,
    );
    digests.push({ table, rows: Number(found.rows[0]?.rows ?? 0), digest: found.rows[0]?.digest ?? '' });
  }
  return digests;
}

export interface LiveDigest {
  readonly checkpoint: Checkpoint;
  readonly tables: readonly TableDigest[];
}

/**
 * The live digests and their checkpoints, at one moment. The snapshot lasts only for the digests, not for a whole
 * rebuild: the old rows that it keeps would slow down the live tables.
 */
export async function digestLive(
  connectionString: string,
  models: readonly ReadModel[],
): Promise<ReadonlyMap<string, LiveDigest>> {
  const client = new Client({ connectionString, application_name: 'nova read model digest' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const checkpoints = await readCheckpoints(
      client,
      models.map(({ name }) => name),
    );
    const digests = new Map<string, LiveDigest>();
    for (const checkpoint of checkpoints) {
      const model = models.find(({ name }) => name === checkpoint.name);
      if (!model || model.version !== checkpoint.version) continue;
      digests.set(model.name, { checkpoint, tables: await digestTables(client, READ_SCHEMA, model.tables) });
    }
    await client.query('commit');
    return digests;
  } finally {
    await client.end();
  }
}

export interface TableComparison {
  readonly table: string;
  readonly live: TableDigest;
  readonly recomputed: TableDigest;
  readonly matched: boolean;
}

/** The difference as a sentence for operators; undefined if there is none. */
export function differenceOf(name: string, tables: readonly TableComparison[]): string | undefined {
  const wrong = tables.filter(({ matched }) => !matched);
  if (wrong.length === 0) return undefined;
  const parts = wrong.map(({ table, live, recomputed }) =>
    live.rows === recomputed.rows
      ? `${table} has ${live.rows} rows in both, with other contents`
      : `${table} has ${live.rows} rows, the journal gives ${recomputed.rows}`,
  );
  return `The live rows of ${name} are not what the journal gives: ${parts.join('; ')}.`;
}

export function compareDigests(live: readonly TableDigest[], recomputed: readonly TableDigest[]): TableComparison[] {
  return recomputed.map((digest) => {
    const { table } = digest;
    const other = live.find((candidate) => candidate.table === table) ?? { table, rows: 0, digest: '' };
    return {
      table,
      live: other,
      recomputed: digest,
      matched: other.rows === digest.rows && other.digest === digest.digest,
    };
  });
}
