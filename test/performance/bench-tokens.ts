import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { ADMIN, freePort, post, ready, register, runLoad, startApi } from './bench-http.js';
import { makeMembers } from './bench-members.js';
import type { LoadRequest } from './http-load.js';
import { percentile, type Figure } from './report.js';
import type { Surroundings } from './surroundings.js';

const WARM_UP_SECONDS = 3;

/** One member and token for each reader, on a connection of its own. */
const READERS = 64;
/** More than the readers: each spender waits for the disk, which serves waiting ones together. */
const SPENDERS = 512;

/** Connections of an application that pays in bulk, and how many members each pays in one request. */
const PAYERS = 16;
const PAID_AT_ONCE = 100;

/** Measures the most frequent calls of an application: asking for balances, spending, and paying many members. */
export async function benchTokens(surroundings: Surroundings, seconds: number): Promise<Figure[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'nova-bench-tokens-'));
  const port = await freePort();
  const url = await surroundings.database();
  const api = startApi(port, url, dataDir);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    await ready(port, api);
    const admin = await register(port, ADMIN);
    const [developer, ...members] = await makeMembers(pool, PAYERS * PAID_AT_ONCE + 1);
    if (!developer) throw new Error('nobody was made');
    const spenders = members.slice(0, SPENDERS);
    await Promise.all(
      [developer, ...spenders].map(({ id }) =>
        post(port, `/api/admin/users/${id}/add-nova`, { amount: 1_000_000_000 }, admin.cookie),
      ),
    );
    const { clientId, secret, tokens } = await authorize(
      pool,
      developer.id,
      members.map(({ id }) => id),
    );
    await post(port, `/api/oauth/application/${clientId}/wallet/fund`, { amount: 900_000_000 }, developer.cookie);
    // As on a server that issues tokens: the protocol's library has already been used.
    await fetch(`http://localhost:${port}/.well-known/openid-configuration`);
    // On a running server, autovacuum does this.
    await pool.query('analyze');
    const headers = tokens.map((token) => ({ authorization: `Bearer ${token}` }));
    const reads = headers.slice(0, READERS).map((given) => ({ call: 'GET /api/oauth/token-balances', headers: given }));
    const spends = headers.slice(0, SPENDERS).map((given) => ({
      call: 'POST /api/tokens/spend',
      headers: given,
      body: '{"amount":0.05}',
    }));
    const basic = { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` };
    const payments = Array.from({ length: PAYERS }, (_, n) => {
      const paid = members.slice(n * PAID_AT_ONCE, (n + 1) * PAID_AT_ONCE);
      const items = paid.map(({ id }) => ({ userId: id, amount: 0.05 }));
      return { call: 'POST /api/tokens/earn/bulk', headers: basic, body: JSON.stringify({ items }) };
    });
    return [
      ...(await measure('balances by token', { port, seconds, requests: reads, goals: { perSecond: 3_000, p99: 40 } })),
      ...(await measure('spending by token', { port, seconds, requests: spends, goals: { perSecond: 2_000 } })),
      ...(await measure(`payments in bulk, ${PAID_AT_ONCE} a request`, {
        port,
        seconds,
        requests: payments,
        each: PAID_AT_ONCE,
        goals: { perSecond: 20_000 },
      })),
    ];
  } finally {
    await pool.end();
    api.kill('SIGTERM');
    await once(api, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface Measured {
  readonly port: number;
  readonly seconds: number;
  readonly requests: readonly LoadRequest[];
  /** How many movements a request is. */
  readonly each?: number;
  readonly goals: { readonly perSecond: number; readonly p99?: number };
}

async function measure(what: string, { port, seconds, requests, each = 1, goals }: Measured): Promise<Figure[]> {
  const order = { ports: [port], seconds, warmUpSeconds: WARM_UP_SECONDS, requests };
  const { perSecond, latenciesMs } = await runLoad(order);
  const group = `${what}, ${requests.length} connections`;
  const p99: Figure = { group, name: 'p99', value: percentile(latenciesMs, 99), unit: 'ms' };
  return [
    { group, name: 'rate', value: perSecond * each, unit: '/s', goal: { at: '>=', value: goals.perSecond } },
    { group, name: 'p50', value: percentile(latenciesMs, 50), unit: 'ms' },
    goals.p99 === undefined ? p99 : { ...p99, goal: { at: '<=', value: goals.p99 } },
  ];
}

/** Creates tokens by SQL, as `/oauth/token` would store them: signing in is not measured. */
async function authorize(
  pool: pg.Pool,
  ownerId: string,
  memberIds: readonly string[],
): Promise<{ readonly clientId: string; readonly secret: string; readonly tokens: readonly string[] }> {
  const [clientId, secret] = [randomUUID(), randomBytes(32).toString('base64url')];
  await pool.query(
    `insert into oauth_applications (client_id, owner_id, name, redirect_uris, scopes, secret_hash)
     values ($1, $2, 'Bench', '{http://localhost/callback}', '{openid,nova,karma,influence}', $3)`,
    [clientId, ownerId, hashOf(secret)],
  );
  const tokens: string[] = [];
  for (const memberId of memberIds) {
    const [token, grantId] = [randomBytes(32).toString('base64url'), randomUUID()];
    await pool.query(
      `insert into oauth_consents (user_id, client_id, scopes, daily_limit) values ($1, $2, '{openid,nova}', 100000000)`,
      [memberId, clientId],
    );
    await pool.query(
      `insert into oauth_payloads (model, id, payload, grant_id, account_id, client_id, expires_at)
       values ('Grant', $1, '{}', null, $2, $3, now() + interval '1 hour'),
         ('AccessToken', $4, '{"scope":"openid nova"}', $1, $2, $3, now() + interval '1 hour')`,
      [grantId, memberId, clientId, hashOf(token)],
    );
    tokens.push(token);
  }
  return { clientId, secret, tokens };
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
