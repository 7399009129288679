import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { type Config, InjectConfig, isLoopback } from '../platform/config.js';
import { InjectPool } from '../platform/database/database.module.js';
import { holdUntilEnd, inTransaction } from '../platform/database/in-transaction.js';
import { AppError, notFound } from '../platform/errors/app-error.js';
import { refusalOfAddress } from '../platform/http/public-request.js';
import { type DeliveryType, TEST_EVENT, type WebhookEvent } from './event-types.js';
import { ENDPOINTS_MAX, ROTATION_HOURS } from './limits.js';
import { bodyOf } from './queue-deliveries.js';
import { secretText } from './signature.js';
import type { Attempt } from './webhook-sender.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** An address that an application is told at. */
export interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  /** Null while it is on. */
  readonly offReason: 'developer' | 'failing' | 'gone' | null;
  readonly offAt: Date | null;
  readonly failingSince: Date | null;
  readonly previousUntil: Date | null;
  readonly lastSequence: number;
  readonly dropped: number;
  readonly droppedAt: Date | null;
  readonly createdAt: Date;
}

export interface Delivery {
  readonly id: string;
  readonly sequence: number;
  readonly type: DeliveryType;
  readonly body: string;
  readonly createdAt: Date;
  readonly nextAt: Date | null;
  readonly outcome: 'delivered' | 'given_up' | null;
  readonly attempts: readonly Attempt[];
}

/** An endpoint and the application that it must belong to. */
export interface EndpointOf {
  readonly clientId: string;
  readonly id: string;
}

export interface NewEndpoint {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  /** Whether servers send to it; true if absent. */
  readonly isOn?: boolean;
}

export interface EndpointChanges {
  readonly url?: string | undefined;
  readonly events?: readonly WebhookEvent[] | undefined;
  readonly isOn?: boolean | undefined;
}

const COLUMNS = `
  id, url, events, off_reason as "offReason", off_at as "offAt", failing_since as "failingSince",
  case when previous_until > now() then previous_until end as "previousUntil",
  last_sequence::float8 as "lastSequence", dropped::float8 as dropped, dropped_at as "droppedAt", created_at as "createdAt"`;

const ADD = `
  insert into webhook_endpoints (id, client_id, owner_id, url, events, secret, off_reason, off_at)
  select $1, $2, $3, $4, $5, $6, $8::text, case when $8::text is null then null else now() end
  where (select count(*) from webhook_endpoints where client_id = $2) < $7`;

/** Switched on, it is as good as new: what failed before is forgotten. */
const CHANGE = `
  update webhook_endpoints set url = coalesce($3, url), events = coalesce($4, events),
    off_reason = case when $5 then null when not $5 then coalesce(off_reason, 'developer') else off_reason end,
    off_at = case when $5 then null when not $5 then coalesce(off_at, now()) else off_at end,
    failing_since = case when $5 then null else failing_since end
  where client_id = $1 and id = $2 returning ${COLUMNS}`;

const ROTATE = `
  update webhook_endpoints set previous_secret = secret, previous_until = now() + ${ROTATION_HOURS} * interval '1 hour',
    secret = $3
  where client_id = $1 and id = $2 returning previous_until as "previousUntil"`;

const NEXT_SEQUENCE = `
  update webhook_endpoints set last_sequence = last_sequence + 1
  where client_id = $1 and id = $2 and off_reason is null returning last_sequence as "sequence"`;

const TEST = `
  insert into webhook_deliveries (id, endpoint_id, sequence, type, scopes, body, next_at)
  values ($1, $2, $3, '${TEST_EVENT}', '{}', $4, clock_timestamp())`;

const DELIVERIES = `
  select id, sequence::float8 as sequence, type, body, created_at as "createdAt", next_at as "nextAt", outcome, attempts
  from webhook_deliveries where endpoint_id = $1 and sequence < $2 order by sequence desc limit $3`;

/** As if it had never been tried; what was tried stays in the log. */
const SEND_AGAIN = `
  update webhook_deliveries set next_at = clock_timestamp(), tries = 0, outcome = null
  where endpoint_id = $1 and`;

/** The endpoints of applications, and the log of what they were sent (rules webhooks-7, webhooks-8). */
@Injectable()
export class WebhookEndpoints {
  private readonly loopbackAllowed: boolean;

  constructor(
    @InjectConfig() { publicUrl }: Config,
    @InjectPool() private readonly pool: pg.Pool,
    private readonly secrets: WebhookSecrets,
  ) {
    this.loopbackAllowed = isLoopback(publicUrl);
  }

  async ofApplication(clientId: string): Promise<Endpoint[]> {
    const { rows } = await this.pool.query<Endpoint>(
      `select ${COLUMNS} from webhook_endpoints where client_id = $1 order by id`,
      [clientId],
    );
    return rows;
  }

  /** @throws AppError 404 */
  async find({ clientId, id }: EndpointOf): Promise<Endpoint> {
    const { rows } = await this.pool.query<Endpoint>(
      `select ${COLUMNS} from webhook_endpoints where client_id = $1 and id = $2`,
      [clientId, id],
    );
    return rows[0] ?? noEndpoint();
  }

  /**
   * The secret is answered this once.
   * @throws AppError 400 `INVALID_URL`, 409 `WEBHOOK_LIMIT`
   */
  async add(
    { clientId, ownerId }: { readonly clientId: string; readonly ownerId: string },
    { url, events, isOn = true }: NewEndpoint,
  ): Promise<{ id: string; secret: string }> {
    this.expectAddress(url);
    const [id, secret] = [uuidv7(), this.secrets.make()];
    const added = await inTransaction(this.pool, async (client) => {
      // Two at the same moment are counted one after the other.
      await holdUntilEnd(client, `webhooks of ${clientId}`);
      const values = [id, clientId, ownerId, url, distinct(events), this.secrets.seal(secret, id), ENDPOINTS_MAX];
      return client.query(ADD, [...values, isOn ? null : 'developer']);
    });
    if (added.rowCount === 0) {
      const message = `An application has at most ${ENDPOINTS_MAX} webhooks. Delete another one first.`;
      throw new AppError(409, 'WEBHOOK_LIMIT', message);
    }
    return { id, secret: secretText(secret) };
  }

  /** @throws AppError 400 `INVALID_URL`, 404 */
  async change({ clientId, id }: EndpointOf, { url, events, isOn }: EndpointChanges): Promise<Endpoint> {
    if (url !== undefined) this.expectAddress(url);
    const values = [clientId, id, url, events && distinct(events), isOn];
    const { rows } = await this.pool.query<Endpoint>(CHANGE, values);
    return rows[0] ?? noEndpoint();
  }

  /** With all its deliveries. @throws AppError 404 */
  async remove({ clientId, id }: EndpointOf): Promise<void> {
    const { rowCount } = await this.pool.query('delete from webhook_endpoints where client_id = $1 and id = $2', [
      clientId,
      id,
    ]);
    if (rowCount === 0) noEndpoint();
  }

  /** Makes a new secret; the one before stays valid for a day (rule webhooks-3). @throws AppError 404 */
  async rotateSecret({ clientId, id }: EndpointOf): Promise<{ secret: string; previousUntil: Date }> {
    const secret = this.secrets.make();
    const { rows } = await this.pool.query<{ previousUntil: Date }>(ROTATE, [
      clientId,
      id,
      this.secrets.seal(secret, id),
    ]);
    const { previousUntil } = rows[0] ?? noEndpoint();
    return { secret: secretText(secret), previousUntil };
  }

  /** Queues a delivery that tells of nothing. @throws AppError 404, 409 `WEBHOOK_OFF` */
  async test(endpoint: EndpointOf): Promise<{ id: string }> {
    await this.find(endpoint);
    const id = uuidv7();
    await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ sequence: string }>(NEXT_SEQUENCE, [endpoint.clientId, endpoint.id]);
      if (!rows[0]) throw new AppError(409, 'WEBHOOK_OFF', 'This webhook is switched off. Switch it on first.');
      const sequence = BigInt(rows[0].sequence);
      const data = { message: 'This is a test.' };
      await client.query(TEST, [
        id,
        endpoint.id,
        rows[0].sequence,
        bodyOf({ clientId: endpoint.clientId, type: TEST_EVENT, at: Date.now(), sequence, data }),
      ]);
    });
    return { id };
  }

  /** Newest first. @throws AppError 400 `INVALID_CURSOR`, 404 */
  async deliveries(
    endpoint: EndpointOf,
    { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  ): Promise<{ deliveries: Delivery[]; nextCursor: string | null }> {
    if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) {
      throw new AppError(400, 'INVALID_CURSOR', 'The cursor is not one that was given out.');
    }
    await this.find(endpoint);
    const { rows } = await this.pool.query<Delivery>(DELIVERIES, [
      endpoint.id,
      cursor ?? Number.MAX_SAFE_INTEGER,
      limit + 1,
    ]);
    const deliveries = rows.slice(0, limit);
    const last = deliveries.at(-1);
    return { deliveries, nextCursor: rows.length > limit && last ? String(last.sequence) : null };
  }

  /** Sends one again, with its id and its sequence. @throws AppError 404 */
  async redeliver(endpoint: EndpointOf, deliveryId: string): Promise<void> {
    await this.find(endpoint);
    const { rowCount } = await this.pool.query(`${SEND_AGAIN} id = $2`, [endpoint.id, deliveryId]);
    if (rowCount === 0) throw notFound('This delivery');
  }

  /** Sends again what was queued since then, as far as it is kept. @returns how many. @throws AppError 404 */
  async replay(endpoint: EndpointOf, from: Date): Promise<number> {
    await this.find(endpoint);
    const { rowCount } = await this.pool.query(`${SEND_AGAIN} created_at >= $2`, [endpoint.id, from]);
    return rowCount ?? 0;
  }

  private expectAddress(url: string): void {
    const refusal = refusalOfAddress(url, this.loopbackAllowed);
    if (refusal === undefined) return;
    throw new AppError(400, 'INVALID_URL', `This address cannot be used: ${refusal}.`);
  }
}

const distinct = (events: readonly WebhookEvent[]): WebhookEvent[] => [...new Set(events)];

function noEndpoint(): never {
  throw notFound('This webhook');
}
