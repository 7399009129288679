import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { EventDetails } from '../event-details.js';
import { OwnEvents } from '../own-events.js';
import type { EventDetailsDto } from '../wallet.dto.js';

export class GetTransaction extends Query<EventDetailsDto> {
  constructor(
    readonly userId: string,
    /** A row of the member's statement, or an event of their account. */
    readonly id: string,
  ) {
    super();
  }
}

/** `GET /api/nova/transactions/{id}`: the event behind a row of one's own statement. */
@QueryHandler(GetTransaction)
export class GetTransactionHandler implements IQueryHandler<GetTransaction> {
  constructor(
    private readonly events: OwnEvents,
    private readonly details: EventDetails,
  ) {}

  /** @throws AppError 404 absent, or not this member's */
  async execute({ userId, id }: GetTransaction): Promise<EventDetailsDto> {
    return this.details.render(await this.events.find(userId, id), { kind: 'member', id: userId });
  }
}
