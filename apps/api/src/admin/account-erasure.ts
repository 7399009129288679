import { Injectable } from '@nestjs/common';
import { memberStream } from '@app/domain';
import type { Pool } from 'pg';
import { ContentRecords } from '../content/content-records.js';
import { MemberStore } from '../members/member-store.js';
import { InjectPool } from '../platform/database/database.module.js';
import { DecidedStreams } from '../platform/journal/decided-streams.js';
import type { By } from '../platform/journal/stream-metadata.js';
import { Uploads } from '../platform/uploads/uploads.js';

/** Walls count paid comments that have words: of those that go it is kept which they were, should the payment be shown only later. */
const WALL_COMMENTS = `
  with gone as (delete from wall_comments where commenter_id = $1 or owner_id = $1 returning id, owner_id)
  insert into wall_erasures (comment_id, owner_id) select id, owner_id from gone on conflict do nothing`;

/** And of those that a server of the release before has taken, while both run. */
const WALL_COMMENTS_BEFORE = `
  insert into wall_erasures (comment_id, owner_id)
  select w.comment_id::uuid, a.id from read.wall w join accounts a on a.id = w.owner_id::uuid
  where w.commenter_id = $1::uuid::text and not exists (select from wall_comments c where c.id = w.comment_id::uuid)
  on conflict do nothing`;

/** Rows of what a member typed or set, by the member's id. Their bodies are nowhere else: events name ids (rule ledger-34). */
const ROWS = [
  'delete from profiles where account_id = $1',
  'delete from resonance_profiles where account_id = $1',
  'delete from chat_settings where account_id = $1',
  'delete from chat_messages_text where sender_id = $1',
  'delete from chat_reviews where rater_id = $1',
  WALL_COMMENTS,
  WALL_COMMENTS_BEFORE,
  'delete from oauth_payloads where account_id = $1',
  'delete from oauth_payloads where client_id in (select client_id from oauth_applications where owner_id = $1)',
  'delete from oauth_consents where user_id = $1',
  `update oauth_applications set deleted_at = coalesce(deleted_at, now()), is_active = false, secret_hash = null,
    description = null, logo_url = null, application_url = null, redirect_uris = '{}' where owner_id = $1`,
  'delete from movement_notes where user_id = $1',
  'delete from security_notices where account_id = $1',
  'delete from passkeys where account_id = $1',
  'delete from recovery_codes where account_id = $1',
  'delete from mails where account_id = $1',
  'delete from mail_tokens where account_id = $1',
  'delete from sessions where account_id = $1',
  'delete from devices where account_id = $1',
];

/** Of each kind at most, so that nobody waits long for the end of a round. */
const ROUND_MAX = 50;

/** What content shows goes with it, and stays where an admin assigned it to somebody else. */
const OWN_FILES = `
  select id from uploads u where member_id = $1
    and not exists (select from contents c where c.file_id = u.id) limit $2`;

const FOLLOWS = `
  select follower_id, array_agg(followed_id) as followed_ids
  from (select * from read.follows where follower_id = $1 or followed_id = $1 limit $2) found group by follower_id`;

/** Erases what is personal of a closed account: rows, content, files. Every step may be repeated. */
@Injectable()
export class AccountErasure {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly members: MemberStore,
    private readonly streams: DecidedStreams,
    private readonly contents: ContentRecords,
    private readonly uploads: Uploads,
  ) {}

  /**
   * One round; reasons of admins stay, and what others wrote.
   * @returns whether that was all; where not, the next round goes on
   * @throws AppError 503
   */
  async erase(accountId: string, by: By): Promise<boolean> {
    for (const sql of ROWS) await this.pool.query(sql, [accountId]);
    const contents = await this.eraseContent(accountId, by);
    const files = await this.eraseFiles(accountId);
    const follows = await this.endFollows(accountId, by);
    return Math.max(contents, files, follows) < ROUND_MAX;
  }

  /** Nobody is counted who is gone. The next round sees which have ended. */
  private async endFollows(accountId: string, by: By): Promise<number> {
    const { rows } = await this.pool.query<{ follower_id: string; followed_ids: string[] }>(FOLLOWS, [
      accountId,
      ROUND_MAX,
    ]);
    for (const { follower_id, followed_ids } of rows) await this.members.unfollow(follower_id, followed_ids, by);
    const last = rows.at(-1);
    if (last) await this.streams.caughtUp(['follows'], memberStream(last.follower_id));
    return rows.flatMap(({ followed_ids }) => followed_ids).length;
  }

  /** What the feed and the cards show goes with an event; then nothing refers to the row any more. */
  private async eraseContent(accountId: string, by: By): Promise<number> {
    const { rows } = await this.pool.query<{ id: string; file_id: string }>(
      'select id, file_id from contents where owner_id = $1 limit $2',
      [accountId, ROUND_MAX],
    );
    if (rows.length > 0) await this.contents.choose(accountId, () => null, by);
    for (const { id, file_id } of rows) {
      await this.contents.execute(id, { type: 'RemoveContent' }, by);
      await this.uploads.remove(file_id);
      await this.pool.query('delete from contents where id = $1', [id]);
    }
    return rows.length;
  }

  private async eraseFiles(accountId: string): Promise<number> {
    const { rows } = await this.pool.query<{ id: string }>(OWN_FILES, [accountId, ROUND_MAX]);
    for (const { id } of rows) await this.uploads.remove(id);
    return rows.length;
  }
}
