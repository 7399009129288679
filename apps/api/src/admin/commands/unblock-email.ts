import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MessageResponse } from '../../identity/message.dto.js';
import { notFound } from '../../platform/errors/app-error.js';
import type { ByAdmin } from '../admin-acts.js';
import { BlockedEmails } from '../../identity/blocked-emails.js';
import { Moderation } from '../moderation.js';

export class UnblockEmail extends Command<MessageResponse> {
  constructor(
    readonly id: string,
    readonly by: Omit<ByAdmin, 'reason'>,
  ) {
    super();
  }
}

/** `DELETE /api/admin/blocked-emails/{id}`. */
@CommandHandler(UnblockEmail)
export class UnblockEmailHandler implements ICommandHandler<UnblockEmail> {
  constructor(
    private readonly moderation: Moderation,
    private readonly blocked: BlockedEmails,
  ) {}

  /** @throws AppError 404 no such blocked address, 503 */
  async execute({ id, by }: UnblockEmail): Promise<MessageResponse> {
    const found = await this.blocked.find(id);
    if (!found) throw notFound('This blocked address');
    const { adminId, requestId } = by;
    const act = { type: 'EmailUnblocked', adminId, targetId: id, subjectId: null, reasonId: null } as const;
    await this.moderation.recordOnce(act, requestId);
    await this.blocked.remove(id);
    return { message: `${found.email} can be used to register again.` };
  }
}
