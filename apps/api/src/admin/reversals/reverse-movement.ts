import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { amountWaits, novaText } from '@app/domain';
import type { Ledger } from '@app/ledger';
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../platform/errors/app-error.js';
import { type Accepted, eventOf, expectAccepted } from '../../platform/errors/rejections.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { REASON_CAUSE } from '../../wallet/event-details.js';
import { toNova } from '../../wallet/nova-amount.js';
import { ReadModels } from '../../wallet/read-models.js';
import { AdminReasons } from '../admin-reasons.js';
import { Approvals, type ApprovedAct, type DoneAct } from '../approvals/approvals.js';
import type { WaitingActDto } from '../approvals/approvals.dto.js';
import { ControlSettings } from '../controls/controls.js';
import type { ReversedMovementDto } from './reversals.dto.js';
import { type ReversibleMovement, ReversibleMovements, reversalRequest } from './reversible-movements.js';

interface Reversing {
  readonly adminId: string;
  readonly reason: string;
  readonly partly: boolean;
  readonly requestId: string;
}

export class ReverseMovement extends Command<ReversedMovementDto | WaitingActDto> {
  constructor(
    readonly eventId: string,
    readonly reversing: Reversing,
  ) {
    super();
  }
}

/** The kind of act that waits for a second admin. */
const KIND = 'reversal';

/**
 * Takes a movement back, once (rule ledger-38). Above the threshold it waits for a second admin (rule admin-19), and so
 * does every gift while there is a daily cap.
 */
@CommandHandler(ReverseMovement)
export class ReverseMovementHandler implements ICommandHandler<ReverseMovement> {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly movements: ReversibleMovements,
    private readonly reasons: AdminReasons,
    private readonly readModels: ReadModels,
    private readonly controls: ControlSettings,
    private readonly approvals: Approvals,
  ) {
    approvals.carriesOut(KIND, (act) => this.carryOut(act));
  }

  /**
   * A repeated call of the same admin with the same reason gets the first answer again.
   * @throws AppError 403 `OWN_MOVEMENT`, a closed account, 404 no such event, 409 `ALREADY_REVERSED`, `NOT_REVERSIBLE`, `NOT_IN_FULL`,
   *   `NOTHING_TO_RETURN`
   */
  async execute({ eventId, reversing }: ReverseMovement): Promise<ReversedMovementDto | WaitingActDto> {
    const movement = await this.movements.find(eventId);
    refuseOwn(movement, reversing.adminId);
    const waiting = await this.waiting(movement, reversing);
    if (waiting) return waiting;
    const accepted = await this.reverse(movement, reversing);
    const { id, event } = eventOf(accepted, 'MovementReversed');
    const { projected } = await this.readModels.adminsCaughtUp(accepted.revision);
    const message = `The movement was reversed: ${novaText(event.returned)} came back.`;
    return { eventId: id, returned: toNova(event.returned), message, projected };
  }

  /** The answer of a reversal that waits. What was done before, or cannot be done now, is not asked for. */
  private async waiting(movement: ReversibleMovement, reversing: Reversing): Promise<WaitingActDto | undefined> {
    const { amount, facts } = movement;
    const { adminId, partly } = reversing;
    const { controls, admins } = await this.controls.standing();
    // The treasury's half of a gift counts for nobody's daily cap.
    const isBesideCap = facts.originalType === 'GiftSent' && controls.dailyCap !== null && admins > 1;
    if (!isBesideCap && !amountWaits(controls, amount, admins)) return undefined;
    const dry = await this.ledger.execute({
      ...reversalRequest(movement, reversing),
      actor: `admin:${adminId}`,
      dryRun: true,
    });
    if (dry.status === 'key-reused' || expectAccepted(dry).repeated) return undefined;
    const details = { eventId: facts.originalId, partly };
    return this.approvals.request(uuidv7(), { kind: KIND, targetId: facts.userId, amount, details }, reversing);
  }

  private async carryOut({ id, adminId, details, reasonId }: ApprovedAct): Promise<DoneAct> {
    const movement = await this.movements.find(String(details['eventId']));
    const cause = `${REASON_CAUSE}${reasonId}`;
    const outcome = await this.ledger.execute({
      ...reversalRequest(movement, { adminId, partly: details['partly'] === true }),
      actor: `admin:${adminId}`,
      cause,
      correlationId: id,
    });
    if (outcome.status === 'key-reused') throw alreadyReversed();
    const accepted = expectAccepted(outcome);
    const reversal = eventOf(accepted, 'MovementReversed');
    // The same admin may have reversed it by another act.
    if (reversal.event.cause !== cause) throw alreadyReversed();
    await this.readModels.adminsCaughtUp(accepted.revision);
    return { eventId: reversal.id, message: `${novaText(reversal.event.returned)} came back.` };
  }

  /** Reverses a movement at once. */
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

/** No admin reverses a movement of their own: a gift's half comes from the treasury. */
function refuseOwn({ facts: { userId, counterpartyId } }: ReversibleMovement, adminId: string): void {
  if (adminId !== userId && adminId !== counterpartyId) return;
  throw new AppError(403, 'OWN_MOVEMENT', 'This movement is your own. Ask another admin to reverse it.');
}

const alreadyReversed = (): AppError =>
  new AppError(409, 'ALREADY_REVERSED', 'This movement was reversed before. It can be reversed only once.');
