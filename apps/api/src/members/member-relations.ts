import { Injectable } from '@nestjs/common';
import { type ChatRated, type MemberCommand, type MemberRejection, memberStream } from '@app/domain';
import { FollowQueries } from '@app/projections';
import type { Pool } from 'pg';
import { MemberDirectory } from '../identity/member-directory.js';
import { AppError, notFound } from '../platform/errors/app-error.js';
import { InjectPool } from '../platform/database/database.module.js';
import { DecidedStreams } from '../platform/journal/decided-streams.js';
import { MemberStore } from './member-store.js';

/** One member towards another. */
export interface Towards {
  readonly memberId: string;
  readonly otherId: string;
  readonly requestId?: string | undefined;
}

export interface Relation {
  readonly following: boolean;
  readonly followsMe: boolean;
  /** By me. */
  readonly blocked: boolean;
}

const STATUS: Record<MemberRejection['code'], number> = { ONESELF: 400, BLOCKED_BY_YOU: 409, TOO_MANY: 409 };

/** What can still be done towards somebody whose account is gone. */
const ENDS: ReadonlySet<MemberCommand['type']> = new Set(['Unfollow', 'Unblock']);

/** Following, blocking and reporting, and who stands how to whom. */
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
   * Does it, once; what members see shows it unless it is a second behind.
   * @throws AppError 400 oneself, 404 no such member, 409 blocked or too many
   */
  async act({ memberId, otherId, requestId }: Towards, command: MemberCommand): Promise<void> {
    const other = await this.directory.get(otherId);
    if (!other || (other.closed && !ENDS.has(command.type))) throw notFound('This member');
    const outcome = await this.members.execute(memberId, () => command, { actor: `member:${memberId}`, requestId });
    if ('rejection' in outcome) {
      const { code, message } = outcome.rejection;
      throw new AppError(STATUS[code], code, message);
    }
    await this.caughtUp(memberId);
  }

  /**
   * The follow that came with a rating, unless the member has changed their mind since. What stands in its way, a block, a full
   * list or a closed account, takes nothing from the rating.
   */
  async followAfterRating({ raterId, ratedId, at }: Pick<ChatRated, 'raterId' | 'ratedId' | 'at'>): Promise<void> {
    const rated = await this.directory.get(ratedId);
    if (!rated || rated.closed) return;
    const outcome = await this.members.execute(
      raterId,
      ({ events }) => {
        const since = events.some(({ otherId, type, at: then }) => {
          return otherId === ratedId && type !== 'MemberReported' && then >= at;
        });
        return since ? undefined : { type: 'Follow', otherId: ratedId };
      },
      { actor: `member:${raterId}` },
    );
    if ('events' in outcome && outcome.events.length > 0) await this.caughtUp(raterId);
  }

  async relation(memberId: string, otherId: string): Promise<Relation> {
    return this.queries.relation(memberId, otherId);
  }

  /** Which of the two has blocked the other, as their streams tell it: a read model may be behind. @throws AppError 503 */
  async blockerOf(a: string, b: string): Promise<string | undefined> {
    const [one, other] = await Promise.all([this.members.current(a), this.members.current(b)]);
    if (one.blocks.has(b)) return a;
    return other.blocks.has(a) ? b : undefined;
  }

  /** Members whom a member follows and who follow back, the last to become so first. */
  async mutual(memberId: string, limit: number): Promise<string[]> {
    return this.queries.mutual(memberId, limit);
  }

  private async caughtUp(memberId: string): Promise<void> {
    await this.streams.caughtUp(['follows', 'cards'], memberStream(memberId));
  }
}
