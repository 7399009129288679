import { EntryQueries, READ_SCHEMA, readModels } from '@app/projections';
import pg from 'pg';
import { percentile, type Figure } from './report.js';
import type { Surroundings } from './surroundings.js';

const EVENTS = 10_000_000;
const MEMBERS = 1_000_000;
/** How many moments each query asks for, spread over the history. */
const MOMENTS = 40;
const PAGE = 50;
const ANSWER_MS_MAX = 1_000;

const USER_PURCHASED = 0;
const USER_EARNED = 1;
const POOL_INFLUENCE = 9;
const memberSql = (number: string): string =>
  `uuid_send(('01a1fdd7-2da6-76ed-9641-' || lpad(to_hex(abs(hashint8(${number})) % ${MEMBERS}), 12, '0'))::uuid)`;
const member = (number: number): string => `01a1fdd7-2da6-76ed-9641-${number.toString(16).padStart(12, '0')}`;

/** Gifts between members, half of each to a pool, as the projection writes them; the journal is not measured. */
const FILL: readonly string[] = [
  `insert into ledger_entry (revision, delta, at, kind, owner, type)
   select r, e.delta, timestamptz '2026-01-01' + r * interval '1 second', e.kind, e.owner, 'GiftSent'
   from generate_series(0, ${EVENTS - 1}) r cross join lateral (values
     (${USER_PURCHASED}, -100000, ${memberSql('r')}),
     (${USER_EARNED}, 50000, ${memberSql('r + 7')}),
     (${POOL_INFLUENCE}, 50000, '')) e (kind, delta, owner)`,
  `insert into ledger_entry_block (block, kind, unit, delta)
   select revision / 10000, kind, '', sum(delta) from ledger_entry group by 1, 2`,
];

/** Measures how fast the books answer for any past moment, with a long history. */
export async function benchBooks(surroundings: Surroundings, log: (line: string) => void): Promise<Figure[]> {
  const client = new pg.Client(await surroundings.database());
  await client.connect();
  try {
    await fill(client, log);
    const books = new EntryQueries(client);
    const owner = member(4_711);
    const pool = { kind: 'pool:influence', owner: '' } as const;
    const own = [{ kind: 'user:purchased', owner } as const, { kind: 'user:earned', owner } as const];
    const questions: readonly (readonly [name: string, ask: (revision: number) => Promise<unknown>])[] = [
      ['balances of a member', (revision) => books.balancesAt(own.map((account) => ({ ...account, revision })))],
      ['balance of a pool that every event pays', (revision) => books.balancesAt([{ ...pool, revision }])],
      ['trial balance', (revision) => books.totalsAt(revision)],
      ['a page of accounts', (revision) => books.accountsOf('user:earned', { revision, limit: PAGE })],
      ['a page of entries of the pool', (last) => books.page([pool], { first: 0, last, limit: PAGE })],
    ];
    const figures: Figure[] = [];
    for (const [name, ask] of questions) {
      const goal = { at: '<=', value: ANSWER_MS_MAX } as const;
      figures.push({ group: 'a past moment in 10M events, p95', name, value: await p95(ask), unit: 'ms', goal });
    }
    return figures;
  } finally {
    await client.end();
  }
}

async function fill(client: pg.Client, log: (line: string) => void): Promise<void> {
  const model = readModels.find(({ name }) => name === 'ledger_entries');
  if (!model) throw new Error('there is no read model of entries');
  await client.query(`create schema ${READ_SCHEMA}; set search_path = ${READ_SCHEMA}`);
  await client.query(`set synchronous_commit = off; set maintenance_work_mem = '256MB'`);
  await client.query(model.ddl);
  for (const sql of FILL) await client.query(sql);
  log('  entries are written');
  await client.query(model.indexes);
  // On a running server, autovacuum does this.
  await client.query('vacuum analyze ledger_entry');
  await client.query('vacuum analyze ledger_entry_block');
  log('  and indexed');
}

async function p95(ask: (revision: number) => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let n = 1; n <= MOMENTS; n++) {
    const began = performance.now();
    await ask(Math.floor((EVENTS * n) / (MOMENTS + 1)));
    took.push(performance.now() - began);
  }
  return percentile(took, 95);
}
