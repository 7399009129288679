import { Injectable } from '@nestjs/common';
import { notFound } from '../platform/errors/app-error.js';
import { maySee } from './event-details.js';
import { type FoundEvent, JournalEvents } from './journal-events.js';
import { ReadModels } from './read-models.js';

/** The events behind a member's own statement. */
@Injectable()
export class OwnEvents {
  constructor(
    private readonly readModels: ReadModels,
    private readonly events: JournalEvents,
  ) {}

  /**
   * @param id of a row of the member's statement, or of an event of their account
   * @throws AppError 404 absent, or not this member's
   */
  async find(userId: string, id: string): Promise<FoundEvent> {
    const row = await this.readModels.statement.row(id, userId);
    const found = row ? await this.events.at(row.revision) : await this.events.byId(id);
    if (!found || !maySee(found.event, { kind: 'member', id: userId })) throw notFound('This transaction');
    return found;
  }
}
