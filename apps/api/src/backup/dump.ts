import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { READ_SCHEMA } from '@app/projections';
import { errorCode } from '../platform/errors/error-code.js';
import { Explained } from '../platform/errors/explained.js';
import type { BackedUpTable, Manifest } from './manifest.js';

const { escapeIdentifier } = pg;
type Client = Pick<pg.ClientBase, 'query'>;

/** A table and what of it can be written: columns that Postgres computes cannot. */
export type DumpedTable = Pick<BackedUpTable, 'schema' | 'name' | 'columns'>;

/**
 * What was not derived: all tables but those of the read models, which a server makes anew from the journal. Steps of the
 * schema are no rows to restore either: they are done. A table comes after those that it refers to.
 */
export async function dumpedTables(client: Client): Promise<DumpedTable[]> {
  const { rows } = await client.query<DumpedTable & { readonly refers: readonly string[] }>(
    `select n.nspname as schema, c.relname as name,
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       array(select f.confrelid::regclass::text from pg_constraint f
         where f.contype = 'f' and f.conrelid = c.oid and f.confrelid <> c.oid) as refers,
       c.oid::regclass::text as id
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and c.relpersistence = 'p' and c.relname <> 'migrations'
       and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', $1)
     order by 1, 2`,
    [READ_SCHEMA],
  );
  return inOrder(rows as (DumpedTable & { readonly refers: readonly string[]; readonly id: string })[]);
}

function inOrder(
  tables: readonly (DumpedTable & { readonly refers: readonly string[]; readonly id: string })[],
): DumpedTable[] {
  const ordered = new Map<string, DumpedTable>();
  const byId = new Map(tables.map((table) => [table.id, table]));
  const add = (id: string, waiting: ReadonlySet<string>): void => {
    const table = byId.get(id);
    if (!table || ordered.has(id)) return;
    if (waiting.has(id)) throw new Error(`tables refer to each other in a circle: ${[...waiting].join(', ')}`);
    for (const other of table.refers) add(other, new Set([...waiting, id]));
    ordered.set(id, { schema: table.schema, name: table.name, columns: table.columns });
  };
  for (const { id } of tables) add(id, new Set());
  return [...ordered.values()];
}

export async function sequences(client: Client): Promise<Manifest['sequences']> {
  const { rows } = await client.query<Manifest['sequences'][number]>(
    `select schemaname as schema, sequencename as name, last_value::text as last from pg_sequences
     where last_value is not null and schemaname <> $1 and sequencename <> 'migrations_id_seq' order by 1, 2`,
    [READ_SCHEMA],
  );
  return rows;
}

const sqlName = ({ schema, name }: Pick<DumpedTable, 'schema' | 'name'>): string =>
  `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
const columnList = ({ columns }: DumpedTable): string => columns.map((column) => escapeIdentifier(column)).join(', ');

/** Counts what passes, and computes its hash. */
export class Measured extends Transform {
  bytes = 0;
  private readonly hash = createHash('sha256');

  constructor() {
    super({
      transform: (chunk: Buffer, _, done) => {
        this.bytes += chunk.length;
        this.hash.update(chunk);
        done(null, chunk);
      },
    });
  }

  get sha256(): string {
    return this.hash.copy().digest('hex');
  }
}

/** Sends a table's rows, compressed, to where `put` stores them. */
export async function dumpTable(
  client: Client,
  table: DumpedTable,
  put: (content: Readable) => Promise<void>,
): Promise<BackedUpTable> {
  const copy = copyTo(`copy ${sqlName(table)} (${columnList(table)}) to stdout`);
  const rows = client.query(copy);
  const measured = new Measured();
  await Promise.all([pipeline(rows, createGzip({ level: 1 }), measured), put(measured)]);
  return { ...table, rows: copy.rowCount, bytes: measured.bytes, sha256: measured.sha256 };
}

/** Writes the rows of a backup into an empty table. @throws Explained they are not those that were backed up */
export async function restoreTable(client: Client, table: BackedUpTable, content: Readable): Promise<void> {
  const copy = copyFrom(`copy ${sqlName(table)} (${columnList(table)}) from stdin`);
  const into = client.query(copy);
  const measured = new Measured();
  const sentence = `The backup is damaged: ${table.schema}.${table.name} is not as it was written. Take another one.`;
  try {
    await pipeline(content, measured, createGunzip(), into);
  } catch (cause) {
    if (errorCode(cause)?.startsWith('Z_')) throw new Explained(sentence, { cause });
    throw cause;
  }
  if (measured.sha256 !== table.sha256 || copy.rowCount !== table.rows) throw new Explained(sentence);
}

export async function emptyTables(client: Client, tables: readonly DumpedTable[]): Promise<void> {
  await client.query(`truncate ${tables.map(sqlName).join(', ')}`);
}
