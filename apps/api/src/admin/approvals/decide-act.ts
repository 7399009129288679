import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../moderation.js';
import { ApprovalList } from './approval-list.js';
import type { ApprovalDto } from './approvals.dto.js';
import { Approvals } from './approvals.js';

export class ApproveAct extends Command<ApprovalDto> {
  constructor(
    readonly id: string,
    readonly by: Actor,
  ) {
    super();
  }
}

/** `POST /api/admin/approvals/{id}/approve`. */
@CommandHandler(ApproveAct)
export class ApproveActHandler implements ICommandHandler<ApproveAct> {
  constructor(
    private readonly approvals: Approvals,
    private readonly list: ApprovalList,
  ) {}

  /** @throws AppError 403 one’s own act, 404, 409 it waits no longer, 503 */
  async execute({ id, by }: ApproveAct): Promise<ApprovalDto> {
    await this.approvals.approve(id, by);
    return this.list.one(id);
  }
}

export class DeclineAct extends Command<ApprovalDto> {
  constructor(
    readonly id: string,
    readonly by: Actor & { readonly reason: string },
  ) {
    super();
  }
}

/** `POST /api/admin/approvals/{id}/decline`. */
@CommandHandler(DeclineAct)
export class DeclineActHandler implements ICommandHandler<DeclineAct> {
  constructor(
    private readonly approvals: Approvals,
    private readonly list: ApprovalList,
  ) {}

  /** @throws AppError 404, 409 it waits no longer, 503 */
  async execute({ id, by }: DeclineAct): Promise<ApprovalDto> {
    await this.approvals.decline(id, by);
    return this.list.one(id);
  }
}
