import { Injectable } from '@nestjs/common';
import {
  decideMember,
  type MemberDecision,
  decodeMemberEvent,
  encodeMemberEvent,
  evolveMember,
  type MemberCommand,
  memberStream,
  newRelationship,
  type Relationship,
} from '@app/domain';
import type { Pool } from 'pg';
import { AccountErasure } from '../platform/account-erasure.js';
import { InjectPool } from '../platform/database/database.module.js';
import { DecidedStreams } from '../platform/journal/decided-streams.js';
import type { By } from '../platform/journal/stream-metadata.js';

/** The first of the two is who does it. */
export type Pair = Pick<Relationship, 'memberId' | 'otherId'>;

/** Decides on the events so far; no command if there is nothing to do. */
export type MemberIntent = (relationship: Relationship) => MemberCommand | undefined;

/** The streams `user-{id}`: what members do towards each other. */
@Injectable()
export class MemberStore {
  constructor(private readonly streams: DecidedStreams) {}

  /**
   * A member's relation to another, including everything that the store had when this was called.
   * @throws AppError 503
   */
  async current(pair: Pair): Promise<Relationship> {
    return (await this.streams.read(rulesOf(pair))).state;
  }

  /** @throws AppError 503 */
  async execute(pair: Pair, intent: MemberIntent, by: By): Promise<MemberDecision> {
    return this.streams.execute(
      rulesOf(pair),
      (state, nowMs): MemberDecision => {
        const command = intent(state);
        return command ? decideMember(state, command, nowMs) : { events: [] };
      },
      by,
    );
  }

  /** All of them at once: the stream is read once. @throws AppError 503 */
  async unfollow(memberId: string, otherIds: readonly string[], by: By): Promise<void> {
    await this.streams.execute(
      {
        ...CODEC,
        stream: memberStream(memberId),
        initial: otherIds.map((otherId) => newRelationship({ memberId, otherId })),
        evolve: (all, event) => all.map((one) => evolveMember(one, event)),
      },
      (all, nowMs) => {
        const decisions = all.map((one) => decideMember(one, { type: 'Unfollow' }, nowMs));
        return { events: decisions.flatMap((decision) => ('events' in decision ? decision.events : [])) };
      },
      by,
    );
  }
}

const FOLLOWS = `
  select follower_id, array_agg(followed_id) as followed_ids
  from (select * from read.follows where follower_id = $1 or followed_id = $1 limit $2) found group by follower_id`;

/** Nobody is counted who is gone. The next round sees which follows have ended. */
@Injectable()
export class FollowsErasure {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly members: MemberStore,
    private readonly streams: DecidedStreams,
    erasure: AccountErasure,
  ) {
    erasure.register((accountId, by, limit) => this.erase(accountId, by, limit));
  }

  private async erase(accountId: string, by: By, limit: number): Promise<number> {
    const { rows } = await this.pool.query<{ follower_id: string; followed_ids: string[] }>(FOLLOWS, [
      accountId,
      limit,
    ]);
    for (const { follower_id, followed_ids } of rows) await this.members.unfollow(follower_id, followed_ids, by);
    const last = rows.at(-1);
    if (last) await this.streams.caughtUp(['follows'], memberStream(last.follower_id));
    return rows.flatMap(({ followed_ids }) => followed_ids).length;
  }
}

const CODEC = { decode: decodeMemberEvent, encode: encodeMemberEvent };

const rulesOf = (pair: Pair) => ({
  ...CODEC,
  stream: memberStream(pair.memberId),
  initial: newRelationship(pair),
  evolve: evolveMember,
});
