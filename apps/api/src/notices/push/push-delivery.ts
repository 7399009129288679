import { hash } from 'node:crypto';
import { isolated } from '@app/domain';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { Counter } from 'prom-client';
import webPush from 'web-push';
import { ChatTexts } from '../../chats/chat-texts.js';
import { DELETED_MEMBER, MemberDirectory } from '../../identity/member-directory.js';
import { type Config, InjectConfig, isLoopback } from '../../platform/config.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { Metrics } from '../../platform/health/metrics.js';
import { AddressRefused, requestPublic } from '../../platform/http/public-request.js';
import { Rounds } from '../../platform/rounds.js';
import { PUSH_ANSWER_BYTES_MAX, PUSH_MS_MAX, PUSHES_AT_ONCE } from '../limits.js';
import { payloadOf, type PushFacts, type PushKind } from './push.js';
import { type QuietColumns, quietHoursOf } from './push-settings.js';
import { PushSubscriptions } from './push-subscriptions.js';
import { secondsUntilQuiet } from './quiet-hours.js';
import { VapidKeys } from './vapid-keys.js';

const SECOND_MS = 1_000;
/** How soon after its commit a notification is sent. */
const ROUND_MS = 500;
/** How long a server's claim lasts: longer than a request may. */
const LEASE_MS = 60 * SECOND_MS;
/** How long to wait after each failure; after the last one a notification is given up. */
const RETRY_AFTER_MS = [10 * SECOND_MS, 60 * SECOND_MS, 600 * SECOND_MS];
/** Finished ones are kept for the pace of their topics. */
const KEPT_MS = 60 * SECOND_MS;

/** Browsers that nothing reaches come last: strangers' slow endpoints hold nobody up. */
const CLAIM = `
  with claimed as (
    update pushes set attempts = attempts + 1, next_at = clock_timestamp() + $1 * interval '1 ms'
    where id in (
      select p.id from pushes p join push_subscriptions s on s.id = p.subscription_id
      where p.finished_at is null and p.next_at <= clock_timestamp() and p.expires_at > clock_timestamp()
      order by s.failing_since nulls first, p.next_at limit $2 for update of p skip locked)
    returning id, subscription_id, account_id, kind, topic, facts, attempts, expires_at)
  select c.id, c.subscription_id as "subscriptionId", c.kind, c.topic, c.facts, c.attempts,
    extract(epoch from c.expires_at - clock_timestamp())::float8 as "secondsLeft",
    s.endpoint, s.p256dh, s.auth, coalesce(t.shows_text, false) as "showsText",
    t.quiet_from, t.quiet_to, coalesce(t.time_zone, 'UTC') as time_zone
  from claimed c join push_subscriptions s on s.id = c.subscription_id
    left join push_settings t on t.account_id = c.account_id`;

const FINISH = 'update pushes set finished_at = clock_timestamp() where id = $1';
const RETRY = `update pushes set next_at = clock_timestamp() + $2 * interval '1 ms' where id = $1`;
const SWEEP = `
  delete from pushes
  where expires_at < clock_timestamp() or finished_at < clock_timestamp() - ${KEPT_MS} * interval '1 ms'`;

interface Claimed extends QuietColumns {
  readonly id: string;
  readonly subscriptionId: string;
  readonly kind: PushKind;
  readonly topic: string;
  readonly facts: PushFacts;
  readonly attempts: number;
  readonly secondsLeft: number;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly showsText: boolean;
}

/**
 * `gone`: the service does not know the browser any more, or its address is none that may be reached. `quiet`: not tried, because
 * the member's quiet hours have begun.
 */
type Outcome = 'sent' | 'gone' | 'refused' | 'retried' | 'given_up' | 'quiet';

/** Sends the notifications that wait, some at once; servers share them (rule notices-6). */
@Injectable()
export class PushDelivery extends Rounds {
  private readonly sending = new Set<Promise<void>>();
  private readonly loopbackAllowed: boolean;
  private readonly outcomes;
  private sweptAt = performance.now();

  constructor(
    @InjectConfig() { publicUrl }: Config,
    @InjectPool() private readonly pool: pg.Pool,
    private readonly subscriptions: PushSubscriptions,
    private readonly keys: VapidKeys,
    private readonly directory: MemberDirectory,
    private readonly texts: ChatTexts,
    metrics: Metrics,
  ) {
    super({ everyMs: ROUND_MS }, 'sending notifications');
    this.loopbackAllowed = isLoopback(publicUrl);
    this.outcomes = new Counter({
      name: 'nova_pushes_total',
      help: 'Tries to send a notification, by kind and outcome: sent, gone (the browser), refused, retried, given up, quiet',
      labelNames: ['kind', 'outcome'] as const,
      registers: [metrics.registry],
    });
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await Promise.all(this.sending);
  }

  protected override async round(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const places = PUSHES_AT_ONCE - this.sending.size;
      if (places <= 0) await Promise.race(this.sending);
      else if ((await this.sendSome(places)) < places) break;
    }
    if (performance.now() - this.sweptAt < KEPT_MS) return;
    this.sweptAt = performance.now();
    await this.pool.query(SWEEP);
    await this.subscriptions.sweep();
  }

  private async sendSome(most: number): Promise<number> {
    const { rows } = await this.pool.query<Claimed>({ name: 'claim-pushes', text: CLAIM, values: [LEASE_MS, most] });
    for (const push of rows) {
      const sent = this.send(push).catch((error: unknown) =>
        this.logger.warn({ err: error }, 'a notification could not be dealt with; it is retried'),
      );
      const done: Promise<void> = sent.finally(() => this.sending.delete(done));
      this.sending.add(done);
    }
    return rows.length;
  }

  private async send(push: Claimed): Promise<void> {
    const outcome = await this.deliver(push);
    this.outcomes.inc({ kind: push.kind, outcome });
    if (outcome === 'gone') return this.subscriptions.remove(push.subscriptionId);
    if (outcome !== 'quiet') await this.subscriptions.reached(push.subscriptionId, outcome === 'sent');
    if (outcome === 'retried') await this.pool.query(RETRY, [push.id, RETRY_AFTER_MS[push.attempts - 1]]);
    else await this.pool.query(FINISH, [push.id]);
  }

  private async deliver(push: Claimed): Promise<Outcome> {
    const quietHours = quietHoursOf(push);
    const quietIn = quietHours === null ? Infinity : secondsUntilQuiet(quietHours, Date.now());
    if (quietIn === 0) return 'quiet';
    const payload = JSON.stringify(payloadOf(push.kind, push.topic, push.facts, await this.detailsOf(push)));
    const { endpoint, p256dh, auth, kind, topic, secondsLeft } = push;
    try {
      const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
        contentEncoding: 'aes128gcm',
        TTL: Math.max(1, Math.floor(Math.min(secondsLeft, quietIn))),
        urgency: kind === 'chat_request' || kind === 'call' ? 'high' : 'normal',
        // The service keeps the newest of a topic for a browser that is away; it learns nothing from its name.
        topic: hash('sha256', topic, 'base64url').slice(0, 32),
        vapidDetails: { subject: this.keys.subject, publicKey: this.keys.publicKey, privateKey: this.keys.privateKey },
      });
      const { status } = await requestPublic({
        url: endpoint,
        method: 'POST',
        headers: headers,
        body: body ?? Buffer.alloc(0),
        loopbackAllowed: this.loopbackAllowed,
        timeMsMax: PUSH_MS_MAX,
        answerBytesMax: PUSH_ANSWER_BYTES_MAX,
      });
      if (status >= 200 && status < 300) return 'sent';
      if (status === 404 || status === 410) return 'gone';
      if (status === 429 || status >= 500) return this.again(push);
      return 'refused';
    } catch (error) {
      return error instanceof AddressRefused ? 'gone' : this.again(push);
    }
  }

  private again({ attempts }: Claimed): Outcome {
    return RETRY_AFTER_MS[attempts - 1] === undefined ? 'given_up' : 'retried';
  }

  /** Undefined unless the member lets locked screens show it. */
  private async detailsOf({ showsText, facts: { otherId, messageId } }: Claimed) {
    if (!showsText) return undefined;
    const member = otherId === undefined ? undefined : await this.directory.get(otherId);
    const texts = await this.texts.find(messageId === undefined ? [] : [messageId]);
    return { name: isolated(member?.displayName ?? DELETED_MEMBER), message: messageId && texts.get(messageId)?.text };
  }
}
