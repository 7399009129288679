import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { AppError } from '../platform/errors/app-error.js';
import { networkOf } from '../platform/http/network.js';
import { RateLimits } from '../platform/rate-limit/rate-limits.js';
import { Applications } from './applications.js';
import { isScope, SCOPE_WHEN_ABSENT, type Scope, SPENDING_SCOPES, withOpenid } from './scopes.js';

/** A device that waits for a member's answer (RFC 8628). */
export interface WaitingDevice {
  /** The row of its code. */
  readonly id: string;
  readonly clientId: string;
  /** What it asks for: what the application may have, and no scope that spends. */
  readonly scopes: readonly Scope[];
}

/** The member who types a code, and from where. */
export interface Guesser {
  readonly memberId: string;
  readonly address: string;
}

/** What a device gets that a member approves. */
export interface DeviceGrant {
  readonly accountId: string;
  readonly authTime: number;
  readonly grantId: string;
  readonly scope: string;
}

const WAITS = `model = 'DeviceCode' and (payload ->> 'exp')::float8 > extract(epoch from now())
  and not payload ?| array['accountId', 'error', 'inFlight']`;

const FIND = `select id, client_id as "clientId", payload #>> '{params,scope}' as scope from oauth_payloads
  where uid = $1 and ${WAITS}`;

const CLAIM = `update oauth_payloads set payload = payload || '{"inFlight": true}' where id = $1 and ${WAITS}`;
const RELEASE = `update oauth_payloads set payload = payload - 'inFlight' where model = 'DeviceCode' and id = $1`;
const GRANT = `update oauth_payloads set payload = payload - 'inFlight' || $2::jsonb, account_id = $3, grant_id = $4
  where model = 'DeviceCode' and id = $1`;
const REFUSE = `update oauth_payloads set payload = payload || $2::jsonb where id = $1 and ${WAITS}`;

/** The letters of a code, which has eight of twenty and a hyphen between. */
const lettersOf = (userCode: string): string => userCode.toUpperCase().replaceAll(/[\s-]/g, '');
const LETTERS = /^[B-Z]{8}$/;

/** A code as devices show it. */
export const shownCode = (userCode: string): string => lettersOf(userCode).replace(/^(.{4})/, '$1-');

/** The codes by which members let devices without a browser sign in (rule oauth-22). The provider makes them. */
@Injectable()
export class DeviceCodes {
  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly applications: Applications,
    private readonly limits: RateLimits,
  ) {}

  /**
   * The device that shows this code. Codes that none shows count as guesses, by member and by network.
   * @param expected the application that the code must be of, if the member was shown one
   * @throws AppError 404 `DEVICE_CODE_NOT_FOUND`, 429 too many guesses
   */
  async find(userCode: string, { memberId, address }: Guesser, expected?: string): Promise<WaitingDevice> {
    const { deviceCodeFailures: ofMember, networkDeviceCodeFailures: ofNetwork } = this.limits;
    const network = networkOf(address);
    // Taken in advance, so that many at once cannot pass.
    await ofMember.take(memberId);
    try {
      await ofNetwork.take(network);
    } catch (error) {
      await ofMember.giveBack(memberId);
      throw error;
    }
    const device = await this.waiting(lettersOf(userCode));
    if (!device || device.clientId !== (expected ?? device.clientId)) throw codeNotFound();
    await Promise.all([ofMember.giveBack(memberId), ofNetwork.giveBack(network)]);
    return device;
  }

  private async waiting(letters: string): Promise<WaitingDevice | undefined> {
    if (!LETTERS.test(letters)) return undefined;
    const { rows } = await this.pool.query<{ id: string; clientId: string; scope: string | null }>(FIND, [letters]);
    const [row] = rows;
    const application = row && (await this.applications.find(row.clientId));
    if (!row || !application?.isActive || !application.deviceFlow) return undefined;
    const asked = (row.scope ?? SCOPE_WHEN_ABSENT).split(' ').filter(isScope);
    const allowed = asked.filter((scope) => application.scopes.includes(scope) && !SPENDING_SCOPES.includes(scope));
    return { id: row.id, clientId: row.clientId, scopes: withOpenid(allowed) };
  }

  /**
   * Lets a device sign in once `grant` has recorded what for. Only one decision on a code takes effect.
   * @throws AppError 404 `DEVICE_CODE_NOT_FOUND` somebody else has just decided
   */
  async approve({ id }: WaitingDevice, grant: () => Promise<DeviceGrant>): Promise<void> {
    if ((await this.pool.query(CLAIM, [id])).rowCount !== 1) throw codeNotFound();
    try {
      const granted = await grant();
      await this.pool.query(GRANT, [id, JSON.stringify(granted), granted.accountId, granted.grantId]);
    } catch (error) {
      await this.pool.query(RELEASE, [id]);
      throw error;
    }
  }

  /** @throws AppError 404 `DEVICE_CODE_NOT_FOUND` somebody else has just decided */
  async refuse({ id }: WaitingDevice, errorDescription: string): Promise<void> {
    const refusal = JSON.stringify({ error: 'access_denied', errorDescription });
    if ((await this.pool.query(REFUSE, [id, refusal])).rowCount !== 1) throw codeNotFound();
  }
}

/** The same answer to codes that never were, have expired or were used. */
const codeNotFound = (): AppError =>
  new AppError(404, 'DEVICE_CODE_NOT_FOUND', 'No device shows this code. Check it, or start again on the device.');
