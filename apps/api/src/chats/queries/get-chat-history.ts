import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { withCursor } from '../../wallet/cursors.js';
import { toNova } from '../../wallet/nova-amount.js';
import { CursorPageDto } from '../../wallet/paging.dto.js';
import { ChatPartiesDirectory } from '../chat-parties.js';
import { ChatReadModels } from '../chat-read-models.js';
import type { ChatHistoryDto } from '../chats.dto.js';

export class ChatHistoryQueryDto extends CursorPageDto {}

export class GetChatHistory extends Query<ChatHistoryDto> {
  constructor(
    readonly memberId: string,
    readonly page: ChatHistoryQueryDto,
  ) {
    super();
  }
}

/** `GET /api/chats/completed-history` (rule wallet-8): chats whose reward for the member was released. */
@QueryHandler(GetChatHistory)
export class GetChatHistoryHandler implements IQueryHandler<GetChatHistory> {
  constructor(
    private readonly readModels: ChatReadModels,
    private readonly parties: ChatPartiesDirectory,
  ) {}

  /** @throws AppError 400 `INVALID_CURSOR` */
  async execute({ memberId, page: { limit, cursor } }: GetChatHistory): Promise<ChatHistoryDto> {
    const options = { limit, cursor };
    const { chats, nextCursor } = await withCursor(() => this.readModels.chats.completedHistory(memberId, options));
    const partyOf = await this.parties.find(chats.map(({ otherId }) => otherId));
    return {
      chatHistories: chats.map((chat) => ({
        chatId: chat.chatId,
        otherUser: partyOf(chat.otherId),
        completedAt: chat.completedAt.toISOString(),
        novaEarned: toNova(chat.novaEarned),
        influencePointsEarned: chat.influence,
        isInitiator: chat.isInitiator,
        exchangeCount: chat.exchanges,
        myRating: chat.myRating,
        theirRating: chat.theirRating,
        totalCharacters: chat.totalCharacters,
      })),
      nextCursor,
    };
  }
}
