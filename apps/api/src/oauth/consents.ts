import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { newToken } from '../identity/tokens.js';
import { InjectPool } from '../platform/database/database.module.js';
import { toMinor } from '../wallet/nova-amount.js';
import { DAILY_LIMIT_DEFAULT } from './limits.js';
import { isScope, type Scope } from './scopes.js';

/** What a member lets an application do. */
export interface Consent {
  readonly scopes: readonly Scope[];
  /** Minor units of Nova a UTC day. */
  readonly dailyLimit: bigint;
  /** The member took it back: only the limit counts, as a suggestion for the next time. */
  readonly isRevoked: boolean;
}

export interface AskedGrant {
  readonly memberId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** The browser's own, if it has one. */
  readonly ownId: string | undefined;
}

export interface GivenConsent {
  readonly memberId: string;
  readonly clientId: string;
  readonly granted: readonly Scope[];
  readonly refused: readonly Scope[];
  /** Undefined: as chosen before. */
  readonly dailyLimit: bigint | undefined;
}

/** What was not asked this time stays as it was decided before; what was asked is as decided now. */
const GIVE = `
  insert into oauth_consents as c (user_id, client_id, scopes, daily_limit) values ($1, $2, $3, coalesce($5::bigint, $6::bigint))
  on conflict (user_id, client_id) do update set
    scopes = case when c.revoked_at is not null then excluded.scopes
      else (select array_agg(distinct scope) from unnest(c.scopes || excluded.scopes) scope where scope <> all($4)) end,
    daily_limit = coalesce($5::bigint, c.daily_limit),
    first_consent_at = case when c.revoked_at is null then c.first_consent_at else now() end,
    last_consent_at = now(), revoked_at = null`;

/** Of what the member refuses now they granted something before: what the application still holds goes beyond it. */
const TAKES_BACK = `
  select from oauth_consents where user_id = $1 and client_id = $2 and revoked_at is null and scopes && $3`;

/** One that covers what is asked, and the browser's own of those, else the one that ends last. */
const LIVING_GRANT = `
  select g.id from oauth_payloads g
  join oauth_consents c on c.user_id = g.account_id and c.client_id = g.client_id and c.revoked_at is null
  where g.model = 'Grant' and g.account_id = $1 and g.client_id = $2 and g.expires_at > now()
  order by string_to_array(g.payload#>>'{openid,scope}', ' ') @> $3 desc nulls last, g.id = $4 desc nulls last,
    g.expires_at desc limit 1`;

const COPY_GRANT = `
  insert into oauth_payloads (model, id, payload, account_id, client_id, expires_at)
  select model, $2, payload, account_id, client_id, expires_at from oauth_payloads where model = 'Grant' and id = $1`;

const END_OF_MEMBER = 'delete from oauth_payloads where account_id = $1 and client_id = $2';

/** Members' consents, and the grants and tokens that hang on them. */
@Injectable()
export class Consents {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** Revoked ones included. */
  async find(memberId: string, clientId: string): Promise<Consent | undefined> {
    const { rows } = await this.pool.query<{ scopes: string[]; daily_limit: string; revoked_at: Date | null }>(
      'select scopes, daily_limit, revoked_at from oauth_consents where user_id = $1 and client_id = $2',
      [memberId, clientId],
    );
    const row = rows[0];
    if (!row) return undefined;
    const { scopes, daily_limit, revoked_at } = row;
    return { scopes: scopes.filter(isScope), dailyLimit: BigInt(daily_limit), isRevoked: revoked_at !== null };
  }

  /** Records a decision. What the application holds ends when the decision takes something of it back. */
  async give({ memberId, clientId, granted, refused, dailyLimit }: GivenConsent): Promise<void> {
    const { rowCount } = await this.pool.query(TAKES_BACK, [memberId, clientId, refused]);
    if (rowCount) await this.pool.query(END_OF_MEMBER, [memberId, clientId]);
    const values = [memberId, clientId, granted, refused, dailyLimit, toMinor(DAILY_LIMIT_DEFAULT)];
    await this.pool.query(GIVE, values);
  }

  /** False when there is no consent to take back. The application's tokens for this member end at once. */
  async revoke(memberId: string, clientId: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'update oauth_consents set revoked_at = now() where user_id = $1 and client_id = $2 and revoked_at is null',
      [memberId, clientId],
    );
    await this.pool.query(END_OF_MEMBER, [memberId, clientId]);
    return rowCount === 1;
  }

  /** False when there is no consent whose limit could change. */
  async setDailyLimit(memberId: string, clientId: string, dailyLimit: bigint): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'update oauth_consents set daily_limit = $3 where user_id = $1 and client_id = $2 and revoked_at is null',
      [memberId, clientId, dailyLimit],
    );
    return rowCount === 1;
  }

  /** The id of the living grant that answers a request for these scopes best. */
  async livingGrant({ memberId, clientId, scopes, ownId }: AskedGrant): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ id: string }>(LIVING_GRANT, [memberId, clientId, scopes, ownId]);
    return rows[0]?.id;
  }

  /**
   * The id of a grant that is this browser's alone, copied unless it is already: what ends a sign-in, a token that came twice
   * or was revoked, ends neither the member's others nor what they granted.
   */
  async ownGrant(grantId: string, ownId: string | undefined): Promise<string> {
    if (grantId === ownId) return grantId;
    const copy = newToken();
    await this.pool.query(COPY_GRANT, [grantId, copy]);
    return copy;
  }
}
