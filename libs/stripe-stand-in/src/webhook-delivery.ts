import type { Pool } from 'pg';
// The CommonJS build, which the tests load, has no named export.
// oxlint-disable-next-line import/no-named-as-default
import Stripe from 'stripe';

const BATCH = 20;
/** How long one attempt may take; another process may try the same event after the lease. */
const ATTEMPT_TIMEOUT_MS = 10_000;
const LEASE_SECONDS = 30;
const IDLE_POLL_MS = 1_000;
/** Seconds before the next attempt, by attempts made; the last one repeats until the event is too old. */
const BACKOFF_SECONDS = [0.25, 0.5, 1, 2, 5, 15, 60, 300, 1_800] as const;
const GIVE_UP_AFTER = '3 days';
const KEEP = '7 days';
const HOUSEKEEPING_EVERY_MS = 600_000;

/**
 * Sends the outbox to the product's webhook address as Stripe does: signed, at least once, again after any answer
 * except 2xx, and in no promised order. Webhooks that were not delivered when the process ended are delivered after the
 * next start.
 */
export class WebhookDelivery {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopped = true;
  private again = false;
  private housekeptAt = 0;

  constructor(
    private readonly pool: Pool,
    private readonly target: () => string | undefined,
    private readonly secret: string,
    private readonly warn: (line: string) => void,
  ) {}

  start(): void {
    this.stopped = false;
    this.schedule(0);
  }

  /** Ends the current attempts and starts no more. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Checks the outbox now instead of at the next poll. */
  nudge(): void {
    if (this.running) this.again = true;
    else this.schedule(0);
  }

  private schedule(delayMs: number): void {
    if (this.stopped) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.running = this.turn().finally(() => {
        this.running = undefined;
        const delay = this.again ? 0 : IDLE_POLL_MS;
        this.again = false;
        this.schedule(delay);
      });
    }, delayMs);
    this.timer.unref();
  }

  private async turn(): Promise<void> {
    try {
      const url = this.target();
      if (url === undefined) return;
      await this.keepHouse();
      const due = await this.lease();
      await Promise.all(due.map((event) => this.attempt(url, event)));
      if (due.length === BATCH) this.again = true;
    } catch (error) {
      this.warn(`the outbox of the payment sandbox could not be read: ${reasonOf(error)}`);
    }
  }

  private async lease(): Promise<readonly OutboxEvent[]> {
    const { rows } = await this.pool.query<OutboxEvent>(
      `update sandbox.event set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $2)
       where id in (
         select id from sandbox.event
         where delivered_at is null and gave_up_at is null and next_attempt_at <= now()
         order by next_attempt_at limit $1 for update skip locked
       )
       returning id, payload, attempts`,
      [BATCH, LEASE_SECONDS],
    );
    return rows;
  }

  private async attempt(url: string, event: OutboxEvent): Promise<void> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          // An idle connection to our own server would keep it from closing.
          connection: 'close',
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
          'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload: event.payload, secret: this.secret }),
        },
        body: event.payload,
        redirect: 'error',
        signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`status ${response.status}`);
      await this.pool.query('update sandbox.event set delivered_at = now(), last_error = null where id = $1', [
        event.id,
      ]);
    } catch (error) {
      const delay = BACKOFF_SECONDS[Math.min(event.attempts, BACKOFF_SECONDS.length) - 1] ?? 1;
      await this.pool.query(
        `update sandbox.event set last_error = $2, next_attempt_at = now() + make_interval(secs => $3),
           gave_up_at = case when created_at < now() - interval '${GIVE_UP_AFTER}' then now() end
         where id = $1`,
        [event.id, reasonOf(error), delay],
      );
      this.retryIn(delay * 1_000);
    }
  }

  private retryIn(delayMs: number): void {
    if (this.stopped || delayMs >= IDLE_POLL_MS) return;
    setTimeout(() => this.nudge(), delayMs).unref();
  }

  private async keepHouse(): Promise<void> {
    if (Date.now() - this.housekeptAt < HOUSEKEEPING_EVERY_MS) return;
    this.housekeptAt = Date.now();
    await this.pool.query(
      `delete from sandbox.event where created_at < now() - interval '${KEEP}' and (delivered_at is not null or gave_up_at is not null)`,
    );
    await this.pool.query(`delete from sandbox.idempotency where created_at < now() - interval '1 day'`);
  }
}

interface OutboxEvent {
  readonly id: string;
  readonly payload: string;
  readonly attempts: number;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
