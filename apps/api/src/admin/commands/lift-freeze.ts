import { isolated } from '@app/domain';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Ledger } from '@app/ledger';
import { expectAccepted } from '../../platform/errors/rejections.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { ReadModels } from '../../wallet/read-models.js';
import { notFound } from '../../platform/errors/app-error.js';
import type { AdjustedNovaDto } from '../admin.dto.js';
import { AdminUsers } from '../admin-users.js';

export class LiftFreeze extends Command<AdjustedNovaDto> {
  constructor(
    readonly adminId: string,
    readonly userId: string,
    readonly requestId: string,
  ) {
    super();
  }
}

/** Lets a member spend again whose payment was disputed (rule ledger-16). */
@CommandHandler(LiftFreeze)
export class LiftFreezeHandler implements ICommandHandler<LiftFreeze> {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly users: AdminUsers,
    private readonly readModels: ReadModels,
  ) {}

  /** @throws AppError 404 no such user, 409 `NOT_FROZEN` */
  async execute({ adminId, userId, requestId }: LiftFreeze): Promise<AdjustedNovaDto> {
    const user = await this.users.find(userId);
    if (!user) throw notFound('This user');
    const { events, revision } = expectAccepted(
      await this.ledger.execute({
        command: { type: 'UnfreezeSpending', userId, disputeId: null },
        actor: `admin:${adminId}`,
        correlationId: requestId,
      }),
    );
    const { projected } = await this.readModels.caughtUp(revision);
    return {
      user,
      eventId: events.at(-1)?.id ?? '',
      message: `${isolated(user.displayName)} can spend Nova again.`,
      projected,
    };
  }
}
