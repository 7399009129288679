import type { BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { writeTables } from '../tables/statements.js';
import { Table, tablesOf, text, timestamp } from '../tables/table.js';
import { RelationTable } from './relation-table.js';

const followsTable = new Table('follows', {
  columns: { followerId: text, followedId: text, since: timestamp },
  key: ['followerId', 'followedId'],
  indexes: { follows_followed: '(followed_id, follower_id)' },
});

const blocksTable = new Table('blocks', {
  columns: { blockerId: text, blockedId: text, since: timestamp },
  key: ['blockerId', 'blockedId'],
  indexes: { blocks_blocked: '(blocked_id, blocker_id)' },
});

/** Who follows and who blocks whom, as it is now. */
export const follows: ReadModel = {
  name: 'follows',
  version: 2,
  streamPrefixes: ['user-'],
  ...tablesOf(followsTable, blocksTable),
  createApplier: () => new FollowsApplier(),
};

class FollowsApplier implements ReadModelApplier {
  private readonly follows = new RelationTable(followsTable);
  private readonly blocks = new RelationTable(blocksTable);

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
