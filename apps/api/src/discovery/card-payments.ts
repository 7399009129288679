import { Inject, Injectable } from '@nestjs/common';
import type { LedgerCommand } from '@app/domain';
import type { CommandRequest, Ledger } from '@app/ledger';
import { Projections } from '@app/projections';
import { MemberDirectory } from '../identity/member-directory.js';
import { MemberRelations } from '../members/member-relations.js';
import { AppError } from '../platform/errors/app-error.js';
import { type Accepted, expectAccepted } from '../platform/errors/rejections.js';
import { LEDGER } from '../platform/ledger/tokens.js';
import { toNova } from '../wallet/nova-amount.js';
import { PROJECTION_WAIT_MS, ReadModels } from '../wallet/read-models.js';

export type CardPaymentKind = Exclude<Extract<LedgerCommand, { type: 'PayForCard' }>['kind'], 'scroll'>;

export interface CardPaymentRequest {
  readonly kind: CardPaymentKind;
  readonly senderId: string;
  readonly ownerId: string;
  /** The card's owner, or the comment. */
  readonly subjectId: string;
  readonly amount: bigint;
  readonly key?: CommandRequest['key'];
  readonly cause?: string | undefined;
  /** What is said where the Nova does not suffice. */
  readonly insufficient?: string;
}

/** Pays for something on a member's card: half to them, half to the holders of Influence (`decisions.md`, Discovery). */
@Injectable()
export class CardPayments {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly directory: MemberDirectory,
    private readonly relations: MemberRelations,
    private readonly readModels: ReadModels,
    private readonly runner: Projections,
  ) {}

  /** @throws AppError 400 one's own card, 404 no such member, 409 one of the two has blocked the other */
  async owner(senderId: string, profileId: string): Promise<string> {
    const owner = await this.directory.get(profileId);
    if (!owner || owner.closed) throw new AppError(404, 'PROFILE_NOT_FOUND', 'This profile was not found.');
    if (owner.id === senderId)
      throw new AppError(400, 'OWN_CARD', 'This is your own card: it costs you nothing and earns you nothing.');
    if (await this.relations.blockerOf(senderId, owner.id))
      throw new AppError(409, 'BLOCKED', 'One of you has blocked the other: nothing can be done on this card.');
    return owner.id;
  }

  /** @throws AppError 400 `INSUFFICIENT_NOVA`, 403 frozen, 404, 422 key reused, 503 busy */
  async pay(request: CardPaymentRequest): Promise<Accepted> {
    const { kind, senderId, ownerId, subjectId, amount, key, cause, insufficient } = request;
    const outcome = await this.ledger.execute({
      command: { type: 'PayForCard', kind, senderId, recipientId: ownerId, subjectId, amount },
      actor: `member:${senderId}`,
      ...(key && { key }),
      ...(cause !== undefined && { cause }),
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
