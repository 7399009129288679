import type { Pool, PoolClient } from 'pg';
import { type DataSource, type EntityManager, IsNull } from 'typeorm';
import type { SignedInMember } from '../platform/auth/member.js';
import { unauthenticated } from '../platform/errors/app-error.js';
import { expectName } from '../platform/names.js';
import { searchKey } from '../platform/text.js';
import { recoveryHash } from './account-secrets.js';
import { Account, Session } from './entities.js';
import { DELETED_MEMBER } from './member-directory.js';

/** What other areas change in an account, and what they ask that no directory tells. Whoever changes publishes it (`IdentityChanges`). */
type Database = Pick<Pool | PoolClient, 'query'>;

/** @throws AppError 400 `INVALID_DISPLAY_NAME` or `RESERVED_NAME`, 401 the account was closed meanwhile */
export async function renameAccount(db: Database, accountId: string, displayName: string): Promise<void> {
  const { rows } = await db.query<{ was: string }>(
    'select display_name as was from accounts where id = $1 and closed_at is null',
    [accountId],
  );
  expectName(displayName, { field: 'displayName', code: 'INVALID_DISPLAY_NAME', was: rows[0]?.was });
  const { rowCount } = await db.query(
    'update accounts set display_name = $2, name_key = $3 where id = $1 and closed_at is null',
    [accountId, displayName, searchKey(displayName)],
  );
  if (rowCount === 0) throw unauthenticated();
}

export interface ReplacedPictures {
  readonly image: string;
  readonly thumbnail: string | null;
  readonly old_image: string | null;
  readonly old_thumbnail: string | null;
}

const REPLACE_PICTURES = `
  with old as (select id, profile_image_url, profile_card_thumbnail_url from accounts where id = $1 for update)
  update accounts a set profile_image_url = $2, profile_card_thumbnail_url = coalesce($3, old.profile_card_thumbnail_url)
  from old where a.id = old.id and a.closed_at is null
  returning a.profile_image_url as image, a.profile_card_thumbnail_url as thumbnail,
    old.profile_image_url as old_image, old.profile_card_thumbnail_url as old_thumbnail`;

/** @param thumbnailUrl null: the card's stays as it is. @throws AppError 401 the account was closed meanwhile */
export async function replacePictures(
  db: Database,
  accountId: string,
  { imageUrl, thumbnailUrl }: { readonly imageUrl: string; readonly thumbnailUrl: string | null },
): Promise<ReplacedPictures> {
  const { rows } = await db.query<ReplacedPictures>(REPLACE_PICTURES, [accountId, imageUrl, thumbnailUrl]);
  const [row] = rows;
  if (!row) throw unauthenticated();
  return row;
}

/** What the member's card shows. Nulls: their picture. False: there is no such account. */
export async function showOnCard(
  db: Database,
  accountId: string,
  { url, type }: { readonly url: string | null; readonly type: string | null },
): Promise<boolean> {
  const { rowCount } = await db.query(
    'update accounts set profile_card_content_url = $2, profile_card_content_type = $3 where id = $1',
    [accountId, url, type],
  );
  return rowCount === 1;
}

/** The row stays for the ledger's sake; nothing in it tells whose it was. */
const CLOSE = `
  update accounts set closed_at = now(), email = '', email_key = 'deleted:' || id, display_name = $2, name_key = '',
    password_hash = '', pin_hash = '', profile_image_url = null, profile_card_thumbnail_url = null,
    profile_card_content_url = null, profile_card_content_type = null
  where id = $1`;

/**
 * From now on the account is nobody's, and its sessions have ended.
 * @returns false: there is no such open account, or it is an admin's
 */
export async function closeAccount(manager: EntityManager, accountId: string): Promise<boolean> {
  const [account]: { email_key: string }[] = await manager.query(
    'select email_key from accounts where id = $1 and closed_at is null and not is_admin for update',
    [accountId],
  );
  if (!account) return false;
  await manager.query(CLOSE, [accountId, DELETED_MEMBER]);
  // Their sessions go with them.
  await manager.query('delete from devices where account_id = $1', [accountId]);
  await manager.query('delete from recovery_attempts where email_hash = $1', [recoveryHash(account.email_key)]);
  return true;
}

/** Undefined: it was closed meanwhile. */
export async function findOpenAccount(dataSource: DataSource, id: string): Promise<Account | undefined> {
  return (await dataSource.getRepository(Account).findOneBy({ id, closedAt: IsNull() })) ?? undefined;
}

/**
 * Locks the account as signing in and a change of its password do, for the caller's transaction.
 * @throws AppError 401 the session, or the account, ended meanwhile: what it was proved with may count no longer
 */
export async function lockAccount(manager: EntityManager, { id, sessionId }: SignedInMember): Promise<void> {
  const where = { id, closedAt: IsNull() };
  const account = await manager.findOne(Account, { where, lock: { mode: 'pessimistic_write' } });
  if (!account || !(await manager.existsBy(Session, { id: sessionId, accountId: id }))) throw unauthenticated();
}

/**
 * Whether a session lasts. A change of password or PIN locks the account and ends sessions: it comes before the caller's
 * transaction, or after it.
 */
export async function holdSession(
  client: PoolClient,
  { id, sessionId }: Pick<SignedInMember, 'id' | 'sessionId'>,
): Promise<boolean> {
  const account = await client.query('select from accounts where id = $1 and closed_at is null for share', [id]);
  const session = await client.query('select from sessions where id = $1 and account_id = $2 and expires_at > now()', [
    sessionId,
    id,
  ]);
  return account.rowCount === 1 && session.rowCount === 1;
}

/** Whether demo members are here. */
export async function hasDemoData(db: Database): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>('select exists (select from demo_data) as found');
  return rows[0]?.found ?? false;
}
