import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type pg from 'pg';
import {
  DEVICE_CODES_MAX,
  DEVICE_POLL_SECONDS,
  DEVICE_POLL_TOLERANCE_SECONDS,
  OWN_TOKENS_MAX,
  VISITOR_INTERACTIONS_MAX,
} from '../limits.js';
import { CLIENT_SECRETS } from '../new-secret.js';
import { boundRows } from '../payload-bounds.js';
import { tokenId } from './token-id.js';

/** Ids of grants are no secrets: they only name what belongs together. */
const OPEN_IDS = new Set(['Grant']);

const UPSERT = `
  insert into oauth_payloads (model, id, payload, grant_id, account_id, client_id, uid, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 second')
  on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id,
    account_id = excluded.account_id, client_id = excluded.client_id, uid = excluded.uid, expires_at = excluded.expires_at`;

/**
 * What an application holds for a member covers only what both allow now, and ends with the consent. What it holds for itself
 * ends with the secret that proved it.
 */
const FIND = `
  select p.payload, floor(extract(epoch from p.consumed_at))::int as consumed,
    case when p.client_id is not null and p.account_id is not null then array(select unnest(a.scopes) intersect select unnest(c.scopes)) end as allowed
  from oauth_payloads p
  left join oauth_applications a on a.client_id = regexp_replace(p.client_id, '^test_', '')
  left join oauth_living_consents c on c.client_id = p.client_id and c.user_id = p.account_id
  where p.model = $1 and p.id = $2 and p.expires_at > now() 
    and (p.client_id is null or p.account_id is null or c.user_id is not null)
    and (p.model <> 'ClientCredentials' or exists (
      select from ${CLIENT_SECRETS} s where s.application_id = a.client_id
        and s.is_test = (p.client_id <> a.client_id) and s.id = p.payload #>> '{extra,secret_id}'))`;

/** Uses the index of just these rows. */
const DROP_OLDEST = `
  delete from oauth_payloads where model = 'Interaction' and not payload ? 'session' and expires_at <= (
    select expires_at from oauth_payloads where model = 'Interaction' and not payload ? 'session'
    order by expires_at desc offset $1 limit 1)`;

/** Of an application, whoever it acts for. */
const dropOldestOf = (model: string): string => `
  delete from oauth_payloads where model = '${model}' and client_id = $1 and expires_at <= (
    select expires_at from oauth_payloads where model = '${model}' and client_id = $1
    order by expires_at desc offset $2 limit 1)`;

/**
 * Counts a look of a device that still waits. One that comes too soon lengthens the pause for this and all later looks
 * (RFC 8628 §3.5).
 */
const POLL = `
  with waiting as (
    select id, coalesce((payload ->> 'pause')::int, $2) as pause,
      extract(epoch from now()) - coalesce((payload ->> 'polledAt')::float8, 0) as since
    from oauth_payloads
    where model = 'DeviceCode' and id = $1 and expires_at > now() and not payload ?| array['accountId', 'error']
    for update),
  counted as (select id, since < pause - $3 as early, pause from waiting)
  update oauth_payloads p set payload = payload || jsonb_build_object(
    'polledAt', extract(epoch from now()), 'pause', counted.pause + case when early then $2 else 0 end)
  from counted where p.model = 'DeviceCode' and p.id = counted.id
  returning early`;

/** Whether an interaction began while nobody was signed in. */
export const isVisitors = ({ session }: { readonly session?: unknown }): boolean => session === undefined;

/** The member of a row: interactions name it in the session that they began in. */
const memberOf = ({ accountId, session }: StoredPayload): string | undefined => accountId ?? session?.accountId;

/** Ends the grant too, so that tokens being issued for the other use have no grant. */
const END_SIGN_IN = `
  with used as (select grant_id from oauth_payloads where model = $1 and id = $2)
  delete from oauth_payloads where grant_id in (select grant_id from used)
    or model = 'Grant' and id in (select grant_id from used)`;

/** Codes and tokens have a scope, grants one of OpenID Connect. */
type StoredPayload = AdapterPayload & {
  readonly openid?: { readonly scope?: string };
  readonly userCode?: string;
  readonly session?: { readonly accountId?: string };
};

interface PayloadRow {
  readonly payload: StoredPayload;
  readonly consumed: number | null;
  /**
   * The scopes that the application may ask for and the member consents to, now; null for payloads without an
   * application.
   */
  readonly allowed: readonly string[] | null;
}

/** oidc-provider's storage for one model (codes, tokens, grants, sessions, interactions), in Postgres. */
export class PayloadStore implements Adapter {
  constructor(
    private readonly pool: pg.Pool,
    private readonly model: string,
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresInSeconds: number): Promise<void> {
    const { grantId, clientId, uid, userCode } = payload;
    const accountId = memberOf(payload);
    const stored = JSON.stringify({ ...payload, jti: undefined });
    const names = [grantId, accountId, clientId, uid ?? userCode].map((name) => name ?? null);
    const storedId = this.storedId(id);
    // A device whose code has expired is told so for as long again.
    const seconds = this.model === 'DeviceCode' ? 2 * expiresInSeconds : expiresInSeconds;
    await this.pool.query(UPSERT, [this.model, storedId, stored, ...names, seconds]);
    const { model } = this;
    if (accountId !== undefined) await boundRows(this.pool, { model, accountId, clientId: clientId ?? null }, storedId);
    if (this.model === 'Interaction' && isVisitors(payload))
      await this.pool.query(DROP_OLDEST, [VISITOR_INTERACTIONS_MAX]);
    if (this.model === 'DeviceCode') await this.pool.query(dropOldestOf('DeviceCode'), [clientId, DEVICE_CODES_MAX]);
    if (this.model === 'ClientCredentials')
      await this.pool.query(dropOldestOf('ClientCredentials'), [clientId, OWN_TOKENS_MAX]);
  }

  /** @throws SlowDown a device looks for its member's answer too soon */
  async find(id: string): Promise<AdapterPayload | undefined> {
    if (this.model === 'DeviceCode') await this.countPoll(id);
    const values = [this.model, this.storedId(id)];
    const { rows } = await this.pool.query<PayloadRow>({ name: 'find-oauth-payload', text: FIND, values });
    const row = rows[0];
    if (!row) return undefined;
    const { payload, consumed, allowed } = row;
    return { ...(allowed ? narrowed(payload, allowed) : payload), jti: id, ...(consumed === null ? {} : { consumed }) };
  }

  /** Only sessions are found by it, and only to learn their member: their secret id stays unknown. */
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const { rows } = await this.pool.query<Pick<PayloadRow, 'payload'>>(
      'select payload from oauth_payloads where model = $1 and uid = $2 and expires_at > now()',
      [this.model, uid],
    );
    return rows[0]?.payload;
  }

  private async countPoll(id: string): Promise<void> {
    const values = [this.storedId(id), DEVICE_POLL_SECONDS, DEVICE_POLL_TOLERANCE_SECONDS];
    const { rows } = await this.pool.query<{ early: boolean }>(POLL, values);
    if (rows[0]?.early) throw new errors.SlowDown();
  }

  /** Members enter them at a page of ours, which `DeviceCodes` serves. */
  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /**
   * Consumes a code or token once. Of two uses at the same moment one fails, and what was issued for the other ends, as
   * after any second use.
   * @throws InvalidGrant it was just consumed
   */
  async consume(id: string): Promise<void> {
    const { rows } = await this.pool.query(
      'update oauth_payloads set consumed_at = now() where model = $1 and id = $2 and consumed_at is null returning id',
      [this.model, this.storedId(id)],
    );
    if (rows.length > 0) return;
    await this.pool.query(END_SIGN_IN, [this.model, this.storedId(id)]);
    throw new errors.InvalidGrant('it was used before');
  }

  async destroy(id: string): Promise<void> {
    await this.pool.query('delete from oauth_payloads where model = $1 and id = $2', [this.model, this.storedId(id)]);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.pool.query('delete from oauth_payloads where model = $1 and grant_id = $2', [this.model, grantId]);
  }

  private storedId(id: string): string {
    return OPEN_IDS.has(this.model) ? id : tokenId(id);
  }
}

/** The payload without the scopes that the developer or the member has removed since. */
function narrowed(payload: StoredPayload, allowed: readonly string[]): StoredPayload {
  const within = (granted: string): string => {
    const names = granted.split(' ');
    return names.filter((name) => allowed.includes(name)).join(' ');
  };
  const { scope, openid } = payload;
  return {
    ...payload,
    ...(scope === undefined ? {} : { scope: within(scope) }),
    ...(openid?.scope === undefined ? {} : { openid: { ...openid, scope: within(openid.scope) } }),
  };
}
