import { decodeLedgerEvent, LEDGER_STREAM } from '@app/domain';
import { upcast, type RecordedEvent } from '@app/event-store';
import type { ProjectedEvent, ReadModel } from '../read-model.js';
import { postingsOf } from './postings.js';

/** Decodes stored events for all read models at once. */
export const decodeEvents = (batch: readonly RecordedEvent[]): ProjectedEvent[] => batch.map(decodeEvent);

function decodeEvent(recorded: RecordedEvent): ProjectedEvent {
  if (recorded.stream !== LEDGER_STREAM) return { recorded, postings: [], time: '' };
  const ledger = decodeLedgerEvent(recorded.type, upcast(recorded.type, recorded.data));
  return { recorded, ledger, postings: postingsOf(ledger.entries), time: timeText(ledger.at) };
}

let lastAtMs = -1;
let lastText = '';

/** Many events share a millisecond: formatting a time is dear. */
function timeText(atMs: number): string {
  if (atMs !== lastAtMs) {
    lastAtMs = atMs;
    lastText = new Date(atMs).toISOString();
  }
  return lastText;
}

/** The prefixes that any of these read models wants. */
export const prefixesOf = (models: readonly ReadModel[]): string[] => [
  ...new Set(models.flatMap((model) => model.streamPrefixes)),
];

/** What of a batch concerns a read model that stands at `position`. */
export function eventsFor(
  model: ReadModel,
  position: bigint,
  events: readonly ProjectedEvent[],
): readonly ProjectedEvent[] {
  return events.filter(
    ({ recorded }) =>
      recorded.position > position && model.streamPrefixes.some((prefix) => recorded.stream.startsWith(prefix)),
  );
}

/** The last ledger revision in a batch, or undefined where it has no ledger event. */
export const lastRevision = (events: readonly ProjectedEvent[]): number | undefined =>
  events.findLast(({ ledger }) => ledger !== undefined)?.recorded.revision;
