import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { Counter, Gauge } from 'prom-client';
import { applicationIdOf } from '@app/domain';
import { addNotices } from '../notices/notices.js';
import { type Config, InjectConfig, isLoopback } from '../platform/config.js';
import { InjectPool } from '../platform/database/database.module.js';
import { inTransaction } from '../platform/database/in-transaction.js';
import { asSoleOwner } from '../platform/database/sole-owner.js';
import { errorCode } from '../platform/errors/error-code.js';
import { Metrics } from '../platform/health/metrics.js';
import {
  AddressRefused,
  type PublicAnswer,
  PublicConnections,
  requestPublic,
} from '../platform/http/public-request.js';
import { Rounds } from '../platform/rounds.js';
import {
  ANSWER_BYTES_MAX,
  ANSWER_KEPT_MAX,
  ATTEMPT_MS_MAX,
  ATTEMPTS_KEPT_MAX,
  FAILING_HOURS_MAX,
  PLACES_OF_ENDPOINT,
  RETRY_PAUSES_MS,
} from './limits.js';
import { Places } from './places.js';
import { signedHeaders } from './signature.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** Any number: one process of an installation sends, so that first attempts begin in one order. */
const SENDER_LOCK = 7_266_182_022;
const AGAIN_MS = 1_000;
/** Between two looks for what waits: while something is under way, and while nothing is. */
const BUSY_REST_MS = 15;
const IDLE_REST_MS = 100;
/** How long attempts may go on once the process ends. What has no answer by then is sent again by the next. */
const FAREWELL_MS = 1_000;
const SEEDS = 1_000_000;
/** More would be written down in one statement than is good for it. */
const LOOKED_AT_MAX = 1_000;

/** Endpoints with something waiting are found one after the other in the index, however much waits for each. */
const WAITING_ENDPOINTS = `
  waiting as (
    (select endpoint_id from webhook_deliveries where next_at is not null order by endpoint_id limit 1)
    union all
    select (select d.endpoint_id from webhook_deliveries d where d.next_at is not null and d.endpoint_id > w.endpoint_id
      order by d.endpoint_id limit 1)
    from waiting w where w.endpoint_id is not null)`;

const ON = `
  waiting w join webhook_endpoints e on e.id = w.endpoint_id and e.off_reason is null
    join application_directory a on a.client_id = e.application_id and a.is_active and a.deleted_at is null`;

/** What may be sent now: of each endpoint as much as it has places, first attempts in their sequence. */
const DUE = `
  with recursive ${WAITING_ENDPOINTS}
  select d.id, e.id as "endpointId", e.owner_id as "ownerId", d.tries, d.next_at::text as "dueAt", d.body, e.url, e.secret,
    case when e.previous_until > now() then e.previous_secret end as "previousSecret"
  from ${ON}
    left join unnest($1::uuid[], $2::int[], $3::int[]) as p(endpoint_id, firsts, retries) on p.endpoint_id = e.id
    cross join lateral (
      (select id, tries, next_at, sequence, body, member_id from webhook_deliveries
       where endpoint_id = e.id and next_at is not null and tries = 0 and id <> all($4::uuid[])
       order by sequence limit coalesce(p.firsts, $5))
      union all
      (select id, tries, next_at, sequence, body, member_id from webhook_deliveries
       where endpoint_id = e.id and next_at <= clock_timestamp() and tries > 0 and id <> all($4::uuid[])
       order by next_at limit coalesce(p.retries, 1))) d
  where d.member_id is null or e.client_id <> e.application_id
    or exists (select from member_directory m where m.id = d.member_id and m.closed_at is null)
  order by (e.failing_since is not null), hashtextextended(e.id::text, $6), d.tries, d.sequence limit ${LOOKED_AT_MAX}`;

/** One that was asked for again meanwhile is due at another time than the attempt was, and stays so. */
const STILL_DUE = 'd.next_at = r.due_at';

const RECORD = `
  update webhook_deliveries d set
    attempts = (case when jsonb_array_length(d.attempts) >= ${ATTEMPTS_KEPT_MAX} then d.attempts - 0 else d.attempts end)
      || r.attempt,
    tries = case when ${STILL_DUE} then d.tries + 1 else d.tries end,
    next_at = case when ${STILL_DUE} then clock_timestamp() + r.pause_ms * interval '1 ms' else d.next_at end,
    outcome = case when ${STILL_DUE} then r.outcome else d.outcome end
  from unnest($1::uuid[], $2::jsonb[], $3::float8[], $4::text[], $5::timestamptz[])
    as r(id, attempt, pause_ms, outcome, due_at)
  where d.id = r.id`;

const REACHED = `
  update webhook_endpoints e set failing_since = case when r.is_reached then null else clock_timestamp() end
  from unnest($1::uuid[], $2::boolean[]) as r(id, is_reached)
  where e.id = r.id and r.is_reached = (e.failing_since is not null)`;

/** Those that asked for it, and those that gave a delivery up and that nothing reached for long. */
const SWITCH_OFF = `
  update webhook_endpoints e set off_reason = r.reason, off_at = clock_timestamp()
  from unnest($1::uuid[], $2::text[]) as r(id, reason)
  where e.id = r.id and e.off_reason is null
    and (r.reason = 'gone' or e.failing_since <= clock_timestamp() - ${FAILING_HOURS_MAX} * interval '1 hour')
  returning e.id, e.owner_id as "ownerId", e.client_id as "clientId"`;

const COUNTS = `
  with recursive ${WAITING_ENDPOINTS}
  select
    (select count(*)::int from (select from webhook_deliveries where next_at is not null limit 1000000) some) as waiting,
    coalesce((
      select max(extract(epoch from clock_timestamp() - f.created_at))::float8
      from ${ON} cross join lateral (
        select created_at from webhook_deliveries
        where endpoint_id = e.id and next_at is not null and tries = 0 order by sequence limit 1) f
      where e.failing_since is null), 0) as oldest`;

interface Due {
  readonly id: string;
  readonly endpointId: string;
  readonly ownerId: string;
  readonly tries: number;
  /** As Postgres writes it, to the microsecond. */
  readonly dueAt: string;
  readonly body: string;
  readonly url: string;
  readonly secret: Buffer;
  readonly previousSecret: Buffer | null;
}

/** One attempt, as the log of deliveries keeps it. */
export interface Attempt {
  /** ISO 8601. */
  readonly at: string;
  readonly ms: number;
  /** Of the answer; absent where none came. */
  readonly status?: number;
  /** What the answer said, cut off. */
  readonly answer?: string;
  /** Why no answer came. */
  readonly error?: string;
}

interface Done {
  readonly due: Due;
  readonly attempt: Attempt;
  readonly outcome: 'delivered' | 'given_up' | null;
  readonly pauseMs: number | null;
}

const OUTCOMES = ['delivered', 'failed', 'given_up'] as const;

/** Sends what waits, and writes down what became of it (rules webhooks-5, webhooks-6). */
@Injectable()
export class WebhookSender extends Rounds {
  private readonly loopbackAllowed: boolean;
  private readonly connections: PublicConnections;
  private readonly attempts;
  private readonly places = new Places();
  /** Those that are being sent, or that nobody has written down yet. */
  private readonly underWay = new Set<string>();
  private readonly done: Done[] = [];

  constructor(
    @InjectConfig() { publicUrl }: Config,
    @InjectPool() private readonly pool: pg.Pool,
    private readonly secrets: WebhookSecrets,
    metrics: Metrics,
  ) {
    super({ everyMs: AGAIN_MS }, 'sending webhooks');
    this.loopbackAllowed = isLoopback(publicUrl);
    this.connections = new PublicConnections(this.loopbackAllowed);
    this.attempts = new Counter({
      name: 'nova_webhook_attempts_total',
      help: 'Attempts to deliver a webhook, by outcome: delivered, failed, given_up (the last one failed)',
      labelNames: ['outcome'] as const,
      registers: [metrics.registry],
    });
    for (const outcome of OUTCOMES) this.attempts.inc({ outcome }, 0);
    this.watch(metrics);
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    this.connections.close();
  }

  protected override round(signal: AbortSignal): Promise<void> {
    return asSoleOwner({ pool: this.pool, lock: SENDER_LOCK, signal }, (ending) => this.sendUntil(ending));
  }

  private async sendUntil(signal: AbortSignal): Promise<void> {
    const leaving = new AbortController();
    while (!signal.aborted) {
      // Beside each other: the shorter a round, the more attempts begin in a second.
      const [begun] = await Promise.all([this.begin(leaving.signal), this.record()]);
      const rest = begun > 0 || this.underWay.size > 0 ? BUSY_REST_MS : IDLE_REST_MS;
      await sleep(rest, undefined, { signal, ref: false }).catch(() => undefined);
    }
    const until = performance.now() + FAREWELL_MS;
    while (this.places.busy > 0 && performance.now() < until) await sleep(BUSY_REST_MS);
    leaving.abort();
    await this.record();
    // The next owner begins them again; their answers count for nobody here.
    this.underWay.clear();
  }

  /** Begins attempts without waiting for their answers. @returns how many */
  private async begin(leaving: AbortSignal): Promise<number> {
    const { known } = this.places;
    const free = known.map((endpointId) => this.places.freeOf(endpointId));
    const { rows } = await this.pool.query<Due>({
      name: 'due-webhooks',
      text: DUE,
      values: [
        known,
        free.map(({ firsts }) => firsts),
        free.map(({ retries }) => retries),
        [...this.underWay],
        PLACES_OF_ENDPOINT.first - 1,
        // Endpoints take turns at coming first.
        randomInt(SEEDS),
      ],
    });
    let begun = 0;
    for (const due of rows) {
      const { endpointId, ownerId, tries } = due;
      const giveBack = this.places.take({ endpointId, ownerId, isFirst: tries === 0 });
      if (!giveBack) continue;
      begun += 1;
      this.underWay.add(due.id);
      void this.follow(due, giveBack, leaving);
    }
    return begun;
  }

  private async follow(due: Due, giveBack: (quickMs: number | undefined) => void, leaving: AbortSignal): Promise<void> {
    const { attempt, isDelivered } = await this.attempt(due, leaving);
    giveBack(isDelivered ? attempt.ms : undefined);
    if (leaving.aborted) return;
    const pauseMs = isDelivered ? null : (RETRY_PAUSES_MS[due.tries] ?? null);
    const failed = pauseMs === null ? 'given_up' : null;
    this.done.push({ due, attempt, outcome: isDelivered ? 'delivered' : failed, pauseMs });
  }

  private async attempt(due: Due, leaving: AbortSignal): Promise<{ attempt: Attempt; isDelivered: boolean }> {
    const [startedAt, started] = [new Date(), performance.now()];
    const attempt = () => ({ at: startedAt.toISOString(), ms: Math.round(performance.now() - started) });
    try {
      const { status, body } = await this.send(due, startedAt, leaving);
      const answer = body.toString('utf8').replaceAll('\0', '').slice(0, ANSWER_KEPT_MAX);
      return { attempt: { ...attempt(), status, answer }, isDelivered: status >= 200 && status < 300 };
    } catch (error) {
      return { attempt: { ...attempt(), error: reasonOf(error) }, isDelivered: false };
    }
  }

  private send({ id, endpointId, url, body, ...sealed }: Due, at: Date, leaving: AbortSignal): Promise<PublicAnswer> {
    const secrets = [sealed.secret, sealed.previousSecret].flatMap((secret) =>
      secret ? this.secrets.open(secret, endpointId) : [],
    );
    const timestamp = Math.floor(at.getTime() / 1_000);
    return requestPublic({
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Nova-Webhooks/1',
        ...signedHeaders({ id, timestamp, body, secrets }),
      },
      body: Buffer.from(body),
      loopbackAllowed: this.loopbackAllowed,
      timeMsMax: ATTEMPT_MS_MAX,
      answerBytesMax: ANSWER_BYTES_MAX,
      connections: this.connections,
      signal: leaving,
    });
  }

  /** Writes down what became of attempts, and switches off what is beyond hope, with a notice to its developer. */
  private async record(): Promise<void> {
    const done = this.done.splice(0);
    if (done.length === 0) return;
    try {
      await inTransaction(this.pool, (client) => write(client, done));
    } catch (error) {
      this.done.unshift(...done);
      throw error;
    }
    for (const { due, outcome } of done) {
      this.underWay.delete(due.id);
      this.attempts.inc({ outcome: outcome ?? 'failed' });
    }
  }

  private watch({ registry }: Metrics): void {
    const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers: [registry] });
    const oldest = gauge(
      'nova_webhook_oldest_seconds',
      'Age of the oldest delivery that was not tried yet, of endpoints that answer',
    );
    const { pool } = this;
    const waiting: Gauge = new Gauge({
      name: 'nova_webhook_waiting',
      help: 'Deliveries of webhooks that wait for an attempt, the first or another',
      registers: [registry],
      async collect() {
        // Left out where they cannot be counted: the other figures are wanted most then.
        const counted = await pool.query<{ waiting: number; oldest: number }>(COUNTS).catch(() => undefined);
        waiting.set(counted?.rows[0]?.waiting ?? NaN);
        oldest.set(counted?.rows[0]?.oldest ?? NaN);
      },
    });
  }
}

async function write(client: pg.PoolClient, done: readonly Done[]): Promise<void> {
  // Should the database forget it in a crash, they are sent again.
  await client.query('set local synchronous_commit to off');
  await client.query(RECORD, [
    done.map(({ due }) => due.id),
    done.map(({ attempt }) => JSON.stringify(attempt)),
    done.map(({ pauseMs }) => pauseMs),
    done.map(({ outcome }) => outcome),
    done.map(({ due }) => due.dueAt),
  ]);
  const reached = new Map<string, boolean>();
  for (const { due, outcome } of done) {
    reached.set(due.endpointId, reached.get(due.endpointId) === true || outcome === 'delivered');
  }
  await client.query(REACHED, [[...reached.keys()], [...reached.values()]]);
  await switchOff(client, offReasons(done));
}

const GONE = 410;

/** By endpoint. */
const offReasons = (done: readonly Done[]): ReadonlyMap<string, string> =>
  new Map(
    done.flatMap(({ due, attempt, outcome }) => {
      if (attempt.status === GONE) return [[due.endpointId, 'gone']];
      return outcome === 'given_up' ? [[due.endpointId, 'failing']] : [];
    }),
  );

async function switchOff(client: pg.PoolClient, reasons: ReadonlyMap<string, string>): Promise<void> {
  if (reasons.size === 0) return;
  const { rows } = await client.query<{ id: string; ownerId: string; clientId: string }>(SWITCH_OFF, [
    [...reasons.keys()],
    [...reasons.values()],
  ]);
  const at = Date.now();
  await addNotices(
    (sql, values) => client.query(sql, values),
    rows.map(({ id, ownerId: memberId, clientId }) => {
      const source = `webhook-off:${id}:${at}`;
      return { memberId, source, kind: 'webhook_off' as const, facts: { clientId: applicationIdOf(clientId) }, at };
    }),
  );
}

/** For developers: what the network said, and nothing of this server. */
export function reasonOf(error: unknown): string {
  if (error instanceof AddressRefused) return 'The address is not public.';
  if (isTimeout(error)) return `No answer came within ${ATTEMPT_MS_MAX / 1_000} seconds.`;
  const code = errorCode(error);
  return code === undefined ? 'It could not be sent.' : `The connection failed: ${code}.`;
}

const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'name' in error && /^(?:Timeout|Abort)Error$/.test(String(error.name));
