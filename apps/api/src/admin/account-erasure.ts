import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { ContentRecords } from '../content/content-records.js';
import { MemberStore } from '../members/member-store.js';
import { InjectPool } from '../platform/database/database.module.js';
import type { By } from '../platform/journal/decided-streams.js';
import { Uploads } from '../platform/uploads/uploads.js';

/** Rows of what a member typed or set, by the member's id. Their bodies are nowhere else: events name ids (`ledger.md`, Privacy). */
const ROWS = [
  'delete from profiles where account_id = $1',
  'delete from resonance_profiles where account_id = $1',
  'delete from chat_settings where account_id = $1',
  'delete from chat_messages_text where sender_id = $1',
  'delete from chat_reviews where rater_id = $1',
  'delete from wall_comments where commenter_id = $1 or owner_id = $1',
  'delete from oauth_payloads where account_id = $1',
  'delete from oauth_payloads where client_id in (select client_id from oauth_applications where owner_id = $1)',
  'delete from oauth_consents where user_id = $1',
  `update oauth_applications set deleted_at = coalesce(deleted_at, now()), is_active = false, secret_hash = null,
    description = null, logo_url = null, application_url = null, redirect_uris = '{}' where owner_id = $1`,
  'delete from movement_notes where user_id = $1',
  'delete from sessions where account_id = $1',
  'delete from devices where account_id = $1',
];

/** A file that an admin assigned to somebody else is that member's. */
const OWN_FILES = `
  select id from uploads u where member_id = $1
    and not exists (select from contents c where c.file_id = u.id and c.owner_id <> $1)`;

/** Erases what is personal of a closed account: rows, content, files. Every step may be repeated. */
@Injectable()
export class AccountErasure {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly members: MemberStore,
    private readonly contents: ContentRecords,
    private readonly uploads: Uploads,
  ) {}

  /** Reasons of admins stay, and what others wrote. @throws AppError 503 */
  async erase(accountId: string, by: By): Promise<void> {
    for (const sql of ROWS) await this.pool.query(sql, [accountId]);
    await this.endFollows(accountId, by);
    await this.eraseContent(accountId, by);
    await this.eraseFiles(accountId);
  }

  /** Nobody is counted who is gone. */
  private async endFollows(accountId: string, by: By): Promise<void> {
    const { rows } = await this.pool.query<{ follower_id: string; followed_id: string }>(
      'select follower_id, followed_id from read.follows where follower_id = $1 or followed_id = $1',
      [accountId],
    );
    for (const { follower_id, followed_id } of rows) {
      await this.members.execute({ memberId: follower_id, otherId: followed_id }, () => ({ type: 'Unfollow' }), by);
    }
  }

  /** What the feed and the cards show goes with an event; then nothing refers to the row any more. */
  private async eraseContent(accountId: string, by: By): Promise<void> {
    const { rows } = await this.pool.query<{ id: string; file_id: string }>(
      'select id, file_id from contents where owner_id = $1',
      [accountId],
    );
    if (rows.length === 0) return;
    await this.contents.choose(accountId, () => null, by);
    for (const { id, file_id } of rows) {
      await this.contents.execute(id, { type: 'RemoveContent' }, by);
      await this.uploads.remove(file_id);
      await this.pool.query('delete from contents where id = $1', [id]);
    }
  }

  private async eraseFiles(accountId: string): Promise<void> {
    const { rows } = await this.pool.query<{ id: string }>(OWN_FILES, [accountId]);
    for (const { id } of rows) await this.uploads.remove(id);
  }
}
