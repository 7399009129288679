import { isolated } from '@app/domain';
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

/**
 * `DELETE /api/admin/users/{id}`. It is answered once the ledger takes nothing more for or from the account. Where that is not
 * known in time the answer is 503; asked again, it goes on with the same deletion.
 */
@CommandHandler(DeleteAccount)
export class DeleteAccountHandler implements ICommandHandler<DeleteAccount> {
  constructor(
    private readonly users: AdminUsers,
    private readonly acts: AdminActs,
    private readonly reasons: AdminReasons,
    private readonly deletions: AccountDeletions,
  ) {}

  /** @throws AppError 404 no such user, 409 `CANNOT_DELETE_SELF`, `CANNOT_DELETE_ADMIN`, 503 it is not known to be closed yet */
  async execute({ userId, by }: DeleteAccount): Promise<MessageResponse> {
    const { adminId, requestId } = by;
    if (userId === adminId) throw new AppError(409, 'CANNOT_DELETE_SELF', 'You cannot delete your own account.');
    const user = await this.users.find(userId);
    if (!user) return this.goOnWith(userId);
    if (user.isAdmin) throw new AppError(409, 'CANNOT_DELETE_ADMIN', 'The account of an admin cannot be deleted.');
    const reasonId = await this.acts.reasonRow(userId, by);
    if (!(await this.deletions.order({ accountId: userId, adminId, reasonId, requestId }))) {
      if (reasonId !== null) await this.reasons.discard(reasonId);
      throw notFound('This user');
    }
    return this.close(userId, `The account of ${isolated(user.displayName)} was deleted.`);
  }

  /** The account has no name any more. */
  private async goOnWith(userId: string): Promise<MessageResponse> {
    if (!(await this.deletions.isClosing(userId))) throw notFound('This user');
    return this.close(userId, 'The account was deleted.');
  }

  private async close(userId: string, message: string): Promise<MessageResponse> {
    await this.deletions.closeInLedger(userId);
    await this.deletions.goOn(userId);
    return { message };
  }
}
