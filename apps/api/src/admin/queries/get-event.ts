import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { EventStore } from '@app/event-store';
import { type EventSignature, type SignatureMark, signatureOf } from '@app/ledger';
import { notFound } from '../../platform/errors/app-error.js';
import { EVENT_STORE } from '../../platform/journal/tokens.js';
import type { OpenLedger } from '../../platform/ledger/open-ledger.js';
import { OPEN_LEDGER } from '../../platform/ledger/tokens.js';
import { EventDetails } from '../../wallet/event-details.js';
import { type FoundEvent, JournalEvents } from '../../wallet/journal-events.js';
import { ReadModels } from '../../wallet/read-models.js';
import type { AdminEventDetailsDto, EventSignatureDto } from '../admin.dto.js';

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
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(OPEN_LEDGER) private readonly ledger: Pick<OpenLedger, 'trust'>,
  ) {}

  /** @throws AppError 404 there is no such event */
  async execute({ id }: GetEvent): Promise<AdminEventDetailsDto> {
    const found = await this.find(id);
    if (!found) throw notFound('This event');
    const data: unknown = JSON.parse(found.recorded.data);
    const [details, signature] = await Promise.all([
      this.details.render(found, { kind: 'admin' }),
      signatureOf(this.store, this.ledger.trust, found.recorded.revision),
    ]);
    return Object.assign(details, { signature: toDto(signature), data });
  }

  private async find(id: string): Promise<FoundEvent | undefined> {
    if (REVISION.test(id)) return await this.events.at(Number(id));
    const row = await this.readModels.statement.row(id);
    return row ? await this.events.at(row.revision) : await this.events.byId(id);
  }
}

const NOTHING: Omit<EventSignatureDto, 'status'> = {
  keyId: null,
  firstRevision: null,
  lastRevision: null,
  signature: null,
  signedFrom: null,
  problem: null,
};

function toDto(found: EventSignature): EventSignatureDto {
  switch (found.status) {
    case 'unsigned':
      return { ...NOTHING, status: 'unsigned' };
    case 'before':
      return { ...NOTHING, status: 'before', signedFrom: found.signedFrom };
    case 'signed':
      return { ...NOTHING, status: 'signed', ...markDto(found) };
    case 'forged':
      return { ...NOTHING, status: 'wrong', ...(found.mark && markDto(found.mark)), problem: sentence(found.reason) };
  }
}

const markDto = ({ key, first, last, sig }: SignatureMark) => ({
  keyId: key,
  firstRevision: first,
  lastRevision: last,
  signature: sig,
});

const sentence = ({ message }: Error): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
