import { Injectable } from '@nestjs/common';
import { type ChatRated, ENDING_COMMANDS, type MemberCommand, type MemberRejection, memberStream } from '@app/domain';
import { type BlockPage, FollowQueries } from '@app/projections';
import type { Pool } from 'pg';
import { MemberDirectory } from '../identity/member-directory.js';
import { AppError, notFound } from '../platform/errors/app-error.js';
import { InjectPool } from '../platform/database/database.module.js';
import { DecidedStreams } from '../platform/journal/decided-streams.js';
import { withCursor } from '../wallet/cursors.js';
import type { CursorPageDto } from '../wallet/paging.dto.js';
import { MemberStore, type Pair } from './member-store.js';

/** One member towards another. */
export interface Towards extends Pair {
  readonly requestId?: string | undefined;
}

export interface Relation {
  readonly following: boolean;
  readonly followsMe: boolean;
  /** By me. */
  readonly blocked: boolean;
}

const STATUS: Record<MemberRejection['code'], number> = { ONESELF: 400, BLOCKED_BY_YOU: 409, TOO_MANY: 409 };

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
   * Does it, once; what members see shows it unless it is a second behind. What ends something can also be done towards
   * somebody whose account is gone.
   * @throws AppError 400 oneself, 404 no such member, 409 blocked or too many
   */
  async act({ memberId, otherId, requestId }: Towards, command: MemberCommand): Promise<void> {
    const other = await this.directory.get(otherId);
    if (!other || (other.closed && !ENDING_COMMANDS.has(command.type))) throw notFound('This member');
    const by = { actor: `member:${memberId}`, requestId };
    const outcome = await this.members.execute({ memberId, otherId }, () => command, by);
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
      { memberId: raterId, otherId: ratedId },
      ({ changedAt }) => (changedAt >= at ? undefined : { type: 'Follow' }),
      { actor: `member:${raterId}` },
    );
    if ('events' in outcome && outcome.events.length > 0) await this.caughtUp(raterId);
  }

  async relation(memberId: string, otherId: string): Promise<Relation> {
    return this.queries.relation(memberId, otherId);
  }

  /** Whom a member has blocked, the last blocked first. @throws AppError 400 `INVALID_CURSOR` */
  async blocked(memberId: string, page: CursorPageDto): Promise<BlockPage> {
    return withCursor(() => this.queries.blocked(memberId, page));
  }

  /** Which of the two has blocked the other, as their streams tell it: a read model may be behind. @throws AppError 503 */
  async blockerOf(a: string, b: string): Promise<string | undefined> {
    const [one, other] = await Promise.all([
      this.members.current({ memberId: a, otherId: b }),
      this.members.current({ memberId: b, otherId: a }),
    ]);
    if (one.blocks) return a;
    return other.blocks ? b : undefined;
  }

  /** Members whom a member follows and who follow back, the last to become so first. */
  async mutual(memberId: string, limit: number): Promise<string[]> {
    return this.queries.mutual(memberId, limit);
  }

  private async caughtUp(memberId: string): Promise<void> {
    await this.streams.caughtUp(['follows', 'cards'], memberStream(memberId));
  }
}
