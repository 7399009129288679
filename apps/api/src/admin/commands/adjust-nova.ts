import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { novaText } from '@app/domain';
import type { CommandOutcome, CommandRequest, Ledger } from '@app/ledger';
import { type Call, calledBy } from '../../platform/current-call.js';
import { notFound } from '../../platform/errors/app-error.js';
import { expectAccepted } from '../../platform/errors/rejections.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { REASON_CAUSE } from '../../wallet/event-details.js';
import { IsNovaAmount, NovaWithin, toMinor, toNova } from '../../wallet/nova-amount.js';
import { ReadModels } from '../../wallet/read-models.js';
import type { AdjustedNovaDto } from '../admin.dto.js';
import { AdminReasons } from '../admin-reasons.js';
import { AdminUsers } from '../admin-users.js';
import { ReasonDto } from '../reason.dto.js';

/** Our own limit: a typing error should not double all money. */
export const ADJUSTMENT_MAX_NOVA = 1_000_000_000;

/** `POST /api/admin/users/{id}/add-nova` and `…/deduct-nova` (rule admin-7). */
export class AdjustNovaDto extends ReasonDto {
  @ApiProperty({ minimum: 0.01, maximum: ADJUSTMENT_MAX_NOVA, multipleOf: 0.01, example: 500 })
  @NovaWithin(
    { min: 1n, max: toMinor(ADJUSTMENT_MAX_NOVA) },
    'The amount must be greater than 0 and at most 1,000,000,000 Nova.',
  )
  @IsNovaAmount()
  amount: number;
}

export interface Adjustment {
  readonly adminId: string;
  readonly userId: string;
  readonly amount: number;
  readonly reason: string | undefined;
}

export class AdjustNova extends Command<AdjustedNovaDto> {
  constructor(
    readonly direction: 'add' | 'deduct',
    readonly adjustment: Adjustment,
    readonly call: Call,
  ) {
    super();
  }
}

/** Adds Nova to a member's earned, or takes it from earned, then purchased (rule ledger-15). */
@CommandHandler(AdjustNova)
export class AdjustNovaHandler implements ICommandHandler<AdjustNova> {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly users: AdminUsers,
    private readonly reasons: AdminReasons,
    private readonly readModels: ReadModels,
  ) {}

  /** @throws AppError 400 beyond the balance, 404 no such user, 422 key reused */
  async execute({ direction, adjustment, call }: AdjustNova): Promise<AdjustedNovaDto> {
    const { userId, amount } = adjustment;
    if (!(await this.users.find(userId))) throw notFound('This user');
    const { accepted, event } = await this.adjust(direction, adjustment, call);
    const { projected } = await this.readModels.caughtUp(accepted.revision);
    const user = await this.users.find(userId);
    if (!user) throw notFound('This user');
    const nova = novaText(toMinor(amount));
    const message =
      direction === 'add' ? `Added ${nova} to ${user.displayName}.` : `Deducted ${nova} from ${user.displayName}.`;
    const balance = accepted.balances?.get(userId);
    return {
      user: balance === undefined ? user : Object.assign(user, { novaBalance: toNova(balance) }),
      eventId: event.id,
      message,
      projected,
    };
  }

  private async adjust(direction: 'add' | 'deduct', adjustment: Adjustment, call: Call) {
    const { adminId, userId, reason } = adjustment;
    const reasonId = reason === undefined ? undefined : await this.reasons.write({ adminId, userId, text: reason });
    const outcome = await this.decide(direction, adjustment, {
      ...(reasonId === undefined ? {} : { cause: `${REASON_CAUSE}${reasonId}` }),
      ...calledBy(call, `admin:${adminId}:admin.${direction}-nova`),
    });
    // A refused act leaves no reason. After an unknown outcome the row stays, because its event may exist.
    const happened = outcome.status === 'accepted' && !outcome.repeated;
    if (reasonId !== undefined && !happened) await this.reasons.discard(reasonId);
    const accepted = expectAccepted(outcome);
    const event = accepted.events.find(({ event: { type } }) => type === 'NovaGranted' || type === 'NovaDeducted');
    if (!event) throw new Error('the ledger adjusted Nova without saying so');
    if (accepted.repeated) await this.refuseOtherReason(event.event.cause, reason);
    return { accepted, event };
  }

  private decide(
    direction: 'add' | 'deduct',
    { userId, adminId, amount }: Adjustment,
    { correlationId, ...more }: Omit<CommandRequest, 'command' | 'actor'>,
  ): Promise<CommandOutcome> {
    return this.ledger.execute({
      command: { type: direction === 'add' ? 'GrantNova' : 'DeductNova', userId, adminId, amount: toMinor(amount) },
      actor: `admin:${adminId}`,
      correlationId,
      ...more,
    });
  }

  /** The reason is part of the body: the same key with another one is another request. */
  private async refuseOtherReason(cause: string | undefined, text: string | undefined): Promise<void> {
    const earlier = cause?.startsWith(REASON_CAUSE)
      ? await this.reasons.find(cause.slice(REASON_CAUSE.length))
      : undefined;
    if (earlier === text) return;
    expectAccepted({ status: 'key-reused' });
  }
}
