import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { RequestedChat } from '@app/projections';
import { toNova } from '../../wallet/nova-amount.js';
import { ChatPartiesDirectory } from '../chat-parties.js';
import { ChatReadModels } from '../chat-read-models.js';
import type { ChatRequestDto, InboundPriorityDto, PendingRequestsDto } from '../chats.dto.js';

export class ListPendingRequests extends Query<PendingRequestsDto> {
  constructor(readonly hostId: string) {
    super();
  }
}

/** `GET /api/chats/pending-requests`. */
@QueryHandler(ListPendingRequests)
export class ListPendingRequestsHandler implements IQueryHandler<ListPendingRequests> {
  constructor(
    private readonly readModels: ChatReadModels,
    private readonly parties: ChatPartiesDirectory,
  ) {}

  async execute({ hostId }: ListPendingRequests): Promise<PendingRequestsDto> {
    return { requests: await toRequests(await this.readModels.chats.pendingRequests(hostId), this.parties) };
  }
}

export class ListInboundPriority extends Query<InboundPriorityDto> {
  constructor(readonly hostId: string) {
    super();
  }
}

/** `GET /api/chats/inbound-priority`. */
@QueryHandler(ListInboundPriority)
export class ListInboundPriorityHandler implements IQueryHandler<ListInboundPriority> {
  constructor(
    private readonly readModels: ChatReadModels,
    private readonly parties: ChatPartiesDirectory,
  ) {}

  async execute({ hostId }: ListInboundPriority): Promise<InboundPriorityDto> {
    const chats = await toRequests(await this.readModels.chats.inboundPriority(hostId), this.parties);
    return { chats, count: chats.length };
  }
}

async function toRequests(rows: readonly RequestedChat[], parties: ChatPartiesDirectory): Promise<ChatRequestDto[]> {
  const partyOf = await parties.find(rows.map(({ initiatorId }) => initiatorId));
  return rows.map(({ chatId, hostId, initiatorId, price, requestedAt, acceptBy }) => ({
    id: chatId,
    chatId,
    hostId,
    initiatorId,
    initiator: partyOf(initiatorId),
    price: toNova(price),
    requestedAt: requestedAt.toISOString(),
    acceptBy: acceptBy.toISOString(),
  }));
}
