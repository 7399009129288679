import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { CONNECTIONS, freePort, fundedMembers, ready, register, runLoad, startApi } from './bench-http.js';
import type { LoadRequest } from './http-load.js';
import { percentile, type Figure } from './report.js';
import type { Surroundings } from './surroundings.js';

const WARM_UP_SECONDS = 3;

/** What an application does most: it asks for balances, and spends; each connection has another member's token. */
export async function benchTokens(surroundings: Surroundings, seconds: number): Promise<Figure[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'nova-bench-tokens-'));
  const port = await freePort();
  const url = await surroundings.database();
  const api = startApi(port, url, dataDir);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    await ready(port, api);
    const developer = await register(port, 'developer@bench.example');
    const members = await fundedMembers(port);
    const tokens = await authorize(
      pool,
      developer.id,
      members.map(({ id }) => id),
    );
    const requests = (call: string, body?: string): LoadRequest[] =>
      tokens.map((token) => ({
        call,
        headers: { authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { body }),
      }));
    const measure = async (name: string, of: readonly LoadRequest[], atLeast: number): Promise<Figure[]> => {
      const { perSecond, latenciesMs, failures } = await runLoad({
        port,
        seconds,
        warmUpSeconds: WARM_UP_SECONDS,
        requests: of,
      });
      if (failures.length) throw new Error(`${name} failed: ${failures.join('\n')}`);
      const group = `${name}, ${CONNECTIONS} connections`;
      return [
        { group, name: 'rate', value: perSecond, unit: '/s', goal: { at: '>=', value: atLeast } },
        { group, name: 'p50', value: percentile(latenciesMs, 50), unit: 'ms' },
        { group, name: 'p99', value: percentile(latenciesMs, 99), unit: 'ms', goal: { at: '<=', value: 40 } },
      ];
    };
    return [
      ...(await measure('balances by token', requests('GET /api/oauth/token-balances'), 3_000)),
      ...(await measure('spending by token', requests('POST /api/tokens/spend', '{"amount":0.05}'), 2_000)),
    ];
  } finally {
    await pool.end();
    api.kill('SIGTERM');
    await once(api, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Tokens come by SQL, as `/oauth/token` would have stored them: signing in is not what is measured. */
async function authorize(pool: pg.Pool, ownerId: string, memberIds: readonly string[]): Promise<string[]> {
  const clientId = randomUUID();
  await pool.query(
    `insert into oauth_applications (client_id, owner_id, name, redirect_uris, scopes)
     values ($1, $2, 'Bench', '{http://localhost/callback}', '{openid,nova,karma,influence}')`,
    [clientId, ownerId],
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
      [grantId, memberId, clientId, createHash('sha256').update(token).digest('base64url')],
    );
    tokens.push(token);
  }
  return tokens;
}
