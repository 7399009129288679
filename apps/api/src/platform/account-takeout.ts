import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from './database/database.module.js';
import { type AreaTables, TABLES } from './database/tables.js';

const ROWS_AT_ONCE = 500;

type Row = Readonly<Record<string, unknown>>;

/** A file of JSON rows in a member's takeout. */
export interface TakeoutList {
  /** `chats/messages`, without its end. */
  readonly path: string;
  /** Columns with ids of other members, whose names are added. */
  readonly members: readonly string[];
  /** In batches, in an order that stays. */
  readonly rows: (accountId: string) => AsyncIterable<readonly Row[]>;
}

/** A file that the member sent, as it is stored. */
export interface TakeoutFile {
  /** `files/{id}.jpeg`. */
  readonly path: string;
  readonly bytes: number;
  /** Undefined if it is gone meanwhile. */
  readonly open: () => Promise<Readable | undefined>;
}

/** Everything that a member takes out (rule accounts-25): areas name it in their tables, or register it here. */
@Injectable()
export class AccountTakeout {
  readonly lists: TakeoutList[];
  private readonly files: ((accountId: string) => Promise<readonly TakeoutFile[]>)[] = [];

  constructor(@InjectPool() pool: pg.Pool, @Inject(TABLES) tables: readonly AreaTables[]) {
    const declared = tables.flatMap(({ takeout }) => Object.entries(takeout?.files ?? {}));
    this.lists = declared.map(([path, { sql, members = [] }]) => ({
      path,
      members,
      rows: (accountId) => rowsOf(pool, sql, accountId),
    }));
  }

  /** For rows that are not in tables of the area. */
  register(list: TakeoutList): void {
    this.lists.push(list);
  }

  registerFiles(files: (accountId: string) => Promise<readonly TakeoutFile[]>): void {
    this.files.push(files);
  }

  async filesOf(accountId: string): Promise<readonly TakeoutFile[]> {
    return (await Promise.all(this.files.map((files) => files(accountId)))).flat();
  }
}

/** With a cursor: memory does not grow with the rows. */
async function* rowsOf(pool: pg.Pool, sql: string, accountId: string): AsyncGenerator<readonly Row[], void> {
  const client = await pool.connect();
  let isDone = false;
  try {
    await client.query('begin read only');
    await client.query(`declare takeout no scroll cursor for ${sql}`, [accountId]);
    for (;;) {
      const { rows } = await client.query<Row>(`fetch ${ROWS_AT_ONCE} from takeout`);
      if (rows.length === 0) break;
      yield rows;
    }
    await client.query('commit');
    isDone = true;
  } finally {
    // A connection in the middle of a transaction is not used again.
    client.release(!isDone);
  }
}
