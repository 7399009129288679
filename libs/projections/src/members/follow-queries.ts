import { READ_SCHEMA } from '../schema.js';
import { InvalidCursor } from '../invalid-cursor.js';
import type { Queryable } from '../tables/queryable.js';

/** The relation of one member to another. */
export interface StoredRelation {
  readonly following: boolean;
  readonly followsMe: boolean;
  /** Whether the first member has blocked the other. */
  readonly blocked: boolean;
}

/** A member whom another has blocked. */
export interface StoredBlock {
  readonly otherId: string;
  readonly since: Date;
}

export interface BlockPage {
  readonly blocked: readonly StoredBlock[];
  readonly nextCursor: string | null;
}

const CURSOR = /^(\d{1,15})_([A-Za-z0-9_-]{1,48})$/;

/** Reads the read model `follows`. */
export class FollowQueries {
  constructor(private readonly db: Queryable) {}

  async relation(memberId: string, otherId: string): Promise<StoredRelation> {
    const found = await this.db.query<StoredRelation>(
      `select
         exists (select from ${READ_SCHEMA}.follows where follower_id = $1 and followed_id = $2) as following,
         exists (select from ${READ_SCHEMA}.follows where follower_id = $2 and followed_id = $1) as "followsMe",
         exists (select from ${READ_SCHEMA}.blocks where blocker_id = $1 and blocked_id = $2) as blocked`,
      [memberId, otherId],
    );
    return found.rows[0] ?? { following: false, followsMe: false, blocked: false };
  }

  /** A page of the members whom a member has blocked, the last blocked first. @throws InvalidCursor */
  async blocked(
    memberId: string,
    { limit, cursor }: { limit: number; cursor?: string | undefined },
  ): Promise<BlockPage> {
    const [, ms, lastId = ''] = cursor === undefined ? [] : (CURSOR.exec(cursor) ?? []);
    if (cursor !== undefined && ms === undefined) throw new InvalidCursor();
    const found = await this.db.query<StoredBlock>(
      `select blocked_id as "otherId", since from ${READ_SCHEMA}.blocks
       where blocker_id = $1 and (since, blocked_id) < ($2, $3)
       order by since desc, blocked_id desc limit $4`,
      [memberId, ms === undefined ? 'infinity' : new Date(Number(ms)), lastId, limit + 1],
    );
    const blocked = found.rows.slice(0, limit);
    const last = blocked.at(-1);
    const hasMore = found.rows.length > limit && last !== undefined;
    return { blocked, nextCursor: hasMore ? `${last.since.getTime()}_${last.otherId}` : null };
  }

  /** Members whom a member has blocked, or who have blocked the member. */
  async blockedWith(userId: string): Promise<Set<string>> {
    const found = await this.db.query<{ id: string }>({
      name: 'blocked-with',
      text: `select blocked_id as id from ${READ_SCHEMA}.blocks where blocker_id = $1
        union all select blocker_id from ${READ_SCHEMA}.blocks where blocked_id = $1`,
      values: [userId],
    });
    return new Set(found.rows.map(({ id }) => id));
  }

  /** Members whom a member follows and who follow back, the last to become so first. */
  async mutual(userId: string, limit: number): Promise<string[]> {
    const found = await this.db.query<{ id: string }>(
      `select mine.followed_id as id from ${READ_SCHEMA}.follows mine
       join ${READ_SCHEMA}.follows theirs on theirs.follower_id = mine.followed_id and theirs.followed_id = mine.follower_id
       where mine.follower_id = $1
       order by greatest(mine.since, theirs.since) desc, mine.followed_id limit $2`,
      [userId, limit],
    );
    return found.rows.map(({ id }) => id);
  }

  async counts(userId: string): Promise<{ readonly following: number; readonly followers: number }> {
    const found = await this.db.query<{ following: number; followers: number }>({
      name: 'counts of follows',
      text: `select (select count(*)::int from ${READ_SCHEMA}.follows where follower_id = $1) as following,
         (select count(*)::int from ${READ_SCHEMA}.follows where followed_id = $1) as followers`,
      values: [userId],
    });
    return found.rows[0] ?? { following: 0, followers: 0 };
  }
}
