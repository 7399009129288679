import { LEDGER_STREAM } from '@app/domain';
import { type EventStore, METADATA_MARK, type NewEvent } from '@app/event-store';
import { correlationOf, envelopeAfter, type EnvelopeVersion, isEnvelopeId, type Origin } from '@app/ledger';

/** Actor and origin, stored with the events. */
export interface By extends Origin {
  /** `member:{id}`, `admin:{id}`, `process` … */
  readonly actor: string;
  /** Of a call with an `Idempotency-Key`: see `causeOfKey`. */
  readonly cause?: string | undefined;
}

/**
 * Metadata of every stream but the ledger's. Version 1 is `{actor, requestId, cause}`; version 2 begins with the mark and
 * has `$correlationId` in place of the request's id. Both are read as they come.
 */
export class StreamMetadata {
  constructor(readonly version: EnvelopeVersion) {}

  /** For all events of one command: what has no id of a request gets one of its own in version 2. */
  of({ actor, correlationId, causationId, cause }: By): string {
    if (this.version === 1) return JSON.stringify({ actor, requestId: correlationId, cause });
    const $correlationId = correlationOf(correlationId);
    const $causationId = isEnvelopeId(causationId) ? causationId : undefined;
    return METADATA_MARK + JSON.stringify({ $correlationId, $causationId, actor, cause }).slice(1);
  }
}

/** Who wrote an event of such a stream. */
export const writerOf = (metadata: string): Pick<By, 'actor' | 'cause'> => JSON.parse(metadata) as By;

/** For what an event leads to: the event is its cause, and both belong to the same request. */
export function ledToBy({ id, metadata }: Pick<NewEvent, 'id' | 'metadata'>): Origin {
  const ids = JSON.parse(metadata) as { readonly requestId?: string; readonly $correlationId?: string };
  return { correlationId: ids.$correlationId ?? ids.requestId, causationId: id };
}

/** How this process writes metadata: as it is set, else as the ledger's last event has it, and in version 2 before the first. */
export async function chosenEnvelope(
  store: Pick<EventStore, 'head'>,
  setting: EnvelopeVersion | undefined,
): Promise<EnvelopeVersion> {
  return setting ?? envelopeAfter((await store.head(LEDGER_STREAM))?.metadata);
}
