import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { UnreadableEvent } from '@app/domain';
import type { EventStore } from '@app/event-store';
import { BrokenChain, type EventSignature, type SignatureMark, signatureOf, VerifiedLedger } from '@app/ledger';
import { AppError, notFound } from '../../platform/errors/app-error.js';
import { EVENT_STORE } from '../../platform/journal/injected-journal.js';
import type { OpenLedger } from '../../platform/ledger/open-ledger.js';
import { OPEN_LEDGER } from '../../platform/ledger/injected-ledger.js';
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
    private readonly happened: VerifiedLedger,
  ) {}

  /**
   * As it is stored, also where nobody signed it: the answer says so then.
   * @throws AppError 404 there is no such event; 409 `NO_LEDGER_EVENT` what is there is none
   */
  async execute({ id }: GetEvent): Promise<AdminEventDetailsDto> {
    const found = await this.find(id);
    if (!found) throw notFound('This event');
    const data: unknown = JSON.parse(found.recorded.data);
    const [details, signature] = await Promise.all([
      this.details.render(found, { kind: 'admin' }),
      this.signatureOf(found.recorded.revision),
    ]);
    return Object.assign(details, { signature, data });
  }

  private async signatureOf(revision: number): Promise<EventSignatureDto> {
    const found = toDto(await signatureOf(this.store, this.ledger.trust, revision));
    if (found.problem === null || (await this.happened.at(revision))) return found;
    return Object.assign(found, { problem: `${found.problem} No balance counts it.` });
  }

  private async find(id: string): Promise<FoundEvent | undefined> {
    try {
      return await this.read(id);
    } catch (error) {
      if (!(error instanceof BrokenChain) && !(error instanceof UnreadableEvent)) throw error;
      throw new AppError(409, 'NO_LEDGER_EVENT', `The stored data is not an event of the ledger: ${error.message}.`, {
        cause: error,
      });
    }
  }

  private async read(id: string): Promise<FoundEvent | undefined> {
    if (REVISION.test(id)) return await this.events.asStored.at(Number(id));
    const row = await this.readModels.statement.row(id);
    return row ? await this.events.asStored.at(row.revision) : await this.events.asStored.byId(id);
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
