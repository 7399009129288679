import { Injectable } from '@nestjs/common';
import { InvalidCursor } from '@app/projections';
import type { Pool } from 'pg';
import { DELETED_MEMBER, MemberDirectory } from '../../identity/member-directory.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { toNova } from '../../wallet/nova-amount.js';
import type { WallCommentDto, WallDto } from '../wall.dto.js';
import type { AreaTables } from '../../platform/database/tables.js';
import { wallTakeout } from '../takeout.js';

interface WallRow {
  readonly id: string;
  readonly comment: string;
  readonly commenter_id: string;
  readonly amount: string;
  readonly revision: string;
  readonly at: Date;
}

const CURSOR = /^\d{1,15}$/;

/** Comments with their words; a comment whose payment is not there is not shown. */
const COMMENTS = `
  select w.comment_id as id, c.comment, w.commenter_id, w.amount, w.revision, w.at
  from read.wall w join wall_comments c on c.id = w.comment_id::uuid`;

/** Of a row of `read.cards`: the comments on that member's wall whose words are still there. */
export const WALL_COUNT = `(k.wall_count - (
  select count(*)::int from wall_erasures e join read.wall w on w.comment_id = e.comment_id::text
  where e.owner_id = k.user_id::uuid and w.owner_id = k.user_id))`;

/** Comments on members' walls. */
@Injectable()
export class Wall {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly directory: MemberDirectory,
  ) {}

  /** Newest first. @throws InvalidCursor */
  async page(
    ownerId: string,
    { limit, cursor }: { readonly limit: number; readonly cursor?: string },
  ): Promise<WallDto> {
    if (cursor !== undefined && !CURSOR.test(cursor)) throw new InvalidCursor();
    const [{ rows }, count] = await Promise.all([
      this.pool.query<WallRow>(
        `${COMMENTS} where w.owner_id = $1 and ($2::bigint is null or w.revision < $2) order by w.revision desc limit $3`,
        [ownerId, cursor ?? null, limit + 1],
      ),
      this.pool.query<{ total: number }>(`select ${WALL_COUNT} as total from read.cards k where k.user_id = $1`, [
        ownerId,
      ]),
    ]);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      comments: await this.toComments(page),
      nextCursor: rows.length > limit && last ? last.revision : null,
      total: count.rows[0]?.total ?? 0,
    };
  }

  async one(ownerId: string, commentId: string): Promise<WallCommentDto | undefined> {
    const { rows } = await this.pool.query<WallRow>(`${COMMENTS} where w.owner_id = $1 and w.comment_id = $2`, [
      ownerId,
      commentId,
    ]);
    return (await this.toComments(rows))[0];
  }

  private async toComments(rows: readonly WallRow[]): Promise<WallCommentDto[]> {
    const members = await this.directory.find(rows.map(({ commenter_id }) => commenter_id));
    return rows.map(({ id, comment, commenter_id, amount, at }) => {
      const { displayName = DELETED_MEMBER, profileImageUrl = null } = members.get(commenter_id) ?? {};
      return {
        id,
        comment,
        commenterName: displayName,
        commenter: { id: commenter_id, displayName, profileImageUrl },
        novaPaid: toNova(BigInt(amount)),
        createdAt: at.toISOString(),
      };
    });
  }
}

/** Walls count paid comments that have words: of those that go it is kept which they were, should the payment be shown only later. */
const ERASE_COMMENTS = `
  with gone as (delete from wall_comments where commenter_id = $1 or owner_id = $1 returning id, owner_id)
  insert into wall_erasures (comment_id, owner_id) select id, owner_id from gone on conflict do nothing`;

/** And of those that a server of the release before has taken, while both run. */
const ERASE_COMMENTS_BEFORE = `
  insert into wall_erasures (comment_id, owner_id)
  select w.comment_id::uuid, a.id from read.wall w join member_directory a on a.id = w.owner_id::uuid
  where w.commenter_id = $1::uuid::text and not exists (select from wall_comments c where c.id = w.comment_id::uuid)
  on conflict do nothing`;

export const wallTables: AreaTables = {
  folder: 'discovery',
  tables: {
    wall_comments: { erase: [ERASE_COMMENTS, ERASE_COMMENTS_BEFORE] },
    wall_erasures: { kept: 'Ids of comments whose words are gone, for the count of others.' },
  },
  takeout: wallTakeout,
};
