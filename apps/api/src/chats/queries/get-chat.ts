import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ChatAccess } from '../chat-access.js';
import { ChatViews } from '../chat-views.js';
import type { ChatViewDto } from '../chats.dto.js';

export class GetChat extends Query<ChatViewDto> {
  constructor(
    readonly chatId: string,
    readonly memberId: string,
  ) {
    super();
  }
}

/** `GET /api/chats/{id}`: from its stream, so that whoever was told of an event sees it here. */
@QueryHandler(GetChat)
export class GetChatHandler implements IQueryHandler<GetChat> {
  constructor(
    private readonly access: ChatAccess,
    private readonly views: ChatViews,
  ) {}

  /** @throws AppError 404 */
  async execute({ chatId, memberId }: GetChat): Promise<ChatViewDto> {
    const { chat, side } = await this.access.current(chatId, memberId);
    return this.views.view(chat, side);
  }
}
