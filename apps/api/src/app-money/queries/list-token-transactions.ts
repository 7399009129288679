import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AccessToken } from '../../oauth/access-tokens.js';
import { withCursor } from '../../wallet/cursors.js';
import { toNova } from '../../wallet/nova-amount.js';
import type { CursorPageDto } from '../../wallet/paging.dto.js';
import { ApplicationMoneys } from '../application-moneys.js';
import { MovementNotes } from '../movement-notes.js';
import type { TokenTransactionsDto } from '../app-money.dto.js';

export class ListTokenTransactions extends Query<TokenTransactionsDto> {
  constructor(
    readonly by: AccessToken,
    readonly page: CursorPageDto,
  ) {
    super();
  }
}

/** `GET /api/tokens/transactions` (rule apps-7). */
@QueryHandler(ListTokenTransactions)
export class ListTokenTransactionsHandler implements IQueryHandler<ListTokenTransactions> {
  constructor(
    private readonly moneys: ApplicationMoneys,
    private readonly notes: MovementNotes,
  ) {}

  /** @throws AppError 400 `INVALID_CURSOR` */
  async execute({ by, page: { limit, cursor } }: ListTokenTransactions): Promise<TokenTransactionsDto> {
    const { memberId: userId, clientId } = by;
    const money = await this.moneys.of(clientId);
    const { movements, nextCursor } = await withCursor(() =>
      money.movements.ofMember({ userId, clientId, limit, ...(cursor === undefined ? {} : { cursor }) }),
    );
    const notes = await this.notes.find(movements.map(({ noteId }) => noteId));
    return {
      transactions: movements.map(({ id, type, amount, recipientId, noteId, createdAt }) => ({
        id,
        type,
        amount: toNova(amount),
        description: (noteId !== null && notes.get(noteId)) || null,
        ...(recipientId !== null && { recipientId }),
        createdAt: createdAt.toISOString(),
      })),
      nextCursor,
      livemode: money.livemode,
    };
  }
}
