import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import webPush from 'web-push';
import { SecretChanges } from '../../identity/secret-changes.js';
import { Sessions } from '../../identity/sessions.js';
import type { SignedInMember } from '../../platform/auth/member.js';
import { type Config, InjectConfig, isLoopback } from '../../platform/config.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { holdUntilEnd, inTransaction } from '../../platform/database/in-transaction.js';
import { AppError, unauthenticated } from '../../platform/errors/app-error.js';
import { refusalOfAddress } from '../../platform/http/public-request.js';
import { SUBSCRIPTION_FAILING_DAYS, SUBSCRIPTIONS_MAX } from '../limits.js';

/** What `PushSubscription.toJSON()` has. */
export interface BrowserSubscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** Both stay as they are until the transaction ends, so that what ends the session finds what was added. */
const SIGNED_IN = `
  with account as (select id from member_directory where id = $1 for key share)
  select from session_directory s join account on account.id = s.account_id where s.id = $2 for key share of s`;

/** A browser has one subscription, for whoever signed in last: its keys prove that it is the same browser. */
const TAKE_FROM_OTHERS = `
  delete from push_subscriptions where endpoint = $2 and p256dh = $3 and auth = $4 and account_id <> $1`;

const ADD = `
  insert into push_subscriptions (id, account_id, device_id, endpoint, p256dh, auth)
  select $1, $2, $3, $4, $5, $6
  where (select count(*) from push_subscriptions where account_id = $2 and endpoint <> $4) < $7
  on conflict (account_id, endpoint) do update
    set device_id = excluded.device_id, p256dh = excluded.p256dh, auth = excluded.auth, failing_since = null`;

/**
 * Browsers that a member's notifications go to (rule notices-8). Each belongs to the device that it is on, and goes with it, with
 * the session that is signed out there, and with the account.
 */
@Injectable()
export class PushSubscriptions {
  private readonly loopbackAllowed: boolean;

  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    @InjectConfig() { publicUrl }: Config,
    secretChanges: SecretChanges,
    sessions: Sessions,
  ) {
    this.loopbackAllowed = isLoopback(publicUrl);
    secretChanges.onChange(async (manager, { accountId, by, deviceId }) => {
      const isKept = by === 'member' ? (deviceId ?? null) : null;
      await manager.query(
        'delete from push_subscriptions where account_id = $1 and device_id is distinct from $2::uuid',
        [accountId, isKept],
      );
    });
    sessions.onSignOut((deviceId) => this.removeOfDevice(deviceId));
  }

  /**
   * Adds the browser, or renews it.
   * @throws AppError 400 `INVALID_PUSH_SUBSCRIPTION`, 401 the session has ended, 409 `PUSH_LIMIT`
   */
  async add(
    { id, deviceId, sessionId }: SignedInMember,
    { endpoint, keys: { p256dh, auth } }: BrowserSubscription,
  ): Promise<void> {
    const refusal = refusalOfAddress(endpoint, this.loopbackAllowed) ?? refusalOfKeys(p256dh, auth);
    if (refusal !== undefined) {
      throw new AppError(400, 'INVALID_PUSH_SUBSCRIPTION', `This browser’s push service cannot be used: ${refusal}.`);
    }
    const added = await inTransaction(this.pool, async (client) => {
      // Two at the same moment are counted one after the other.
      await holdUntilEnd(client, `push subscriptions of ${id}`);
      // It may have ended while the request waited.
      if ((await client.query(SIGNED_IN, [id, sessionId])).rowCount === 0) throw unauthenticated();
      await client.query(TAKE_FROM_OTHERS, [id, endpoint, p256dh, auth]);
      return client.query(ADD, [uuidv7(), id, deviceId, endpoint, p256dh, auth, SUBSCRIPTIONS_MAX]);
    });
    if (added.rowCount === 0) {
      throw new AppError(
        409,
        'PUSH_LIMIT',
        `Notifications are on in ${SUBSCRIPTIONS_MAX} browsers, which is the maximum. Turn them off in another one first.`,
      );
    }
  }

  async removeOfDevice(deviceId: string): Promise<void> {
    await this.pool.query('delete from push_subscriptions where device_id = $1', [deviceId]);
  }

  /** How many browsers a member has, and whether this device is one of them. */
  async count({ id, deviceId }: SignedInMember): Promise<{ browsers: number; here: boolean }> {
    const { rows } = await this.pool.query<{ browsers: number; here: boolean }>(
      `select count(*)::int as browsers, coalesce(bool_or(device_id = $2), false) as here
       from push_subscriptions where account_id = $1`,
      [id, deviceId],
    );
    return rows[0] ?? { browsers: 0, here: false };
  }

  /** The browser is gone, or never was one. */
  async remove(subscriptionId: string): Promise<void> {
    await this.pool.query('delete from push_subscriptions where id = $1', [subscriptionId]);
  }

  /** Notes whether something reached it. */
  async reached(subscriptionId: string, isReached: boolean): Promise<void> {
    const since = isReached ? 'null' : 'coalesce(failing_since, now())';
    const changed = isReached ? 'failing_since is not null' : 'failing_since is null';
    await this.pool.query(`update push_subscriptions set failing_since = ${since} where id = $1 and ${changed}`, [
      subscriptionId,
    ]);
  }

  /** Forgets browsers that nothing has reached for long. */
  async sweep(): Promise<void> {
    await this.pool.query(`delete from push_subscriptions where failing_since < now() - $1 * interval '1 day'`, [
      SUBSCRIPTION_FAILING_DAYS,
    ]);
  }
}

const AUTH_BYTES = 16;

/** The public key is an uncompressed point of P-256, and the secret has 16 bytes (RFC 8291): something can be encrypted for them. */
function refusalOfKeys(p256dh: string, auth: string): string | undefined {
  if (Buffer.from(auth, 'base64url').length !== AUTH_BYTES) return 'its secret is not valid';
  try {
    webPush.encrypt(p256dh, auth, '', 'aes128gcm');
    return undefined;
  } catch {
    return 'its key is not valid';
  }
}
