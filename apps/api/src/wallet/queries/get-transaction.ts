import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { notFound } from '../../platform/errors/app-error.js';
import { EventDetails, maySee, type Viewer } from '../event-details.js';
import { JournalEvents } from '../journal-events.js';
import { ReadModels } from '../read-models.js';
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

/** `GET /api/nova/transactions/{id}`: what stands behind a row of one's own statement. */
@QueryHandler(GetTransaction)
export class GetTransactionHandler implements IQueryHandler<GetTransaction> {
  constructor(
    private readonly readModels: ReadModels,
    private readonly events: JournalEvents,
    private readonly details: EventDetails,
  ) {}

  /** @throws AppError 404 absent, or not this member's */
  async execute({ userId, id }: GetTransaction): Promise<EventDetailsDto> {
    const viewer: Viewer = { kind: 'member', id: userId };
    const row = await this.readModels.statement.row(id, userId);
    const found = row ? await this.events.at(row.revision) : await this.events.byId(id);
    if (!found || !maySee(found.event, viewer)) throw notFound('This transaction');
    return this.details.render(found, viewer);
  }
}
