import {
  BLOCKED_BY_YOU,
  type ChatRated,
  decideMember,
  decodeMemberEvent,
  encodeMemberEvent,
  ENDING_COMMANDS,
  evolveMember,
  type MemberCommand,
  type MemberDecision,
  type MemberRejection,
  memberStream,
  newRelationship,
  type Relationship,
} from '@app/domain';
import type { Origin } from '@app/ledger';
import { type BlockPage, FollowQueries } from '@app/projections';
import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { MemberDirectory } from '../identity/member-directory.js';
import { AccountErasure } from '../platform/account-erasure.js';
import { InjectPool } from '../platform/database/database.module.js';
import { AppError, notFound } from '../platform/errors/app-error.js';
import { DecidedStreams } from '../platform/journal/decided-streams.js';
import type { By } from '../platform/journal/stream-metadata.js';
import { withCursor } from '../wallet/cursors.js';
import type { CursorPageDto } from '../wallet/paging.dto.js';

/** The first of the two is the one who acts. */
type Pair = Pick<Relationship, 'memberId' | 'otherId'>;

/** Decides from the events so far; returns no command if there is nothing to do. */
type MemberIntent = (relationship: Relationship) => MemberCommand | undefined;

/** The streams `user-{id}`: what members do towards each other. */
@Injectable()
export class MemberStore {
  constructor(private readonly streams: DecidedStreams) {}

  /**
   * A member's relation to another, including everything that the store held when this was called.
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

  /** Ends all these follows at once, and reads the stream only once. @throws AppError 503 */
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

/** Members who are gone are not counted. The next round sees which follows have ended. */
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

/** One member towards another. */
export interface Towards extends Pair {
  readonly requestId: string | undefined;
}

export interface Relation {
  readonly following: boolean;
  readonly followsMe: boolean;
  /** Whether the member has blocked the other. */
  readonly blocked: boolean;
}

const STATUS: Record<MemberRejection['code'], number> = { ONESELF: 400, BLOCKED_BY_YOU: 409, TOO_MANY: 409 };

/** Following, blocking, reporting, and members' relations. */
@Injectable()
export class MemberRelations {
  private readonly queries: FollowQueries;

  constructor(
    @InjectPool() pool: Pool,
    private readonly streams: DecidedStreams,
    private readonly members: MemberStore,
    private readonly directory: MemberDirectory,
  ) {
    this.queries = new FollowQueries(pool);
  }

  /**
   * Performs a command once. Read models show the result, unless they are more than a second behind. Commands that end
   * something also work towards members whose account is gone.
   * @throws AppError 400 oneself, 404 no such member, or one who has blocked the member who wants to follow, 409
   * blocked or too many
   */
  async act({ memberId, otherId, requestId }: Towards, command: MemberCommand): Promise<void> {
    const other = await this.directory.get(otherId);
    if (!other || (other.closed && !ENDING_COMMANDS.has(command.type))) throw notFound('This member');
    const by = { actor: `member:${memberId}`, correlationId: requestId };
    if (command.type === 'Follow' && (await this.blocks(otherId, memberId))) throw notFound('This member');
    const outcome = await this.members.execute({ memberId, otherId }, () => command, by);
    if ('rejection' in outcome) throw refusal(outcome.rejection);
    if (command.type === 'Follow' && (await this.endFollowOfBlocked({ memberId, otherId }, by)))
      throw notFound('This member');
    if (command.type === 'Block') await this.endFollowOfBlocked({ memberId: otherId, otherId: memberId }, by);
    await this.caughtUp(memberId);
  }

  /**
   * A block is written first, and then ends the other's follow. A member who follows looks for a block once more
   * afterwards. So one of the two always sees the other.
   * @returns whether `memberId` is blocked
   */
  private async endFollowOfBlocked({ memberId, otherId }: Pair, ledBy: Origin): Promise<boolean> {
    if (!(await this.blocks(otherId, memberId))) return false;
    const by = { ...ledBy, actor: `member:${otherId}` };
    const outcome = await this.members.execute({ memberId, otherId }, () => ({ type: 'Unfollow' }), by);
    if ('events' in outcome && outcome.events.length > 0) await this.caughtUp(memberId);
    return true;
  }

  /**
   * Makes the follow that came with a rating, unless the member has changed their mind since. If a block, a full list
   * or a closed account prevents it, the rating still counts.
   */
  async followAfterRating(
    { raterId, ratedId, at }: Pick<ChatRated, 'raterId' | 'ratedId' | 'at'>,
    ledBy: Origin,
  ): Promise<void> {
    const rated = await this.directory.get(ratedId);
    if (!rated || rated.closed || (await this.blocks(ratedId, raterId))) return;
    const outcome = await this.members.execute(
      { memberId: raterId, otherId: ratedId },
      ({ changedAt }) => (changedAt >= at ? undefined : { type: 'Follow' }),
      { actor: `member:${raterId}`, ...ledBy },
    );
    if (!('events' in outcome) || outcome.events.length === 0) return;
    if (!(await this.endFollowOfBlocked({ memberId: raterId, otherId: ratedId }, ledBy))) await this.caughtUp(raterId);
  }

  async relation(memberId: string, otherId: string): Promise<Relation> {
    return this.queries.relation(memberId, otherId);
  }

  /** The members whom a member has blocked, the last blocked first. @throws AppError 400 `INVALID_CURSOR` */
  async blocked(memberId: string, page: CursorPageDto): Promise<BlockPage> {
    return withCursor(() => this.queries.blocked(memberId, page));
  }

  /**
   * Which of the two has blocked the other, from their streams: a read model may be behind. If both have, it is
   * `other`, who does not exist for `one`.
   * @throws AppError 503
   */
  async blockerOf(one: string, other: string): Promise<string | undefined> {
    const [byOne, byOther] = await Promise.all([this.blocks(one, other), this.blocks(other, one)]);
    if (byOther) return other;
    return byOne ? one : undefined;
  }

  /**
   * For actions towards another member: a member who has blocked the caller does not exist, and nothing reveals the
   * block.
   * @param absent makes the error for a member who does not exist
   * @throws AppError what `absent` makes, 409 `BLOCKED_BY_YOU`, 503
   */
  async refuseBlocked({ memberId, otherId }: Pair, absent: () => AppError): Promise<void> {
    const blockerId = await this.blockerOf(memberId, otherId);
    if (blockerId === otherId) throw absent();
    if (blockerId === memberId) throw refusal(BLOCKED_BY_YOU);
  }

  /**
   * Whether the member has blocked this viewer, from whom everything of the member is then hidden. Reads the read
   * models.
   */
  async isHidden(memberId: string, viewerId: string): Promise<boolean> {
    return (await this.queries.relation(memberId, viewerId)).blocked;
  }

  private async blocks(blockerId: string, blockedId: string): Promise<boolean> {
    return (await this.members.current({ memberId: blockerId, otherId: blockedId })).blocks;
  }

  /** Members whom a member follows and who follow back, the last to become so first. */
  async mutual(memberId: string, limit: number): Promise<string[]> {
    return this.queries.mutual(memberId, limit);
  }

  private async caughtUp(memberId: string): Promise<void> {
    await this.streams.caughtUp(['follows', 'cards'], memberStream(memberId));
  }
}

const refusal = ({ code, message }: MemberRejection): AppError => new AppError(STATUS[code], code, message);
