import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MessageResponse } from '../../identity/message.dto.js';
import { notFound } from '../../platform/errors/app-error.js';
import { AdminActs, type ByAdmin } from '../admin-acts.js';
import { BlockedEmails } from '../blocked-emails.js';

export class UnblockEmail extends Command<MessageResponse> {
  constructor(
    readonly id: string,
    readonly by: ByAdmin,
  ) {
    super();
  }
}

/** `DELETE /api/admin/blocked-emails/{id}`. */
@CommandHandler(UnblockEmail)
export class UnblockEmailHandler implements ICommandHandler<UnblockEmail> {
  constructor(
    private readonly acts: AdminActs,
    private readonly blocked: BlockedEmails,
  ) {}

  /** @throws AppError 404 no such blocked address, 503 */
  async execute({ id, by }: UnblockEmail): Promise<MessageResponse> {
    const found = await this.blocked.find(id);
    if (!found) throw notFound('This blocked address');
    await this.acts.record({ type: 'EmailUnblocked', targetId: id, subjectId: null }, by);
    await this.blocked.remove(id);
    return { message: `${found.email} can be used to register again.` };
  }
}
