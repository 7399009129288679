import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { novaText } from '@app/domain';
import type { Ledger } from '@app/ledger';
import { AppError } from '../../platform/errors/app-error.js';
import { type Accepted, eventOf, expectAccepted } from '../../platform/errors/rejections.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { REASON_CAUSE } from '../../wallet/event-details.js';
import { toNova } from '../../wallet/nova-amount.js';
import { ReadModels } from '../../wallet/read-models.js';
import { AdminReasons } from '../admin-reasons.js';
import type { ReversedMovementDto } from './reversals.dto.js';
import { type ReversibleMovement, ReversibleMovements, reversalRequest } from './reversible-movements.js';

interface Reversing {
  readonly adminId: string;
  readonly reason: string;
  readonly partly: boolean;
  readonly requestId: string;
}

export class ReverseMovement extends Command<ReversedMovementDto> {
  constructor(
    readonly eventId: string,
    readonly reversing: Reversing,
  ) {
    super();
  }
}

/** Takes a movement back, once (rule ledger-38). */
@CommandHandler(ReverseMovement)
export class ReverseMovementHandler implements ICommandHandler<ReverseMovement> {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly movements: ReversibleMovements,
    private readonly reasons: AdminReasons,
    private readonly readModels: ReadModels,
  ) {}

  /**
   * A repeated call of the same admin with the same reason gets the first answer again.
   * @throws AppError 403 a closed account, 404 no such event, 409 `ALREADY_REVERSED`, `NOT_REVERSIBLE`, `NOT_IN_FULL`,
   *   `NOTHING_TO_RETURN`
   */
  async execute({ eventId, reversing }: ReverseMovement): Promise<ReversedMovementDto> {
    const accepted = await this.reverse(await this.movements.find(eventId), reversing);
    const { id, event } = eventOf(accepted, 'MovementReversed');
    const { projected } = await this.readModels.adminsCaughtUp(accepted.revision);
    const message = `The movement was reversed: ${novaText(event.returned)} came back.`;
    return { eventId: id, returned: toNova(event.returned), message, projected };
  }

  /** The one place where a reversal is done. */
  private async reverse(movement: ReversibleMovement, reversing: Reversing): Promise<Accepted> {
    const { adminId, reason: text, requestId } = reversing;
    const reasonId = await this.reasons.write({ adminId, userId: movement.facts.userId, text });
    const outcome = await this.ledger.execute({
      ...reversalRequest(movement, reversing),
      actor: `admin:${adminId}`,
      cause: `${REASON_CAUSE}${reasonId}`,
      correlationId: requestId,
    });
    if (outcome.status === 'accepted' && !outcome.repeated) return outcome;
    // A refused act leaves no reason. After an unknown outcome the row stays, because its event may exist.
    await this.reasons.discard(reasonId);
    if (outcome.status === 'key-reused') throw alreadyReversed();
    const repeated = expectAccepted(outcome);
    const { cause = '' } = eventOf(repeated, 'MovementReversed').event;
    if ((await this.reasons.find(cause.slice(REASON_CAUSE.length))) !== text) throw alreadyReversed();
    return repeated;
  }
}

const alreadyReversed = (): AppError =>
  new AppError(409, 'ALREADY_REVERSED', 'This movement was reversed before. It can be reversed only once.');
