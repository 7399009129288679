import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { ADMIN, freePort, post, ready, register, startApi } from './bench-http.js';
import { type BenchMember, makeMembers } from './bench-members.js';
import { percentile, type Figure } from './report.js';
import type { Surroundings } from './surroundings.js';

const MEMBERS = 50;
/** Movements a second; each is told to a healthy application and to one whose endpoint never answers. */
const EVENTS_A_SECOND = 500;
/** How many deliveries wait when the rate of the sender alone is measured. */
const WAITING = 20_000;
const SETTLE_MS_MAX = 60_000;
const WARM_UP_SECONDS = 10;

/** Measures how fast webhooks leave, and how far behind the journal first attempts are, with a dead endpoint beside. */
export async function benchWebhooks(surroundings: Surroundings, seconds: number): Promise<Figure[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'nova-bench-webhooks-'));
  const port = await freePort();
  const url = await surroundings.database();
  const api = startApi(port, url, dataDir);
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  const receiver = new Receiver();
  const address = await receiver.start();
  try {
    await ready(port, api);
    const admin = await register(port, ADMIN);
    const [healthy, lame, recipient, ...members] = await makeMembers(pool, MEMBERS + 3);
    if (!healthy || !lame || !recipient) throw new Error('nobody was made');
    const ids = members.map(({ id }) => id);
    for (const id of ids) await post(port, `/api/admin/users/${id}/add-nova`, { amount: 1_000_000_000 }, admin.cookie);
    const good = await applicationOf(pool, healthy.id, ids);
    const dead = await applicationOf(pool, lame.id, ids);
    const add = (owner: typeof healthy, clientId: string, at: string) =>
      post(
        port,
        `/api/oauth/application/${clientId}/webhooks`,
        { url: `${address}/${at}`, events: ['balance.changed'] },
        owner.cookie,
      );
    await add(healthy, good, 'good');
    await add(lame, dead, 'dead');
    await pool.query('analyze');
    // Compiles the code, and lets the endpoint earn its places.
    await drive({ port, members, recipientId: recipient.id, seconds: WARM_UP_SECONDS });
    await receiver.settle(EVENTS_A_SECOND * WARM_UP_SECONDS);
    receiver.delaysMs.length = 0;
    const driven = await drive({ port, members, recipientId: recipient.id, seconds });
    await receiver.settle(driven.count);
    const delays = [...receiver.delaysMs];
    const stages = await stagesOf(pool, good, EVENTS_A_SECOND * WARM_UP_SECONDS);
    const group = `webhooks behind the journal at ${EVENTS_A_SECOND} events/s, a dead endpoint beside`;
    const rate = await drain(pool, good, receiver);
    return [
      { group, name: 'events', value: driven.perSecond, unit: '/s' },
      { group, name: 'p50 of the first attempt', value: percentile(delays, 50), unit: 'ms' },
      {
        group,
        name: 'p99 of the first attempt',
        value: percentile(delays, 99),
        unit: 'ms',
        goal: { at: '<=', value: 1_000 },
      },
      { group, name: 'p99 until it was queued', value: stages.queuedMs, unit: 'ms' },
      { group, name: 'p99 from there to the attempt', value: stages.begunMs, unit: 'ms' },
      {
        group: `${WAITING} waiting webhooks to a local receiver, a dead endpoint beside`,
        name: 'rate',
        value: rate,
        unit: '/s',
        goal: { at: '>=', value: 1_000 },
      },
    ];
  } finally {
    await pool.end();
    api.kill('SIGTERM');
    await once(api, 'exit');
    receiver.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Answers `/good` at once and `/dead` never, and notes how old each message was. */
class Receiver {
  readonly delaysMs: number[] = [];
  count = 0;
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/dead') return;
      this.count += 1;
      const { timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { timestamp: string };
      this.delaysMs.push(Date.now() - Date.parse(timestamp));
      response.writeHead(204).end();
    });
  });

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async settle(expected: number): Promise<void> {
    const until = Date.now() + SETTLE_MS_MAX;
    while (this.delaysMs.length < expected) {
      if (Date.now() > until) throw new Error(`only ${this.delaysMs.length} of ${expected} deliveries came`);
      await pause(20);
    }
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

interface Drive {
  readonly port: number;
  readonly members: readonly BenchMember[];
  readonly recipientId: string;
  readonly seconds: number;
}

/** Sends gifts at a steady pace to somebody who consented to nothing. @returns how many, and how many a second were answered */
async function drive({
  port,
  members,
  recipientId,
  seconds,
}: Drive): Promise<{ readonly count: number; readonly perSecond: number }> {
  const started = performance.now();
  const sent: Promise<unknown>[] = [];
  const total = EVENTS_A_SECOND * seconds;
  while (sent.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1_000) * EVENTS_A_SECOND));
    while (sent.length < due) {
      const cookie = members[sent.length % members.length]?.cookie ?? '';
      sent.push(post(port, '/api/gifts/send', { recipientId, amount: 1_000 }, cookie));
    }
    await pause(5);
  }
  await Promise.all(sent);
  return { count: total, perSecond: total / ((performance.now() - started) / 1_000) };
}

/** Where the time of first attempts after the warm-up went: until the follower had queued them, and then until they began. */
async function stagesOf(
  pool: pg.Pool,
  clientId: string,
  warmUp: number,
): Promise<{ readonly queuedMs: number; readonly begunMs: number }> {
  const { rows } = await pool.query<{ queuedMs: number; begunMs: number }>(
    `select
       percentile_cont(0.99) within group (order by extract(epoch from d.created_at - t.at))::float8 * 1000 as "queuedMs",
       percentile_cont(0.99) within group (order by extract(epoch from t.begun - d.created_at))::float8 * 1000 as "begunMs"
     from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id cross join lateral (
       select (d.body::jsonb ->> 'timestamp')::timestamptz as at, (d.attempts -> 0 ->> 'at')::timestamptz as begun) t
     where e.client_id = $1 and d.sequence > $2`,
    [clientId, warmUp],
  );
  if (!rows[0]) throw new Error('nothing was queued');
  return rows[0];
}

/** How many a second leave where so many wait. */
async function drain(pool: pg.Pool, clientId: string, receiver: Receiver): Promise<number> {
  const body = JSON.stringify({ type: 'balance.changed', timestamp: new Date().toISOString(), sequence: 1, data: {} });
  const before = receiver.count;
  await pool.query(
    `insert into webhook_deliveries (id, endpoint_id, sequence, type, scopes, body, next_at)
     select gen_random_uuid(), e.id, 1000000 + n, 'balance.changed', '{}', $2, now()
     from webhook_endpoints e, generate_series(1, $3) n where e.client_id = $1`,
    [clientId, body, WAITING],
  );
  const started = performance.now();
  while (receiver.count < before + WAITING) {
    if (performance.now() - started > SETTLE_MS_MAX) throw new Error('waiting deliveries did not leave');
    await pause(5);
  }
  return WAITING / ((performance.now() - started) / 1_000);
}

/** An application to which these members consented. */
async function applicationOf(pool: pg.Pool, ownerId: string, memberIds: readonly string[]): Promise<string> {
  const clientId = randomBytes(16).toString('hex');
  await pool.query(
    `insert into oauth_applications (client_id, owner_id, name, redirect_uris, scopes)
     values ($1, $2, $3, '{http://localhost/callback}', '{openid,nova}')`,
    [clientId, ownerId, `Bench ${randomUUID()}`],
  );
  await pool.query(
    `insert into oauth_consents (user_id, client_id, scopes, daily_limit)
     select unnest($1::uuid[]), $2, '{openid,nova}', 100000000`,
    [memberIds, clientId],
  );
  return clientId;
}
