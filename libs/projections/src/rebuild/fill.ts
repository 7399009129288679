import { type EventStore, lastPosition } from '@app/event-store';
import type { ProjectedEvent, ReadModel } from '../read-model.js';
import { decodeEvents, eventsFor, lastRevision, prefixesOf } from '../runner/decode.js';
import type { Replica } from './replica.js';

export interface FillOptions {
  readonly store: Pick<EventStore, 'readAll'>;
  /** Each is filled up to and including a position that the journal's readers have already reached. */
  readonly targets: readonly { readonly replica: Replica; readonly until: bigint }[];
  readonly signal?: AbortSignal;
  readonly onBatch?: (events: number, revision: number) => void;
}

/** Reads the journal once for all replicas. It reads and decodes the next batch while Postgres takes the one before. */
export async function fill({ store, targets, signal, onBatch }: FillOptions): Promise<void> {
  const due = targets.filter(({ replica, until }) => replica.position < until);
  const [first] = due;
  if (!first) return;
  const start = due.reduce((least, { replica }) => minimum(least, replica.position), first.replica.position);
  const end = due.reduce((most, { until }) => (until > most ? until : most), first.until);
  let applying = Promise.resolve();
  const streamPrefixes = prefixesOf(due.map(({ replica }) => replica.model));
  const options = { upTo: end, streamPrefixes, ...(signal && { signal }) };
  for await (const batch of store.readAll(start < 0n ? options : { ...options, after: start })) {
    const events = decodeEvents(batch);
    await applying;
    signal?.throwIfAborted();
    applying = applyToAll(due, events).then(() => onBatch?.(events.length, lastRevision(events) ?? -1));
    // Awaited in the next round; a failure in the meantime must not count as unhandled.
    applying.catch(() => undefined);
  }
  await applying;
  signal?.throwIfAborted();
  await Promise.all(due.map(({ replica }) => replica.applier.flush(replica.client)));
  // The reading reached the last of these positions, or it would have failed.
  for (const { replica, until } of due) replica.position = until;
}

async function applyToAll(targets: FillOptions['targets'], events: readonly ProjectedEvent[]): Promise<void> {
  await Promise.all(
    targets.map(async ({ replica, until }) => {
      const mine = eventsFor(replica.model, replica.position, events).filter(
        ({ recorded }) => recorded.position <= until,
      );
      if (mine.length > 0) await replica.applier.apply(replica.client, mine);
      const passed = events.findLastIndex(({ recorded }) => recorded.position <= until);
      const position = events[passed]?.recorded.position;
      if (position === undefined || position <= replica.position) return;
      replica.position = position;
      replica.revision = Math.max(replica.revision, lastRevision(events.slice(0, passed + 1)) ?? -1);
    }),
  );
}

const minimum = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The positions of read models that are up to date: the position of each one's last event, by name. */
export async function lastPositions(
  store: Pick<EventStore, 'readAll'>,
  models: readonly ReadModel[],
): Promise<ReadonlyMap<string, bigint>> {
  const positions = new Map<string, bigint>();
  for (const model of models) positions.set(model.name, (await lastPosition(store, prefixesOf([model]))) ?? -1n);
  return positions;
}
