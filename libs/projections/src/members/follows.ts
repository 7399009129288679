import type { BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { KEY_SEPARATOR } from '../tables/cached-table.js';
import { type Column, columnArrays, columnNames, runInOrder, unnested, writeTables } from '../tables/statements.js';
import { columnsOf, Table, tablesOf, text, timestamp } from '../tables/table.js';

/** Beyond this number, changes are written before the batch ends. */
const ROWS_MAX = 5_000;

/** A table of pairs with the time of their beginning. Rows come and go; it never reads them. */
class RelationTable {
  /** The result of the last event of each pair: null if the relation ended. */
  private changes = new Map<string, string | null>();
  private readonly upsert: { readonly name: string; readonly text: string };
  private readonly remove: { readonly name: string; readonly text: string };
  private readonly key: readonly Column[];
  private readonly columns: readonly Column[];

  constructor({ name: table, key, columns }: Pick<Table, 'name' | 'key' | 'columns'>) {
    this.key = columnsOf(key);
    this.columns = columnsOf(columns);
    const [names, pair] = [columnNames(this.columns), columnNames(this.key)];
    this.upsert = {
      name: `relate ${table}`,
      text: `insert into ${table} (${names}) select ${names} from ${unnested(this.columns)}
        order by ${pair} on conflict (${pair}) do update set since = excluded.since`,
    };
    this.remove = {
      name: `part ${table}`,
      text: `delete from ${table} where (${pair}) in (select ${pair} from ${unnested(this.key)})`,
    };
  }

  relate(one: string, other: string, since: string): void {
    this.changes.set(one + KEY_SEPARATOR + other, since);
  }

  part(one: string, other: string): void {
    this.changes.set(one + KEY_SEPARATOR + other, null);
  }

  get isFull(): boolean {
    return this.changes.size >= ROWS_MAX;
  }

  async write(client: BatchClient): Promise<void> {
    const related: string[][] = [];
    const parted: string[][] = [];
    for (const [pair, since] of this.changes) {
      const ids = pair.split(KEY_SEPARATOR);
      if (since === null) parted.push(ids);
      else related.push([...ids, since]);
    }
    this.changes = new Map();
    await runInOrder(client, [
      async (to) => {
        if (parted.length > 0) await to.query({ ...this.remove, values: columnArrays(this.key, parted) });
      },
      async (to) => {
        if (related.length > 0) await to.query({ ...this.upsert, values: columnArrays(this.columns, related) });
      },
    ]);
  }
}

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

/** Who follows and who blocks whom at present. */
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
