import type pg from 'pg';
import { PAYLOADS_MAX, TTL } from './limits.js';

/** The rows of a member and a model; of models that belong to an application, those of one application. */
export interface BoundedRows {
  readonly model: string;
  readonly accountId: string;
  readonly clientId: string | null;
}

const CROWDED = `
  select model, account_id as "accountId", client_id as "clientId" from oauth_payloads where account_id is not null
  group by account_id, client_id, model having count(*) > ($1::jsonb ->> model)::int`;

const ofMember = (clientId: string | null): string =>
  `model = $1 and account_id = $2 and ${clientId === null ? '$3::text is null and client_id is null' : 'client_id = $3'}`;

/** The rows beyond the limit, by when they end. */
const isBeyond = (where: string): string => `${where} and expires_at <= (
  select expires_at from oauth_payloads where ${where} order by expires_at desc offset $4 limit 1)`;

const dropOldest = (where: string): string => `delete from oauth_payloads where ${isBeyond(where)}`;

const endSignIns = (ids: string): string => `
  with ended as (${ids})
  delete from oauth_payloads where account_id = $2 and client_id = $3
    and (grant_id in (select id from ended) or model = 'Grant' and id in (select id from ended))`;

/** Used refresh tokens are kept to notice a second use. None is removed alone: its whole sign-in ends. */
const END_LONGEST_RENEWED = endSignIns(`select grant_id as id from oauth_payloads where ${isBeyond(ofMember(''))}`);

/**
 * Ends the grants used longest ago. A grant counts as used when it is given, and whenever something is issued on it.
 */
const END_LEAST_USED = endSignIns(`
  select g.id from oauth_payloads g
  where g.model = $1 and g.account_id = $2 and g.client_id = $3
  order by g.id = $5 desc nulls last, greatest(
    to_timestamp((g.payload ->> 'iat')::float8) + $6 * interval '1 second',
    (select max(t.expires_at) from oauth_payloads t where t.grant_id = g.id)) desc nulls last, g.expires_at desc
  offset $4`);

/**
 * Keeps a member's rows of a model within `PAYLOADS_MAX`. Whatever a member or their browser repeats, only the oldest
 * of the member's own rows are removed. @param madeNow a grant that stays: nothing was issued on it yet
 */
export async function boundRows(pool: pg.Pool, rows: BoundedRows, madeNow?: string): Promise<void> {
  const { model, accountId, clientId } = rows;
  const max = (PAYLOADS_MAX as Readonly<Record<string, number>>)[model];
  if (max === undefined) return;
  const values = [model, accountId, clientId, max];
  if (model === 'Grant') await pool.query(END_LEAST_USED, [...values, madeNow, TTL.RefreshToken]);
  else if (model === 'RefreshToken') await pool.query(END_LONGEST_RENEWED, values);
  else await pool.query(dropOldest(ofMember(clientId)), values);
}

/** Bounds the rows of every member, which may be older than the bounds. */
export async function boundAllRows(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<BoundedRows>(CROWDED, [JSON.stringify(PAYLOADS_MAX)]);
  for (const each of rows) await boundRows(pool, each);
}
