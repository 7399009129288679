import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { MemberDirectory } from '../../identity/member-directory.js';
import { withCursor } from '../../wallet/cursors.js';
import { toNova } from '../../wallet/nova-amount.js';
import type { CursorPageDto } from '../../wallet/paging.dto.js';
import { ReadModels } from '../../wallet/read-models.js';
import { toParty } from '../../wallet/transactions.js';
import type { WalletStatementDto } from '../application-wallet.dto.js';
import { MovementNotes } from '../movement-notes.js';
import { type OwnApplication, OwnApplications } from '../own-applications.js';

export class ListWalletEntries extends Query<WalletStatementDto> {
  constructor(
    readonly application: OwnApplication,
    readonly page: CursorPageDto,
  ) {
    super();
  }
}

/** `GET /api/oauth/application/{clientId}/wallet/statement`. */
@QueryHandler(ListWalletEntries)
export class ListWalletEntriesHandler implements IQueryHandler<ListWalletEntries> {
  constructor(
    private readonly own: OwnApplications,
    private readonly readModels: ReadModels,
    private readonly notes: MovementNotes,
    private readonly directory: MemberDirectory,
  ) {}

  /** @throws AppError 400 `INVALID_CURSOR`, 404 */
  async execute({ application, page: { limit, cursor } }: ListWalletEntries): Promise<WalletStatementDto> {
    const { clientId } = await this.own.find(application);
    const { movements, nextCursor } = await withCursor(() =>
      this.readModels.applications.ofWallet({ clientId, limit, ...(cursor === undefined ? {} : { cursor }) }),
    );
    const [members, notes] = await Promise.all([
      this.directory.find(movements.map(({ userId }) => userId)),
      this.notes.find(movements.map(({ noteId }) => noteId)),
    ]);
    return {
      entries: movements.map(({ id, type, amount, userId, noteId, createdAt }) => ({
        id,
        type,
        amount: toNova(amount),
        member: toParty(userId, members.get(userId)),
        description: (noteId !== null && notes.get(noteId)) || null,
        createdAt: createdAt.toISOString(),
      })),
      nextCursor,
    };
  }
}
