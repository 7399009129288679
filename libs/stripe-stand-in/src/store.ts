import { hash, randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { BalanceQuery } from './balance-transactions.js';
import {
  type SandboxBalanceTransaction,
  type SandboxDispute,
  type SandboxKinds,
  type SandboxObject,
  SandboxStripeError,
} from './stripe-objects.js';

export interface SandboxAnswer {
  readonly status: number;
  readonly body: object;
}

/** The parts of a call by which Stripe recognises repeats. */
export interface SandboxCall {
  readonly idempotencyKey: string | undefined;
  /** Method, path and body: the same key with other content is refused. */
  readonly content: string;
}

/** Runs work in one transaction: all or nothing is kept. */
export type InTransaction = <T>(pool: Pool, work: (client: PoolClient) => Promise<T>) => Promise<T>;

const API_VERSION = '2026-10-28.endive';
const IDEMPOTENCY_KEY_LENGTH_MAX = 255;

export const sandboxId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;
export const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** What a repeat with the same idempotency key gets again, as the call's answer. */
function remembered(error: unknown): SandboxAnswer {
  if (error instanceof SandboxStripeError && error.isRemembered) return error;
  throw error;
}

/** The stand-in's objects and its outbox. Each API call is one transaction: the object, its events and the answer to repeat. */
export class SandboxStore {
  constructor(
    private readonly pool: Pool,
    private readonly inTransaction: InTransaction,
  ) {}

  /**
   * Runs a call that changes something. With an idempotency key a repeat gets the first answer, also a decline and what
   * was not possible then; a concurrent repeat waits for the first on the key's row. Any other thrown error rolls
   * everything back and is not remembered, as with Stripe's own validation errors.
   */
  call(call: SandboxCall, work: (objects: SandboxObjects) => Promise<SandboxAnswer>): Promise<SandboxAnswer> {
    return this.inTransaction(this.pool, async (client) => {
      const earlier =
        call.idempotencyKey === undefined ? undefined : await claimKey(client, call.idempotencyKey, call.content);
      const answer = earlier ?? (await work(new SandboxObjects(client)).catch(remembered));
      if (call.idempotencyKey !== undefined && earlier === undefined) {
        await client.query('update sandbox.idempotency set status = $2, body = $3 where key = $1', [
          call.idempotencyKey,
          answer.status,
          JSON.stringify(answer.body),
        ]);
      }
      return answer;
    });
  }

  async find<K extends keyof SandboxKinds>(kind: K, id: string): Promise<SandboxKinds[K] | undefined> {
    const { rows } = await this.pool.query<{ body: SandboxKinds[K] }>(
      'select body from sandbox.object where id = $1 and kind = $2',
      [id, kind],
    );
    return rows[0]?.body;
  }

  /** Newest first, as Stripe lists; `startingAfter` is the last id of the page before. */
  async list<K extends keyof SandboxKinds>(
    kind: K,
    {
      paymentIntent,
      startingAfter,
      limit,
    }: { paymentIntent: string; startingAfter: string | undefined; limit: number },
  ): Promise<{
    readonly object: 'list';
    readonly url: string;
    readonly has_more: boolean;
    readonly data: readonly SandboxKinds[K][];
  }> {
    const { rows } = await this.pool.query<{ body: SandboxKinds[K] }>(
      `select body from sandbox.object
       where payment_intent = $1 and kind = $2
         and ($3::text is null or seq < (select seq from sandbox.object where id = $3))
       order by seq desc limit $4`,
      [paymentIntent, kind, startingAfter ?? null, limit + 1],
    );
    return {
      object: 'list',
      url: `/v1/${kind}s`,
      has_more: rows.length > limit,
      data: rows.slice(0, limit).map((row) => row.body),
    };
  }

  /** Movements of the balance, newest first, as Stripe lists them. */
  async balanceTransactions({ from, until, startingAfter, limit, expandSource }: BalanceQuery): Promise<object> {
    const { rows } = await this.pool.query<{ body: SandboxBalanceTransaction; source: object | null }>(
      `select t.body, s.body as source from sandbox.object t
       left join sandbox.object s on $5 and s.id = t.body->>'source'
       where t.kind = 'balance_transaction' and (t.body->>'created')::bigint >= $1 and (t.body->>'created')::bigint < $2
         and ($3::text is null or t.seq < (select seq from sandbox.object where id = $3))
       order by t.seq desc limit $4`,
      [from, until, startingAfter ?? null, limit + 1, expandSource],
    );
    return {
      object: 'list',
      url: '/v1/balance_transactions',
      has_more: rows.length > limit,
      data: rows.slice(0, limit).map(({ body, source }) => ({ ...body, source: source ?? body.source })),
    };
  }
}

/** Reads and writes inside one call's transaction. */
export class SandboxObjects {
  constructor(private readonly client: PoolClient) {}

  async insert(object: SandboxObject): Promise<void> {
    const paymentIntent = object.object === 'payment_intent' ? object.id : object.payment_intent;
    await this.client.query('insert into sandbox.object (id, kind, payment_intent, body) values ($1, $2, $3, $4)', [
      object.id,
      object.object,
      paymentIntent,
      JSON.stringify(object),
    ]);
  }

  async update(object: SandboxObject): Promise<void> {
    await this.client.query('update sandbox.object set body = $2 where id = $1', [object.id, JSON.stringify(object)]);
  }

  /** Locks the object until the call ends. */
  async take<K extends keyof SandboxKinds>(kind: K, id: string): Promise<SandboxKinds[K] | undefined> {
    const { rows } = await this.client.query<{ body: SandboxKinds[K] }>(
      'select body from sandbox.object where id = $1 and kind = $2 for update',
      [id, kind],
    );
    return rows[0]?.body;
  }

  /** The dispute about a payment; a test card makes one at most. */
  async disputeOf(paymentIntent: string): Promise<SandboxDispute | undefined> {
    const { rows } = await this.client.query<{ body: SandboxDispute }>(
      `select body from sandbox.object where payment_intent = $1 and kind = 'dispute'`,
      [paymentIntent],
    );
    return rows[0]?.body;
  }

  /** Puts a webhook into the outbox; it leaves after the commit, at least once, in no promised order. */
  async emit(type: string, object: SandboxObject): Promise<void> {
    const id = sandboxId('evt');
    const event = {
      id,
      object: 'event',
      api_version: API_VERSION,
      created: nowSeconds(),
      data: { object },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    };
    await this.client.query('insert into sandbox.event (id, type, payload) values ($1, $2, $3)', [
      id,
      type,
      JSON.stringify(event),
    ]);
  }
}

async function claimKey(client: PoolClient, key: string, content: string): Promise<SandboxAnswer | undefined> {
  if (key.length > IDEMPOTENCY_KEY_LENGTH_MAX) {
    throw new SandboxStripeError(400, {
      type: 'idempotency_error',
      message: `Idempotency keys can be at most ${IDEMPOTENCY_KEY_LENGTH_MAX} characters.`,
    });
  }
  const fingerprint = hash('sha256', content, 'hex');
  const { rowCount } = await client.query(
    'insert into sandbox.idempotency (key, fingerprint) values ($1, $2) on conflict (key) do nothing',
    [key, fingerprint],
  );
  if (rowCount === 1) return undefined;
  const { rows } = await client.query<{ fingerprint: string; status: number; body: object }>(
    'select fingerprint, status, body from sandbox.idempotency where key = $1',
    [key],
  );
  const [earlier] = rows;
  if (!earlier || earlier.fingerprint !== fingerprint) {
    throw new SandboxStripeError(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with: '${key}'.`,
    });
  }
  return { status: earlier.status, body: earlier.body };
}
