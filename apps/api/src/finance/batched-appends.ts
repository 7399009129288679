import type { EventStore, NewEvent } from '@app/event-store';
import { APPEND_DEADLINE_MS, appendUntilKnown } from '../platform/journal/append-until-known.js';

/** One append carries what every store takes. */
const BATCH_EVENTS_MAX = 1_000;
const BATCH_BYTES_MAX = 524_288;

/** Writes events of another journal where they were there, many of one stream at once. */
export class BatchedAppends {
  private stream = '';
  private batch: NewEvent[] = [];
  private bytes = 0;
  /** Revision of the batch's first event. */
  private first = 0;

  constructor(private readonly store: EventStore) {}

  /** The events of a stream come in their order. @throws WrongExpectedRevision something else writes there */
  async add(stream: string, revision: number, event: NewEvent): Promise<void> {
    const size = Buffer.byteLength(event.data) + event.metadata.length + event.type.length;
    const isFull = this.batch.length >= BATCH_EVENTS_MAX || this.bytes + size > BATCH_BYTES_MAX;
    if (isFull || stream !== this.stream) await this.flush();
    if (this.batch.length === 0) [this.stream, this.first] = [stream, revision];
    this.batch.push(event);
    this.bytes += size;
  }

  /** @throws WrongExpectedRevision */
  async flush(): Promise<void> {
    if (this.batch.length === 0) return;
    const { stream, first, batch: events } = this;
    const expected = first === 0 ? 'none' : first - 1;
    await appendUntilKnown(this.store, { stream, events, expected, deadline: performance.now() + APPEND_DEADLINE_MS });
    [this.batch, this.bytes] = [[], 0];
  }
}
