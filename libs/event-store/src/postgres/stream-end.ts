import type { QueryArrayConfig } from 'pg';
import type { RecordedEvent } from '../port.js';
import { eventsFrom, recordedEvent, type EventRow } from './event-rows.js';

/** What one question about the end of a stream answers. */
const END_MAX = 1_000;

/** Reads the end of a stream on a connection of its user's, so that it can follow other statements in one exchange. */
export class StreamEnd {
  constructor(private readonly stream: string) {}

  query(from: number): QueryArrayConfig {
    return eventsFrom(this.stream, from, END_MAX);
  }

  /** Undefined where the store must be asked: there may be more. */
  eventsOf(rows: readonly EventRow[]): RecordedEvent[] | undefined {
    return rows.length < END_MAX ? rows.map(recordedEvent) : undefined;
  }
}
