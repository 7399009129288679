import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { changeWaits, CONTROLS_TARGET, type Controls } from '@app/domain';
import { v7 as uuidv7 } from 'uuid';
import { AdminActs, type ByAdmin } from '../admin-acts.js';
import { AdminReasons } from '../admin-reasons.js';
import { Approvals, type ApprovedAct, type DoneAct } from '../approvals/approvals.js';
import type { WaitingActDto } from '../approvals/approvals.dto.js';
import type { ControlsDto } from './controls.dto.js';
import { ControlSettings } from './controls.js';
import { GetControls } from './get-controls.js';

/** Changes the limits for admins. What loosens one waits for a second admin (rule admin-21). */
export class ChangeControls extends Command<ControlsDto | WaitingActDto> {
  constructor(
    readonly to: Controls,
    readonly by: ByAdmin,
  ) {
    super();
  }
}

const KIND = 'controls';

@CommandHandler(ChangeControls)
export class ChangeControlsHandler implements ICommandHandler<ChangeControls> {
  constructor(
    private readonly controls: ControlSettings,
    private readonly acts: AdminActs,
    private readonly reasons: AdminReasons,
    private readonly approvals: Approvals,
    private readonly queries: QueryBus,
  ) {
    approvals.carriesOut(KIND, (act) => this.carryOut(act));
  }

  /** @throws AppError 503 */
  async execute({ to, by }: ChangeControls): Promise<ControlsDto | WaitingActDto> {
    const { adminId, requestId } = by;
    const { admins } = await this.controls.standing();
    const reasonId = await this.acts.reasonRow(adminId, by);
    const actor = { adminId, requestId, reasonId, approvalId: null };
    const { changed, waits } = await this.controls.change(to, actor, (before) => changeWaits(before, to, admins));
    if (!changed && reasonId !== null) await this.reasons.discard(reasonId);
    if (!waits) return this.queries.execute(new GetControls());
    const details = { threshold: textOf(to.threshold), dailyCap: textOf(to.dailyCap) };
    return this.approvals.request(uuidv7(), { kind: KIND, targetId: CONTROLS_TARGET, amount: null, details }, by);
  }

  private async carryOut({ id, adminId, reasonId, details }: ApprovedAct): Promise<DoneAct> {
    const to = { threshold: minorOf(details['threshold']), dailyCap: minorOf(details['dailyCap']) };
    await this.controls.change(to, { adminId, requestId: id, reasonId, approvalId: id }, () => false);
    return { eventId: null, message: null };
  }
}

/** Minor units as the details of an act hold them. */
const textOf = (minor: bigint | null): string | null => (minor === null ? null : String(minor));
const minorOf = (text: unknown): bigint | null => (typeof text === 'string' ? BigInt(text) : null);
