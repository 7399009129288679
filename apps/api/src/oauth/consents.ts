import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { holdSession } from '../identity/account-changes.js';
import { type EndedWithSecret, type SecretChange, SecretChanges } from '../identity/secret-changes.js';
import { newToken } from '../identity/random-token.js';
import type { SignedInMember } from '../platform/auth/member.js';
import { AccountErasure } from '../platform/account-erasure.js';
import { InjectPool } from '../platform/database/database.module.js';
import { inTransaction } from '../platform/database/in-transaction.js';
import { unauthenticated } from '../platform/errors/app-error.js';
import { toMinor } from '../wallet/nova-amount.js';
import { DAILY_LIMIT_DEFAULT } from './limits.js';
import { type BoundedRows, boundRows } from './payload-bounds.js';
import { isScope, type Scope, SPENDING_SCOPES } from './scopes.js';

/** A member's consent to an application. */
export interface Consent {
  readonly scopes: readonly Scope[];
  /** Minor units of Nova a UTC day. */
  readonly dailyLimit: bigint;
}

export interface AskedGrant {
  readonly memberId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** The device that asks: a grant of its own is preferred if it covers the request too. */
  readonly deviceId: string;
}

export interface GivenConsent {
  /** The session that decides must last until the decision is stored. */
  readonly member: Pick<SignedInMember, 'id' | 'sessionId'>;
  readonly clientId: string;
  readonly granted: readonly Scope[];
  readonly refused: readonly Scope[];
  /** Undefined keeps the limit chosen before, unless that consent has ended. */
  readonly dailyLimit: bigint | undefined;
}

/** A change of a consent, as it is once the transaction is committed. */
export interface ConsentChange extends Consent {
  readonly kind: 'granted' | 'changed' | 'revoked';
  readonly memberId: string;
  readonly clientId: string;
  /** Scopes that the application had and has no more; without meaning for `revoked`. */
  readonly removed: readonly Scope[];
}

/** What a decision made of a consent. */
export interface DecidedConsent {
  readonly memberId: string;
  readonly clientId: string;
  /** Undefined: there was none. */
  readonly before: Consent | undefined;
  readonly after: Consent;
  readonly removed: readonly Scope[];
}

/** A statement in the transaction that changes the consents; answers the rows of a `select`. */
export type Run = <Row>(sql: string, values: unknown[]) => Promise<Row[]>;
export type ConsentListener = (run: Run, changes: readonly ConsentChange[]) => Promise<void>;

export interface ConsentRow {
  readonly scopes: readonly string[];
  readonly daily_limit: string;
}

export const consentOf = ({ scopes, daily_limit }: ConsentRow): Consent => ({
  scopes: scopes.filter(isScope),
  dailyLimit: BigInt(daily_limit),
});

const LOCKED = `
  select scopes, daily_limit from oauth_consents
  where user_id = $1 and client_id = $2 and revoked_at is null for update`;

/** Scopes that were not asked for this time keep the earlier decision; the others get this decision. */
const GIVE = `
  insert into oauth_consents as c (user_id, client_id, scopes, daily_limit) values ($1, $2, $3, coalesce($5::bigint, $6::bigint))
  on conflict (user_id, client_id) do update set
    scopes = case when c.revoked_at is not null then excluded.scopes
      else (select array_agg(distinct scope) from unnest(c.scopes || excluded.scopes) scope where scope <> all($4)) end,
    daily_limit = coalesce($5::bigint, case when c.revoked_at is null then c.daily_limit else $6::bigint end),
    first_consent_at = case when c.revoked_at is null then c.first_consent_at else now() end,
    last_consent_at = now(), revoked_at = null
  returning scopes, daily_limit`;

/** A grant that covers the requested scopes: the device's own if there is one, else the one that ends last. */
const LIVING_GRANT = `
  select g.id from oauth_payloads g
  join oauth_consents c on c.user_id = g.account_id and c.client_id = g.client_id and c.revoked_at is null
  where g.model = 'Grant' and g.account_id = $1 and g.client_id = $2 and g.expires_at > now()
  order by string_to_array(g.payload#>>'{openid,scope}', ' ') @> $3 desc nulls last, g.device_id = $4 desc nulls last,
    g.expires_at desc limit 1`;

const COPY_GRANT = `
  insert into oauth_payloads (model, id, payload, account_id, client_id, expires_at, device_id)
  select model, $2, payload, account_id, client_id, expires_at, $3 from oauth_payloads
  where model = 'Grant' and id = $1 and device_id is distinct from $3
  returning model, account_id as "accountId", client_id as "clientId"`;

/** As a token of theirs would show: the scope is granted, and the application may still ask for it. */
const SPENDERS = `
  select c.user_id from oauth_consents c
  join oauth_applications a on a.client_id = c.client_id and $3::text[] <@ a.scopes
  join member_directory m on m.id = c.user_id and m.closed_at is null
  where c.client_id = $1 and c.user_id = any($2::uuid[]) and c.revoked_at is null and $3::text[] <@ c.scopes`;

const END_OF_MEMBER = 'delete from oauth_payloads where account_id = $1 and client_id = $2';

/** Locked in one order by everybody who takes several. */
const LOCK_MANY = `
  select from oauth_consents where user_id = $1 and revoked_at is null order by client_id for update`;

/** Revokes all consents of a member, or those with one of these scopes; returns the names of the applications that are left. */
const REVOKE_MANY = `
  with revoked as (
    update oauth_consents set revoked_at = now()
    where user_id = $1 and revoked_at is null and ($2::text[] is null or scopes && $2) returning client_id),
  ended as (
    delete from oauth_payloads where account_id = $1 and client_id in (select client_id from revoked))
  select r.client_id, a.name
  from revoked r left join oauth_applications a on a.client_id = r.client_id and a.deleted_at is null order by a.name`;

/**
 * Deletes what else the provider knows of a member: sign-ins, authorizations in progress, and everything without a
 * consent.
 */
const END_ALL = 'delete from oauth_payloads where account_id = $1';

/** Members' consents, and the grants and tokens that depend on them. */
@Injectable()
export class Consents {
  private readonly listeners: ConsentListener[] = [];

  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    secretChanges: SecretChanges,
    erasure: AccountErasure,
  ) {
    secretChanges.onChange((manager, change) =>
      this.endWithSecret((sql, values) => manager.query(sql, values), change),
    );
    erasure.register((memberId) => this.erase(memberId));
  }

  /** Areas that tell of consents register here. A listener runs in the transaction that changes them. */
  onChange(listener: ConsentListener): void {
    this.listeners.push(listener);
  }

  /** Undefined if there is none, or it was revoked. */
  async find(memberId: string, clientId: string): Promise<Consent | undefined> {
    const { rows } = await this.pool.query<{ scopes: string[]; daily_limit: string }>(
      'select scopes, daily_limit from oauth_consents where user_id = $1 and client_id = $2 and revoked_at is null',
      [memberId, clientId],
    );
    return rows[0] && consentOf(rows[0]);
  }

  /** Those of these members who let the application move their Nova now. */
  async spendersOf(clientId: string, memberIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.pool.query<{ user_id: string }>(SPENDERS, [clientId, memberIds, SPENDING_SCOPES]);
    return new Set(rows.map(({ user_id }) => user_id));
  }

  /**
   * Records a decision. If it takes back a scope, the application's grants and tokens end.
   * @throws AppError 401 the deciding session ended in the meantime
   */
  give({ member, clientId, granted, refused, dailyLimit }: GivenConsent): Promise<void> {
    return inTransaction(this.pool, async (client) => {
      if (!(await holdSession(client, member))) throw unauthenticated();
      const locked = await client.query<ConsentRow>(LOCKED, [member.id, clientId]);
      const before = locked.rows[0] && consentOf(locked.rows[0]);
      const removed = before?.scopes.filter((scope) => refused.includes(scope)) ?? [];
      if (removed.length > 0) await client.query(END_OF_MEMBER, [member.id, clientId]);
      const limits = [dailyLimit, toMinor(DAILY_LIMIT_DEFAULT)];
      const given = await client.query<ConsentRow>(GIVE, [member.id, clientId, granted, refused, ...limits]);
      if (!given.rows[0]) return;
      const after = consentOf(given.rows[0]);
      await this.decided(runOn(client), { memberId: member.id, clientId, before, after, removed });
    });
  }

  /** Listeners hear of a decision that changed something. */
  async decided(run: Run, { before, after, ...decision }: DecidedConsent): Promise<void> {
    if (before && isSame(before, after)) return;
    await this.tell(run, [{ ...decision, ...after, kind: before ? 'changed' : 'granted' }]);
  }

  /** Returns false if there is no consent to revoke. The application's tokens for this member end at once. */
  revoke(memberId: string, clientId: string): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query(
        'update oauth_consents set revoked_at = now() where user_id = $1 and client_id = $2 and revoked_at is null',
        [memberId, clientId],
      );
      await client.query(END_OF_MEMBER, [memberId, clientId]);
      if (rowCount === 1) await this.tell(runOn(client), [revoked(memberId, clientId)]);
      return rowCount === 1;
    });
  }

  /** Returns false if there is no consent whose limit could change. */
  setDailyLimit(memberId: string, clientId: string, dailyLimit: bigint): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<ConsentRow>(LOCKED, [memberId, clientId]);
      if (!rows[0]) return false;
      const { scopes, dailyLimit: before } = consentOf(rows[0]);
      await client.query('update oauth_consents set daily_limit = $3 where user_id = $1 and client_id = $2', [
        memberId,
        clientId,
        dailyLimit,
      ]);
      if (dailyLimit !== before) {
        const change = { kind: 'changed', memberId, clientId, scopes, dailyLimit, removed: [] } as const;
        await this.tell(runOn(client), [change]);
      }
      return true;
    });
  }

  /** Applications hear that the member's consents ended, and nothing of them stays. It is done in one round. */
  private erase(memberId: string): Promise<number> {
    return inTransaction(this.pool, async (client) => {
      await this.revokeMany(runOn(client), memberId, null);
      await client.query('delete from oauth_consents where user_id = $1', [memberId]);
      return 0;
    });
  }

  /**
   * Grants end with the secret that gave them. A recovery, or an admin's reset, ends everything that was granted before.
   * When members change their own password, applications lose the right to spend: somebody else may have granted it with
   * the old password.
   */
  private async endWithSecret(run: Run, { accountId, by, kind }: SecretChange): Promise<EndedWithSecret> {
    const isOwn = by === 'member';
    if (isOwn && kind === 'pin') return { applications: [] };
    const applications = await this.revokeMany(run, accountId, isOwn ? SPENDING_SCOPES : null);
    if (!isOwn) await run(END_ALL, [accountId]);
    return { applications };
  }

  /** @returns the names of the applications that are left */
  private async revokeMany(run: Run, memberId: string, scopes: readonly Scope[] | null): Promise<string[]> {
    await run(LOCK_MANY, [memberId]);
    const ended = await run<{ client_id: string; name: string | null }>(REVOKE_MANY, [memberId, scopes]);
    await this.tell(
      run,
      ended.map(({ client_id }) => revoked(memberId, client_id)),
    );
    return ended.flatMap(({ name }) => name ?? []);
  }

  private async tell(run: Run, changes: readonly ConsentChange[]): Promise<void> {
    if (changes.length > 0) for (const listener of this.listeners) await listener(run, changes);
  }

  /** The id of the valid grant that fits a request for these scopes best. */
  async livingGrant({ memberId, clientId, scopes, deviceId }: AskedGrant): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ id: string }>(LIVING_GRANT, [memberId, clientId, scopes, deviceId]);
    return rows[0]?.id;
  }

  /**
   * The id of a grant that belongs to this device alone, copied if it does not yet. So a token that is used twice or
   * revoked ends this sign-in, but neither the member's other sign-ins nor their consent.
   */
  async ownGrant(grantId: string, deviceId: string): Promise<string> {
    const copy = newToken();
    const { rows } = await this.pool.query<BoundedRows>(COPY_GRANT, [grantId, copy, deviceId]);
    if (!rows[0]) return grantId;
    await boundRows(this.pool, rows[0], copy);
    return copy;
  }
}

export const runOn =
  (client: pg.PoolClient): Run =>
  async (sql, values) =>
    (await client.query(sql, values)).rows;

const revoked = (memberId: string, clientId: string): ConsentChange => ({
  kind: 'revoked',
  memberId,
  clientId,
  scopes: [],
  dailyLimit: 0n,
  removed: [],
});

const isSame = (one: Consent, other: Consent): boolean =>
  one.dailyLimit === other.dailyLimit &&
  one.scopes.length === other.scopes.length &&
  one.scopes.every((scope) => other.scopes.includes(scope));
