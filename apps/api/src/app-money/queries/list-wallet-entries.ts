import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { withCursor } from '../../wallet/cursors.js';
import { toNova } from '../../wallet/nova-amount.js';
import type { CursorPageDto } from '../../wallet/paging.dto.js';
import { toParty } from '../../wallet/transactions.js';
import { ApplicationMoneys } from '../application-moneys.js';
import type { WalletStatementDto } from '../application-wallet.dto.js';
import { MovementNotes } from '../movement-notes.js';
import { type OwnApplication, OwnApplications } from '../../oauth/own-applications.js';

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
    private readonly moneys: ApplicationMoneys,
    private readonly notes: MovementNotes,
  ) {}

  /** @throws AppError 400 `INVALID_CURSOR`, 404 */
  async execute({ application, page: { limit, cursor } }: ListWalletEntries): Promise<WalletStatementDto> {
    const { clientId } = await this.own.find(application);
    const money = await this.moneys.of(clientId);
    const { movements, nextCursor } = await withCursor(() =>
      money.movements.ofWallet({ clientId, limit, ...(cursor === undefined ? {} : { cursor }) }),
    );
    const [members, notes] = await Promise.all([
      money.members(movements.map(({ userId }) => userId)),
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
      livemode: money.livemode,
    };
  }
}
