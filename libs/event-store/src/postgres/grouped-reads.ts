import type { QueryArrayConfig } from 'pg';
import { groupedLoader } from '../grouped-loader.js';
import type { RecordedEvent } from '../port.js';
import { eventsFrom, eventsOfStreams, type EventRow, recordedEvent } from './event-rows.js';

/** The first events of a stream from a revision on. */
export interface ShortRead {
  readonly stream: string;
  readonly from: number;
  readonly size: number;
}

/** A row of the answer to several reads: which of them it belongs to, and the event. */
type NumberedRow = [read: number, ...EventRow];

type Query = <R extends unknown[]>(query: QueryArrayConfig) => Promise<R[]>;

/** Reads short streams by queries that several reads share. */
export const groupedReads = (query: Query): ((read: ShortRead) => Promise<RecordedEvent[]>) =>
  groupedLoader((reads) => answersTo(reads, query), { queriesMax: 2, questionsMax: 100 });

async function answersTo(reads: readonly ShortRead[], query: Query): Promise<RecordedEvent[][]> {
  const [first, ...others] = reads;
  if (first && others.length === 0) {
    const { stream, from, size } = first;
    const only = { name: 'journal-read-stream', ...eventsFrom(stream, from, size) };
    return [(await query<EventRow>(only)).map(recordedEvent)];
  }
  const found = reads.map((): RecordedEvent[] => []);
  const rows = await query<NumberedRow>(eventsOfStreams(reads));
  for (const [read, ...row] of rows) found[read]?.push(recordedEvent(row));
  return found;
}
