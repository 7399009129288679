import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { notFound } from '../../platform/errors/app-error.js';
import { EventDetails } from '../../wallet/event-details.js';
import { type FoundEvent, JournalEvents } from '../../wallet/journal-events.js';
import { ReadModels } from '../../wallet/read-models.js';
import type { AdminEventDetailsDto } from '../admin.dto.js';

/** As exports and statements name events. */
const REVISION = /^\d{1,12}$/;

export class GetEvent extends Query<AdminEventDetailsDto> {
  constructor(
    /** An event's id, that of a statement row that it made, or its revision. */
    readonly id: string,
  ) {
    super();
  }
}

/** `GET /api/admin/events/{id}`: all that the journal says of an event. */
@QueryHandler(GetEvent)
export class GetEventHandler implements IQueryHandler<GetEvent> {
  constructor(
    private readonly events: JournalEvents,
    private readonly readModels: ReadModels,
    private readonly details: EventDetails,
  ) {}

  /** @throws AppError 404 there is no such event */
  async execute({ id }: GetEvent): Promise<AdminEventDetailsDto> {
    const found = await this.find(id);
    if (!found) throw notFound('This event');
    const data: unknown = JSON.parse(found.recorded.data);
    return Object.assign(await this.details.render(found, { kind: 'admin' }), { data });
  }

  private async find(id: string): Promise<FoundEvent | undefined> {
    if (REVISION.test(id)) return await this.events.at(Number(id));
    const row = await this.readModels.statement.row(id);
    return row ? await this.events.at(row.revision) : await this.events.byId(id);
  }
}
