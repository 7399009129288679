import {
  decodeReconciliationEvent,
  encodeReconciliationEvent,
  isFlagged,
  type ReconciliationEvent,
  reconciliationStream,
} from '@app/domain';
import { type EventStore, upcast } from '@app/event-store';
import { v7 as uuidv7 } from 'uuid';
import { APPEND_DEADLINE_MS, appendUntilKnown } from '../../platform/journal/append-until-known.js';

/** Records that a difference was found or settled, unless the last event says so already. */
export async function recordDifference(store: EventStore, event: ReconciliationEvent, metadata: string): Promise<void> {
  const stream = reconciliationStream(event.subjectId);
  let [flagged, revision] = [false, -1];
  for await (const batch of store.readStream(stream)) {
    for (const { type, data, isForeign } of batch) {
      if (!isForeign) flagged = isFlagged(flagged, decodeReconciliationEvent(type, upcast(type, data)));
      revision += 1;
    }
  }
  if (flagged === (event.type === 'DifferenceFlagged')) return;
  await appendUntilKnown(store, {
    stream,
    events: [{ id: uuidv7(), type: event.type, data: encodeReconciliationEvent(event), metadata }],
    expected: revision < 0 ? 'none' : revision,
    deadline: performance.now() + APPEND_DEADLINE_MS,
  });
}
