import type { BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { writeTables } from '../tables/statements.js';
import { RelationTable } from './relation-table.js';

/** Who follows and who blocks whom, as it is now. */
export const follows: ReadModel = {
  name: 'follows',
  version: 2,
  streamPrefixes: ['user-'],
  tables: ['follows', 'blocks'],
  ddl: `
    create table follows (
      follower_id text collate "C" not null,
      followed_id text collate "C" not null,
      since timestamptz not null,
      primary key (follower_id, followed_id)
    );
    create table blocks (
      blocker_id text collate "C" not null,
      blocked_id text collate "C" not null,
      since timestamptz not null,
      primary key (blocker_id, blocked_id)
    );
  `,
  indexes: `
    create index follows_followed on follows (followed_id, follower_id);
    create index blocks_blocked on blocks (blocked_id, blocker_id);
  `,
  createApplier: () => new FollowsApplier(),
};

class FollowsApplier implements ReadModelApplier {
  private readonly follows = new RelationTable('follows', [
    ['follower_id', 'text'],
    ['followed_id', 'text'],
  ]);
  private readonly blocks = new RelationTable('blocks', [
    ['blocker_id', 'text'],
    ['blocked_id', 'text'],
  ]);

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    for (const { member, time } of events) {
      if (!member) continue;
      const { memberId, otherId } = member;
      if (member.type === 'MemberFollowed') this.follows.relate(memberId, otherId, time);
      if (member.type === 'MemberUnfollowed') this.follows.part(memberId, otherId);
      if (member.type === 'MemberBlocked') this.blocks.relate(memberId, otherId, time);
      if (member.type === 'MemberUnblocked') this.blocks.part(memberId, otherId);
    }
    await writeTables(client, [this.follows, this.blocks], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.follows, this.blocks], 'all');
  }
}
