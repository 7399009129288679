import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { ADMIN, freePort, ready, register, startApi } from './bench-http.js';
import { fillHistory, MEMBERS } from './long-history.js';
import { percentile, type Figure } from './report.js';
import type { Surroundings } from './surroundings.js';

const CSV_ROWS = 1_000_000;
const CALLS = 40;
const PAGE_MS_MAX = 150;

/** The requests of the Admin Panel's pages. */
const PAGES: readonly (readonly [name: string, path: string])[] = [
  ['stats', '/api/admin/stats'],
  ['overview', '/api/admin/overview?days=30'],
  ['charts', '/api/admin/series?days=90'],
  ['users', '/api/admin/users?limit=10'],
  ['users, page 300', '/api/admin/users?limit=10&page=300'],
  ['users by name', '/api/admin/users?limit=10&sort=name&order=asc'],
  ['users by balance', '/api/admin/users?limit=10&sort=balance&order=desc'],
  ['users by rating', '/api/admin/users?limit=10&sort=rating&order=desc'],
  ['users found', '/api/admin/users?limit=10&search=member%20777'],
  ['content', '/api/admin/content'],
  ['quests', '/api/admin/quests'],
  ['reports', '/api/admin/reports'],
  ['audit', '/api/admin/audit'],
  ['transactions', '/api/admin/transactions'],
  ['transactions, page 500', '/api/admin/transactions?page=500'],
  ['transactions of a type', '/api/admin/transactions?type=gift_send'],
  ['transactions of a search', '/api/admin/transactions?search=member%2077777'],
];

const FILL_MEMBERS = `
  insert into accounts (id, email, email_key, display_name, name_key, password_hash, pin_hash, tc_version, tc_accepted_at, created_at)
  select gen_random_uuid(), n || '@bench.example', n || '@bench.example', 'Member ' || n, 'member ' || n, '', '', '1.0', now(),
    now() - n * interval '1 minute' from generate_series(1, ${MEMBERS}) n`;
const FILL_DAYS = `
  insert into read.daily_totals (day, name, count, amount)
  select (current_date - d)::date, name, 1000, 100000 from generate_series(0, 400) d,
    unnest(array['circulation', 'transactions', 'purchases', 'gifts', 'chats_requested', 'chats_accepted', 'chats_successful']) name
  on conflict do nothing`;

/** The Admin Panel of a platform with a long history. */
export async function benchAdmin(surroundings: Surroundings, log: (line: string) => void): Promise<Figure[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'nova-bench-admin-'));
  const port = await freePort();
  const url = await surroundings.database();
  const api = startApi(port, url, dataDir);
  try {
    await ready(port, api);
    const { cookie } = await register(port, ADMIN);
    log('  filling in 100,000 members and 5,000,000 rows …');
    await fill(url);
    const figures: Figure[] = [];
    for (const [name, call] of PAGES) {
      const value = percentile(await timesOf(port, call, cookie), 95);
      figures.push({ group: 'admin pages, p95', name, value, unit: 'ms', goal: { at: '<=', value: PAGE_MS_MAX } });
    }
    return [...figures, ...(await exportCsv(port, cookie, api.pid ?? 0))];
  } finally {
    api.kill('SIGTERM');
    await once(api, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function fill(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    await pool.query(FILL_MEMBERS);
    await pool.query(FILL_DAYS);
    await fillHistory(pool);
  } finally {
    await pool.end();
  }
}

async function timesOf(port: number, call: string, cookie: string): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < CALLS; n++) {
    const start = performance.now();
    const response = await fetch(`http://localhost:${port}${call}`, { headers: { cookie } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${call}: ${response.status}`);
    times.push(performance.now() - start);
  }
  return times;
}

/** Reads a million rows of the export, and watches the server's memory. */
async function exportCsv(port: number, cookie: string, pid: number): Promise<Figure[]> {
  const before = residentMb(pid);
  const start = performance.now();
  let [rows, most, looked] = [0, before, start];
  await new Promise<void>((resolve, reject) => {
    const call = get(
      { port, host: '127.0.0.1', path: '/api/admin/transactions.csv', headers: { cookie } },
      (response) => {
        response.on('data', (chunk: Buffer) => {
          for (const byte of chunk) if (byte === 0x0a) rows += 1;
          if (performance.now() - looked > 500) {
            looked = performance.now();
            most = Math.max(most, residentMb(pid));
          }
          if (rows > CSV_ROWS) {
            call.destroy();
            resolve();
          }
        });
        response.on('end', resolve);
      },
    );
    call.on('error', (error) => (rows > CSV_ROWS ? resolve() : reject(error)));
  });
  const group = '1,000,000 rows as CSV';
  const perSecond = (rows * 1_000) / (performance.now() - start);
  return [
    { group, name: 'rate', value: perSecond, unit: 'rows/s', goal: { at: '>=', value: 50_000 } },
    { group, name: 'memory of the server grew by', value: most - before, unit: 'MB', goal: { at: '<=', value: 50 } },
  ];
}

const residentMb = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024;
