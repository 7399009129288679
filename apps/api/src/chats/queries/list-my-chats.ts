import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { chatProgress } from '@app/domain';
import { toNova } from '../../wallet/nova-amount.js';
import { ChatPartiesDirectory } from '../chat-parties.js';
import { ChatReadModels } from '../chat-read-models.js';
import { ChatReads } from '../chat-reads.js';
import type { MyChatsDto } from '../chats.dto.js';

const NEVER = new Date(0);

export class ListMyChats extends Query<MyChatsDto> {
  constructor(readonly memberId: string) {
    super();
  }
}

/** `GET /api/chats/mine`: what a member has to come back to. */
@QueryHandler(ListMyChats)
export class ListMyChatsHandler implements IQueryHandler<ListMyChats> {
  constructor(
    private readonly readModels: ChatReadModels,
    private readonly parties: ChatPartiesDirectory,
    private readonly reads: ChatReads,
  ) {}

  async execute({ memberId }: ListMyChats): Promise<MyChatsDto> {
    const rows = await this.readModels.chats.openOf(memberId);
    const otherOf = (row: { readonly initiatorId: string; readonly hostId: string }): string =>
      row.hostId === memberId ? row.initiatorId : row.hostId;
    const [partyOf, readThrough] = await Promise.all([
      this.parties.find(rows.map(otherOf)),
      this.reads.of(
        memberId,
        rows.map(({ chatId }) => chatId),
      ),
    ]);
    return {
      chats: rows.map((row) => ({
        id: row.chatId,
        status: row.status,
        side: row.hostId === memberId ? 'host' : 'initiator',
        otherUser: partyOf(otherOf(row)),
        price: toNova(row.price),
        percentage: Math.floor(chatProgress(row) * 100),
        acceptBy: row.acceptBy.toISOString(),
        verifyBy: row.firstHostMessageAt === null ? (row.verifyBy?.toISOString() ?? null) : null,
        lastMessageAt: row.lastMessageAt?.toISOString() ?? null,
        isUnread: row.lastMessageAt !== null && row.lastMessageAt > (readThrough.get(row.chatId) ?? NEVER),
      })),
    };
  }
}
