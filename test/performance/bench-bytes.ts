import pg from 'pg';
import { CONNECTIONS, giftsThrough } from './bench-http.js';
import type { Figure } from './report.js';
import type { Surroundings } from './surroundings.js';

/** Parts below are no rows of the table, but they are in the sum. */
const BYTES_SHOWN_MIN = 10;

interface Size {
  readonly name: string;
  readonly bytes: number;
}

/** What a gift keeps in Postgres: by how much each table and each index grew, divided by the gifts that were sent. */
export async function benchBytes(surroundings: Surroundings, seconds: number): Promise<Figure[]> {
  const url = await surroundings.database();
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const sizes = async (): Promise<readonly Size[]> => {
    const { rows } = await pool.query<Size>(
      `select relname as name, pg_table_size(relid)::float8 as bytes from pg_stat_user_tables
       union all select indexrelname, pg_relation_size(indexrelid) from pg_stat_user_indexes`,
    );
    return rows;
  };
  let before = new Map<string, number>();
  const beforeLoad = async (): Promise<void> => {
    before = new Map((await sizes()).map(({ name, bytes }) => [name, bytes]));
  };
  try {
    const load = {
      servers: 1,
      connections: CONNECTIONS,
      recipients: 'callers',
      database: { url, beforeLoad },
    } as const;
    await giftsThrough(load, surroundings, seconds);
    const { rows } = await pool.query<{ gifts: number }>('select count(*)::int as gifts from read.sent_gift');
    const gifts = rows[0]?.gifts ?? 0;
    const grown = (await sizes())
      .map(({ name, bytes }) => ({ name, bytes: (bytes - (before.get(name) ?? 0)) / gifts }))
      .toSorted((a, b) => b.bytes - a.bytes);
    const group = `bytes a gift, ${gifts.toLocaleString('en-US')} gifts`;
    return [
      {
        group,
        name: 'all tables and indexes',
        value: grown.reduce((sum, { bytes }) => sum + bytes, 0),
        unit: 'bytes',
        goal: { at: '<=', value: 1_300 },
      },
      ...grown
        .filter(({ bytes }) => bytes >= BYTES_SHOWN_MIN)
        .map(({ name, bytes }) => ({ group, name, value: bytes, unit: 'bytes' })),
    ];
  } finally {
    await pool.end();
  }
}
