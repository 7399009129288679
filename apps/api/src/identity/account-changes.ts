import type { Pool, PoolClient } from 'pg';
import { type DataSource, type EntityManager, IsNull } from 'typeorm';
import type { SignedInMember } from '../platform/auth/member.js';
import { unauthenticated } from '../platform/errors/app-error.js';
import { expectName } from '../platform/names.js';
import { searchKey } from '../platform/text.js';
import { recoveryHash } from './account-secrets.js';
import { Account, Session } from './entities.js';
import { DELETED_MEMBER } from './member-directory.js';

// What other areas change in an account, and what they ask that no directory shows. The caller publishes a change
// (`IdentityChanges`).

/** The pool, or the connection of the caller's transaction. */
type Database = Pick<Pool | PoolClient, 'query'>;

/** @throws AppError 400 `INVALID_DISPLAY_NAME` or `RESERVED_NAME`, 401 the account has been closed */
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

/** @param thumbnailUrl null keeps the card's thumbnail. @throws AppError 401 the account has been closed */
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

/** Sets what the member's card shows; null: their picture. @returns false if there is no such account */
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

/** The row stays for the ledger, and nothing in it tells whose it was. */
const CLOSE = `
  update accounts set closed_at = now(), email = '', email_key = 'deleted:' || id, display_name = $2, name_key = '',
    password_hash = '', pin_hash = '', profile_image_url = null, profile_card_thumbnail_url = null,
    profile_card_content_url = null, profile_card_content_type = null
  where id = $1`;

/**
 * Closes the account and ends its sessions.
 * @returns false if there is no such open account, or if it is an admin's
 */
export async function closeAccount(client: PoolClient, accountId: string): Promise<boolean> {
  const { rows } = await client.query<{ email_key: string }>(
    'select email_key from accounts where id = $1 and closed_at is null and not is_admin for update',
    [accountId],
  );
  const [account] = rows;
  if (!account) return false;
  await client.query(CLOSE, [accountId, DELETED_MEMBER]);
  // Sessions are deleted with their devices.
  await client.query('delete from devices where account_id = $1', [accountId]);
  await client.query('delete from recovery_attempts where email_hash = $1', [recoveryHash(account.email_key)]);
  return true;
}

/** @returns undefined if the account has been closed */
export async function findOpenAccount(dataSource: DataSource, id: string): Promise<Account | undefined> {
  return (await dataSource.getRepository(Account).findOneBy({ id, closedAt: IsNull() })) ?? undefined;
}

/**
 * Locks the account for the caller's transaction, as signing in and a change of password do.
 * @throws AppError 401 the session or the account has ended, so an earlier proof may no longer count
 */
export async function lockAccount(manager: EntityManager, { id, sessionId }: SignedInMember): Promise<void> {
  const where = { id, closedAt: IsNull() };
  const account = await manager.findOne(Account, { where, lock: { mode: 'pessimistic_write' } });
  if (!account || !(await manager.existsBy(Session, { id: sessionId, accountId: id }))) throw unauthenticated();
}

/**
 * Whether the session is still valid, until the caller's transaction ends. A change of password or PIN locks the account
 * and ends sessions, so it happens before that transaction or after it.
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

/** Whether an earlier release filled this installation with its demo. */
export async function hasDemoData(db: Database): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>('select exists (select from demo_data) as found');
  return rows[0]?.found ?? false;
}
