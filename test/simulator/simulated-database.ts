import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import nodeCrypto from 'node:crypto';
import vm from 'node:vm';
import type { PGlite, Results } from '@electric-sql/pglite';
import pg from 'pg';
import type { Load } from './loader.js';
import type { World } from './world.js';

/** One statement, or several without values, as a client sends them. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[] | undefined;
  readonly rowMode?: 'array';
  /** The rows of a COPY. */
  readonly rows?: Buffer | undefined;
}

/** What Postgres keeps for one connection. */
export class Connection {
  readonly locks = new Set<string>();
  isInTransaction = false;
  isGone = false;
  searchPath = PUBLIC;
}

interface Waiting {
  readonly connection: Connection;
  readonly work: () => Promise<unknown>;
  readonly settle: (settled: Promise<unknown>) => void;
}

/** Where judges make the read models once more. */
export const REBUILT = 'rebuilt';
const PUBLIC = '"$user", public';
const TAKES_LOCK = /^\s*select pg_try_advisory_lock\((.+)\) as (\w+)\s*$/i;
const GIVES_LOCK = /^\s*select pg_advisory_unlock\(\$1\)\s*$/i;
const BEGINS = /^\s*(begin|start transaction)\b/i;
const ENDS = /(^|;)\s*(commit|rollback)\s*;?\s*$/i;
/** Settings of a session, which one session for all connections cannot keep; the path is kept here. */
const SETS = /^\s*set (?!local\b)/i;
const SETS_PATH = /\bset search_path = (\w+)/i;
const OIDS = 6_000;

/**
 * Postgres for all simulated servers: PGlite has one session, which is handed to one connection's transaction at a time. Locks,
 * transactions and paths are kept here for each connection, and taken from one that is gone.
 */
export class SimulatedDatabase {
  private world: World | undefined;
  private wallMs: () => number = () => 0;
  private holder: Connection | undefined;
  private waiting: Waiting[] = [];
  private isAtWork = false;
  private searchPath = PUBLIC;
  private readonly locks = new Map<string, Connection>();
  private readonly tables: string[] = [];
  private readonly kept: string[] = [];
  private db!: PGlite;

  /** With all tables and nothing in them. */
  static async open(root: string, load: Load): Promise<SimulatedDatabase> {
    const database = new SimulatedDatabase();
    database.db = await openPglite(root, { now: () => database.wallMs(), random: () => database.world?.random.next() });
    await database.migrate(load);
    return database;
  }

  private async migrate(load: Load): Promise<void> {
    const { SCHEMA } = load('apps/api/src/schema.ts') as typeof import('../../apps/api/src/schema.js');
    for (const { migrations } of SCHEMA.areas.toSorted((one, other) => one.order - other.order)) {
      for (const { sql } of migrations) await this.db.exec(`begin; ${sql}; commit`);
    }
    const { readModels } = load('libs/projections/src/index.ts') as typeof import('@app/projections');
    await this.db.exec(`create schema ${REBUILT}`);
    for (const { name, version, tables, ddl, indexes } of readModels) {
      await this.db.exec(
        `set search_path = ${REBUILT}; ${ddl}; set search_path = read; ${ddl}; ${indexes}; reset search_path`,
      );
      await this.db.query(
        'insert into read.checkpoint (name, version, position, revision, tables) values ($1, $2, -1, -1, $3)',
        [name, version, tables],
      );
    }
    const { rows } = await this.db.query<{ name: string; used: boolean }>(
      `select format('%I.%I', schemaname, tablename) as name,
         (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I.%I', schemaname, tablename), false, true, '')))[1]::text <> '0'
           as used
       from pg_tables where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    );
    // What migrations put into tables is there at the beginning of every run.
    await this.db.exec('create schema kept');
    for (const { name, used } of rows) {
      this.tables.push(name);
      if (!used) continue;
      this.kept.push(name);
      await this.db.exec(`create table kept."${name}" as table ${name}`);
    }
  }

  /**
   * Everything as a new installation has it, for the next run. A table's file is empty until something is written to it,
   * even if that was undone.
   */
  async reset(world: World, wallMs: () => number): Promise<void> {
    this.world = world;
    this.wallMs = wallMs;
    this.holder = undefined;
    this.waiting = [];
    this.locks.clear();
    await this.db.exec(`rollback; set search_path = ${PUBLIC}`);
    this.searchPath = PUBLIC;
    // What rebuilds left behind that did not end.
    const schemas = await this.db.query<{ name: string }>(
      `select nspname as name from pg_namespace where starts_with(nspname, 'read_next_')`,
    );
    for (const { name } of schemas.rows) await this.db.exec(`drop schema ${name} cascade`);
    const { rows } = await this.db.query<{ name: string }>(
      'select name from unnest($1::text[]) as t (name) where pg_relation_size(name::regclass) > 0',
      [this.tables],
    );
    if (rows.length > 0) {
      await this.db.exec(`truncate ${rows.map(({ name }) => name).join(', ')} restart identity cascade`);
    }
    for (const name of this.kept)
      await this.db.exec(`insert into ${name} overriding system value table kept."${name}"`);
  }

  /** Outside of simulated time: nobody else may be using it. */
  async query<R>(text: string, values: readonly unknown[] = []): Promise<readonly R[]> {
    return (await this.run({ text, values })).rows as R[];
  }

  /** Answers in the order in which one connection asks; where another's transaction is open, after it. */
  execute(connection: Connection, statement: Statement): Promise<pg.QueryResult | pg.QueryResult[]> {
    return this.inTurn(connection, () => this.perform(connection, statement)) as Promise<pg.QueryResult>;
  }

  /** The connection has ended: what it began is undone, and its locks are free. */
  end(connection: Connection): Promise<void> {
    return this.inTurn(connection, async () => {
      connection.isGone = true;
      if (connection.isInTransaction) await this.db.exec('rollback');
      connection.isInTransaction = false;
      for (const lock of connection.locks) this.locks.delete(lock);
    }) as Promise<void>;
  }

  private inTurn(connection: Connection, work: () => Promise<unknown>): Promise<unknown> {
    return new Promise((resolve) => {
      this.waiting.push({ connection, work, settle: resolve });
      void this.next();
    });
  }

  private async next(): Promise<void> {
    if (this.isAtWork) return;
    const { holder } = this;
    const at = holder ? this.waiting.findIndex(({ connection }) => connection === holder) : 0;
    const [due] = at < 0 ? [] : this.waiting.splice(at, 1);
    if (!due) return;
    this.isAtWork = true;
    const done = due.work();
    await done.catch(() => undefined);
    this.holder = due.connection.isInTransaction ? due.connection : undefined;
    this.isAtWork = false;
    due.settle(done);
    void this.next();
  }

  private async perform(connection: Connection, statement: Statement): Promise<pg.QueryResult | pg.QueryResult[]> {
    const { text, values = [] } = statement;
    if (connection.isGone) throw new Error('Connection terminated unexpectedly');
    const [, lock, as] = TAKES_LOCK.exec(text) ?? [];
    if (lock !== undefined && as !== undefined) {
      return resultOf([{ [as]: this.tryLock(connection, `${lock.replace('$1', '')}${String(values[0])}`) }]);
    }
    if (GIVES_LOCK.test(text)) {
      this.unlock(connection, String(values[0]));
      return resultOf([{ pg_advisory_unlock: true }]);
    }
    if (SETS.test(text)) {
      const [, searchPath] = SETS_PATH.exec(text) ?? [];
      if (searchPath !== undefined) connection.searchPath = searchPath;
      return resultOf([]);
    }
    if (this.searchPath !== connection.searchPath) {
      await this.db.exec(`set search_path = ${connection.searchPath}`);
      this.searchPath = connection.searchPath;
    }
    if (BEGINS.test(text)) connection.isInTransaction = true;
    try {
      return await this.run(statement);
    } finally {
      if (ENDS.test(text)) connection.isInTransaction = false;
    }
  }

  private tryLock(connection: Connection, lock: string): boolean {
    const held = this.locks.get(lock);
    if (held && held !== connection) return false;
    this.locks.set(lock, connection);
    connection.locks.add(lock);
    return true;
  }

  private unlock(connection: Connection, lock: string): void {
    if (connection.locks.delete(lock)) this.locks.delete(lock);
  }

  private async run({ text, values = [], rowMode, rows }: Statement): Promise<pg.QueryResult> {
    try {
      if (rows) {
        // As a blob is, but read within the same step.
        const blob = { arrayBuffer: () => Promise.resolve(rows) } as unknown as Blob;
        await this.db.query(text.replace(/from stdin/i, "from '/dev/blob'"), [], { blob });
        return resultOf([]);
      }
      const { prepareValue } = createRequire(__filename)('pg/lib/utils') as {
        prepareValue: (value: unknown) => unknown;
      };
      if (values.length > 0) {
        return shaped(await this.db.query(text, values.map(prepareValue), rowMode && { rowMode }));
      }
      const results = (await this.db.exec(text)).map(shaped);
      return results.length === 1 ? (results[0] as pg.QueryResult) : (results as unknown as pg.QueryResult);
    } catch (error) {
      throw asOfDriver(error as Error & { readonly length?: number });
    }
  }
}

const resultOf = (rows: readonly object[]): pg.QueryResult =>
  ({ rows, rowCount: rows.length, fields: [], command: '', oid: 0 }) as unknown as pg.QueryResult;

const shaped = ({ rows, affectedRows, fields }: Results): pg.QueryResult =>
  ({ rows, rowCount: affectedRows || rows.length, fields, command: '', oid: 0 }) as unknown as pg.QueryResult;

const asText = (value: unknown): string => (Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value));
const AS_TEXT = Object.fromEntries(Array.from({ length: OIDS }, (_, oid) => [oid, asText]));
/** As the driver reads values. They are given once: PGlite copies what a query gives, all of it each time. */
const PARSERS = Object.fromEntries(
  Array.from({ length: OIDS }, (_, oid) => [oid, pg.types.getTypeParser(oid) as (value: string) => unknown]),
);

/** The driver's own class of errors, by which callers know them. */
function asOfDriver(error: Error & { readonly length?: number }): Error {
  if (error.constructor.name !== 'DatabaseError' && !('code' in error)) return error;
  return Object.assign(new pg.DatabaseError(error.message, error.length ?? 0, 'error'), error);
}

interface Surroundings {
  readonly now: () => number;
  readonly random: () => number | undefined;
}

/** PGlite with time and randomness of its own, as `loader.ts` gives them to the product's modules. */
async function openPglite(root: string, { now, random }: Surroundings): Promise<PGlite> {
  const nodeRequire = createRequire(`${root}/package.json`);
  const file = nodeRequire.resolve('@electric-sql/pglite');
  class DatabaseDate extends Date {
    constructor(...given: [] | [number | string]) {
      super(...((given.length === 0 ? [now()] : given) as [number]));
    }

    static override now(): number {
      return now();
    }
  }
  const fillRandom = <T extends ArrayBufferView>(view: T): T => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let at = 0; at < bytes.length; at++) bytes[at] = (random() ?? 0) * 256;
    return view;
  };
  const crypto = {
    ...nodeCrypto,
    randomFillSync: fillRandom,
    getRandomValues: fillRandom,
    webcrypto: { getRandomValues: fillRandom },
  };
  const body = vm.compileFunction(
    readFileSync(file, 'utf8').replaceAll(/\bimport\(/g, 'importBuiltin('),
    'exports require module __filename __dirname importBuiltin Date performance crypto setTimeout'.split(' '),
    { filename: file },
  ) as (...given: unknown[]) => void;
  const module = { exports: {} as typeof import('@electric-sql/pglite') };
  const own = createRequire(file);
  const requireIn = (name: string): unknown => (/^(node:)?crypto$/.test(name) ? crypto : own(name));
  const importBuiltin = async (name: string) => ({ ...(own(name) as object), default: own(name) });
  body(
    module.exports,
    requireIn,
    module,
    file,
    file.replace(/\/[^/]+$/, ''),
    importBuiltin,
    DatabaseDate,
    { now },
    crypto,
    // Postgres' own alarms, in real time: they would only keep the process from ending.
    () => 0,
  );
  const { pg_trgm } = nodeRequire(
    '@electric-sql/pglite/contrib/pg_trgm',
  ) as typeof import('@electric-sql/pglite/contrib/pg_trgm');
  return module.exports.PGlite.create({ extensions: { pg_trgm }, serializers: AS_TEXT, parsers: PARSERS });
}
