import { Inject, Injectable } from '@nestjs/common';
import type { LedgerCommand } from '@app/domain';
import type { CommandRequest, Ledger } from '@app/ledger';
import { Projections } from '@app/projections';
import type { Pool } from 'pg';
import { MemberDirectory } from '../identity/member-directory.js';
import { MemberRelations } from '../members/member-relations.js';
import { InjectPool } from '../platform/database/database.module.js';
import { AppError } from '../platform/errors/app-error.js';
import { type Accepted, expectAccepted } from '../platform/errors/rejections.js';
import { LEDGER } from '../platform/ledger/injected-ledger.js';
import { toNova } from '../wallet/nova-amount.js';
import { PROJECTION_WAIT_MS, ReadModels } from '../wallet/read-models.js';

export type CardPaymentKind = Exclude<Extract<LedgerCommand, { type: 'PayForCard' }>['kind'], 'scroll'>;

const profileNotFound = (): AppError => new AppError(404, 'PROFILE_NOT_FOUND', 'This profile was not found.');

export interface CardPaymentRequest {
  readonly kind: CardPaymentKind;
  readonly senderId: string;
  readonly ownerId: string;
  /** The card's owner, or the comment. */
  readonly subjectId: string;
  readonly amount: bigint;
  readonly key?: CommandRequest['key'];
  readonly correlationId: string | undefined;
  readonly cause?: string | undefined;
  /** The sentence for insufficient Nova. */
  readonly insufficient?: string;
}

/** Pays for something on a member's card: half to them, half to the holders of Influence (rule discovery-13). */
@Injectable()
export class CardPayments {
  constructor(
    @InjectPool() private readonly pool: Pool,
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly directory: MemberDirectory,
    private readonly relations: MemberRelations,
    private readonly readModels: ReadModels,
    private readonly runner: Projections,
  ) {}

  /** @throws AppError 400 one's own card, 404 no such member, or one who has blocked the sender, 409 `BLOCKED_BY_YOU` */
  async owner(senderId: string, profileId: string): Promise<string> {
    const owner = await this.directory.get(profileId);
    if (!owner || owner.closed) throw profileNotFound();
    if (owner.id === senderId)
      throw new AppError(400, 'OWN_CARD', 'This is your own card. It costs and earns you nothing.');
    await this.relations.refuseBlocked({ memberId: senderId, otherId: owner.id }, profileNotFound);
    return owner.id;
  }

  /** @throws AppError 409 `CARD_LOCKED` the viewer never unlocked this card, 503 it is not known yet */
  async expectUnlocked(viewerId: string, ownerId: string): Promise<void> {
    if (await this.isUnlocked(viewerId, ownerId)) return;
    const { projected } = await this.runner.waitFor(['cards'], this.ledger.revision, PROJECTION_WAIT_MS);
    if (await this.isUnlocked(viewerId, ownerId)) return;
    if (projected) throw new AppError(409, 'CARD_LOCKED', 'Unlock this card first to see more of it.');
    const message =
      'Nova cannot tell yet whether you have unlocked this card. Nothing was done. Try again in a moment.';
    throw new AppError(503, 'BUSY', message, { retryAfterSeconds: 1 });
  }

  private async isUnlocked(viewerId: string, ownerId: string): Promise<boolean> {
    const { rows } = await this.pool.query<{ unlocked: boolean }>(
      'select exists (select from read.card_unlocks where viewer_id = $1 and owner_id = $2) as unlocked',
      [viewerId, ownerId],
    );
    return rows[0]?.unlocked === true;
  }

  /** @throws AppError 400 `INSUFFICIENT_NOVA`, 403 frozen, 404, 422 key reused, 503 busy */
  async pay(request: CardPaymentRequest): Promise<Accepted> {
    const { kind, senderId, ownerId, subjectId, amount, key, cause, correlationId, insufficient } = request;
    const outcome = await this.ledger.execute({
      command: { type: 'PayForCard', kind, senderId, recipientId: ownerId, subjectId, amount },
      actor: `member:${senderId}`,
      ...(key && { key }),
      ...(cause !== undefined && { cause }),
      correlationId,
    });
    if (outcome.status === 'refused' && outcome.rejection.code === 'INSUFFICIENT_NOVA' && insufficient !== undefined) {
      throw new AppError(400, 'INSUFFICIENT_NOVA', insufficient);
    }
    return expectAccepted(outcome);
  }

  /** Nova of the member after a payment, once what they look at shows it. */
  async balanceAfter(senderId: string, { revision, balances }: Accepted): Promise<number> {
    await Promise.all([
      this.readModels.caughtUp(revision),
      this.runner.waitFor(['cards', 'posts'], revision, PROJECTION_WAIT_MS),
    ]);
    return toNova(balances?.get(senderId) ?? (await this.readModels.novaBalance(senderId)));
  }
}
