import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { amountWaits, isolated, type LedgerCommand, novaText } from '@app/domain';
import type { CommandOutcome, CommandRequest, JournalEvent, Ledger } from '@app/ledger';
import { type Call, calledBy } from '../../platform/current-call.js';
import { notFound } from '../../platform/errors/app-error.js';
import { type Accepted, expectAccepted } from '../../platform/errors/rejections.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { REASON_CAUSE } from '../../wallet/event-details.js';
import { IsNovaAmount, NovaWithin, toMinor, toNova } from '../../wallet/nova-amount.js';
import { ReadModels } from '../../wallet/read-models.js';
import type { AdjustedNovaDto } from '../admin.dto.js';
import { AdminReasons } from '../admin-reasons.js';
import { AdminUsers } from '../admin-users.js';
import { Approvals, type ApprovedAct, type DoneAct } from '../approvals/approvals.js';
import type { WaitingActDto } from '../approvals/approvals.dto.js';
import { ControlSettings } from '../controls/controls.js';
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

export class AdjustNova extends Command<AdjustedNovaDto | WaitingActDto> {
  constructor(
    readonly direction: 'add' | 'deduct',
    readonly adjustment: Adjustment,
    readonly call: Call,
  ) {
    super();
  }
}

/** The kinds of acts that wait for a second admin. */
const KINDS = { add: 'grant', deduct: 'deduction' } as const;

type Request = Omit<CommandRequest, 'command' | 'actor'>;

/**
 * Adds Nova to a member's earned, or takes it from earned, then purchased (rule ledger-15). Above the threshold it waits for a
 * second admin (rule admin-19).
 */
@CommandHandler(AdjustNova)
export class AdjustNovaHandler implements ICommandHandler<AdjustNova> {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly users: AdminUsers,
    private readonly reasons: AdminReasons,
    private readonly readModels: ReadModels,
    private readonly controls: ControlSettings,
    private readonly approvals: Approvals,
  ) {
    for (const direction of ['add', 'deduct'] as const) {
      approvals.carriesOut(KINDS[direction], (act) => this.carryOut(direction, act));
    }
  }

  /** @throws AppError 400 beyond the balance, 403 `ADMIN_DAILY_CAP`, 404 no such user, 422 key reused */
  async execute({ direction, adjustment, call }: AdjustNova): Promise<AdjustedNovaDto | WaitingActDto> {
    const { userId, amount } = adjustment;
    if (!(await this.users.find(userId))) throw notFound('This user');
    const waiting = await this.waiting(direction, adjustment, call);
    if (waiting) return waiting;
    const { accepted, event } = await this.adjust(direction, adjustment, call);
    const { projected } = await this.readModels.caughtUp(accepted.revision);
    const user = await this.users.find(userId);
    if (!user) throw notFound('This user');
    const nova = novaText(toMinor(amount));
    const message =
      direction === 'add'
        ? `Added ${nova} to ${isolated(user.displayName)}.`
        : `Deducted ${nova} from ${isolated(user.displayName)}.`;
    const balance = accepted.balances?.get(userId);
    return {
      user: balance === undefined ? user : Object.assign(user, { novaBalance: toNova(balance) }),
      eventId: event.id,
      message,
      projected,
    };
  }

  /** The answer of an act that waits. A call that was done before under its key is not asked for anew. */
  private async waiting(
    direction: 'add' | 'deduct',
    adjustment: Adjustment,
    call: Call,
  ): Promise<WaitingActDto | undefined> {
    const { adminId, userId, reason } = adjustment;
    const amount = toMinor(adjustment.amount);
    const act = { kind: KINDS[direction], targetId: userId, amount, details: {} };
    const id = this.approvals.idOf(call, scopeOf(direction, adjustment));
    const earlier = call.idempotencyKey === undefined ? undefined : await this.approvals.earlier(id, act, reason);
    if (earlier) return earlier;
    const { controls, admins } = await this.controls.standing();
    if (!amountWaits(controls, amount, admins)) return undefined;
    const request = calledBy(call, scopeOf(direction, adjustment));
    const dry = expectAccepted(await this.decide(direction, { adminId, userId, amount }, { ...request, dryRun: true }));
    if (dry.repeated) return undefined;
    return this.approvals.request(id, act, { adminId, requestId: call.requestId, reason });
  }

  private async adjust(direction: 'add' | 'deduct', adjustment: Adjustment, call: Call) {
    const { adminId, userId, reason } = adjustment;
    const reasonId = reason === undefined ? undefined : await this.reasons.write({ adminId, userId, text: reason });
    const outcome = await this.decide(
      direction,
      { adminId, userId, amount: toMinor(adjustment.amount) },
      { ...causeOf(reasonId ?? null), ...calledBy(call, scopeOf(direction, adjustment)) },
    );
    // A refused act leaves no reason. After an unknown outcome the row stays, because its event may exist.
    const happened = outcome.status === 'accepted' && !outcome.repeated;
    if (reasonId !== undefined && !happened) await this.reasons.discard(reasonId);
    const accepted = expectAccepted(outcome);
    const event = eventIn(accepted);
    if (accepted.repeated) await this.refuseOtherReason(event.event.cause, reason);
    return { accepted, event };
  }

  private async carryOut(direction: 'add' | 'deduct', act: ApprovedAct): Promise<DoneAct> {
    const { id, adminId, targetId: userId, amount, reasonId } = act;
    const outcome = await this.decide(
      direction,
      { adminId, userId, amount: amount ?? 0n },
      { ...causeOf(reasonId), correlationId: id, key: { scope: 'fact', value: `approval:${id}` } },
    );
    const accepted = expectAccepted(outcome);
    await this.readModels.caughtUp(accepted.revision);
    return { eventId: eventIn(accepted).id, message: null };
  }

  private async decide(
    direction: 'add' | 'deduct',
    act: { readonly userId: string; readonly adminId: string; readonly amount: bigint },
    { correlationId, ...request }: Request,
  ): Promise<CommandOutcome> {
    const command: LedgerCommand =
      direction === 'add'
        ? { type: 'GrantNova', ...act, ...(await this.controls.cap()) }
        : { type: 'DeductNova', ...act };
    return this.ledger.execute({ command, actor: `admin:${act.adminId}`, correlationId, ...request });
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

const scopeOf = (direction: 'add' | 'deduct', { adminId }: Adjustment): string =>
  `admin:${adminId}:admin.${direction}-nova`;

const causeOf = (reasonId: string | null): { readonly cause?: string } =>
  reasonId === null ? {} : { cause: `${REASON_CAUSE}${reasonId}` };

function eventIn({ events }: Accepted): JournalEvent {
  const event = events.find(({ event: { type } }) => type === 'NovaGranted' || type === 'NovaDeducted');
  if (!event) throw new Error('the ledger adjusted Nova without saying so');
  return event;
}
