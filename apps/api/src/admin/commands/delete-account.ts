import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MessageResponse } from '../../identity/message.dto.js';
import { AppError, notFound } from '../../platform/errors/app-error.js';
import { AccountDeletions } from '../account-deletions.js';
import { AdminActs, type ByAdmin } from '../admin-acts.js';
import { AdminReasons } from '../admin-reasons.js';
import { AdminUsers } from '../admin-users.js';

export class DeleteAccount extends Command<MessageResponse> {
  constructor(
    readonly userId: string,
    readonly by: ByAdmin,
  ) {
    super();
  }
}

/** `DELETE /api/admin/users/{id}` (S1 §6; `decisions.md`, Identity). */
@CommandHandler(DeleteAccount)
export class DeleteAccountHandler implements ICommandHandler<DeleteAccount> {
  constructor(
    private readonly users: AdminUsers,
    private readonly acts: AdminActs,
    private readonly reasons: AdminReasons,
    private readonly deletions: AccountDeletions,
  ) {}

  /** @throws AppError 404 no such user, 409 `CANNOT_DELETE_SELF`, `CANNOT_DELETE_ADMIN` */
  async execute({ userId, by }: DeleteAccount): Promise<MessageResponse> {
    const { adminId, requestId } = by;
    if (userId === adminId) throw new AppError(409, 'CANNOT_DELETE_SELF', 'You cannot delete your own account.');
    const user = await this.users.find(userId);
    if (!user) throw notFound('This user');
    if (user.isAdmin) throw new AppError(409, 'CANNOT_DELETE_ADMIN', 'The account of an admin cannot be deleted.');
    const reasonId = await this.acts.reasonRow(userId, by);
    if (!(await this.deletions.order({ accountId: userId, adminId, reasonId, requestId }))) {
      if (reasonId !== null) await this.reasons.discard(reasonId);
      throw notFound('This user');
    }
    await this.deletions.goOn(userId);
    return { message: `The account of ${user.displayName} was deleted.` };
  }
}
