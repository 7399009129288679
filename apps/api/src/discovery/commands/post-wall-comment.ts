import { wallCommentPrice } from '@app/domain';
import { LedgerOutcomeUnknown } from '@app/ledger';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { MemberDirectory } from '../../identity/member-directory.js';
import type { Call } from '../../platform/current-call.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { derivedId } from '../../platform/derived-id.js';
import { keyReused } from '../../platform/errors/app-error.js';
import type { Accepted } from '../../platform/errors/rejections.js';
import { codePoints } from '../../platform/text.js';
import { toNova } from '../../wallet/nova-amount.js';
import { CardPayments } from '../card-payments.js';
import { Wall } from '../queries/wall.js';
import type { PostedWallCommentDto, WallCommentDto } from '../wall.dto.js';

/** A comment made again under the caller's own key is the same comment. */
const commentIdFor = (commenterId: string, idempotencyKey: string | undefined): string =>
  idempotencyKey === undefined ? uuidv7() : derivedId(`member:${commenterId}:wall.comment`, idempotencyKey);

export class PostWallComment extends Command<PostedWallCommentDto> {
  constructor(
    readonly memberId: string,
    readonly profileId: string,
    readonly comment: string,
    readonly call: Call,
  ) {
    super();
  }
}

interface Draft {
  readonly id: string;
  readonly ownerId: string;
  readonly commenterId: string;
  readonly comment: string;
}

/** 25 Nova for each started 15 characters (rule discovery-14): words first, payment second, shown when it is paid. */
@CommandHandler(PostWallComment)
export class PostWallCommentHandler implements ICommandHandler<PostWallComment> {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly payments: CardPayments,
    private readonly wall: Wall,
    private readonly directory: MemberDirectory,
  ) {}

  /** @throws AppError 400 one's own wall or too little Nova, 403 frozen, 404, 409 blocked, 422 key reused, 503 busy */
  async execute({ memberId, profileId, comment, call }: PostWallComment): Promise<PostedWallCommentDto> {
    const ownerId = await this.payments.owner(memberId, profileId);
    const draft = { id: commentIdFor(memberId, call.idempotencyKey), ownerId, commenterId: memberId, comment };
    await this.write(draft);
    const amount = wallCommentPrice(codePoints(comment));
    const paid = await this.pay(draft, amount, call.requestId);
    const novaBalance = await this.payments.balanceAfter(memberId, paid);
    return { comment: await this.shown(draft, amount), novaDeducted: toNova(amount), novaBalance };
  }

  /** An unpaid comment leaves no text behind; one that may be paid keeps it. */
  private async pay({ id, ownerId, commenterId }: Draft, amount: bigint, correlationId: string): Promise<Accepted> {
    try {
      return await this.payments.pay({
        kind: 'wall',
        senderId: commenterId,
        ownerId,
        subjectId: id,
        amount,
        key: { scope: 'fact', value: `wall:${id}` },
        correlationId,
      });
    } catch (error) {
      if (!(error instanceof LedgerOutcomeUnknown)) await this.discard(id);
      throw error;
    }
  }

  /** @throws AppError 422 the key came with other words before */
  private async write({ id, ownerId, commenterId, comment }: Draft): Promise<void> {
    const { rowCount } = await this.pool.query(
      `insert into wall_comments as kept (id, owner_id, commenter_id, comment) values ($1, $2, $3, $4)
       on conflict (id) do update set attempts = kept.attempts + 1
       where kept.owner_id = excluded.owner_id and kept.comment = excluded.comment`,
      [id, ownerId, commenterId, comment],
    );
    if (rowCount === 0) throw keyReused();
  }

  /** An attempt beside this one may have paid for them, or be about to. */
  private async discard(id: string): Promise<void> {
    await this.pool.query('delete from wall_comments where id = $1 and attempts = 1', [id]);
  }

  /** The read model may be a moment behind. */
  private async shown({ id, ownerId, commenterId, comment }: Draft, amount: bigint): Promise<WallCommentDto> {
    const found = await this.wall.one(ownerId, id);
    if (found) return found;
    const { displayName = '', profileImageUrl = null } = (await this.directory.get(commenterId)) ?? {};
    return {
      id,
      comment,
      commenterName: displayName,
      commenter: { id: commenterId, displayName, profileImageUrl },
      novaPaid: toNova(amount),
      createdAt: new Date().toISOString(),
    };
  }
}
