import { AppendTooLarge, type EventStore, type NewEvent } from '@app/event-store';
import { APPEND_DEADLINE_MS, appendUntilKnown } from '../platform/journal/append-until-known.js';

/** One append carries what every store takes. */
const BATCH_EVENTS_MAX = 1_000;
const BATCH_BYTES_MAX = 524_288;

/** Writes another journal's events at the same places, many of one stream at once. */
export class BatchedAppends {
  private stream = '';
  private batch: NewEvent[] = [];
  private bytes = 0;
  /** Revision of the batch's first event. */
  private first = 0;

  constructor(private readonly store: EventStore) {}

  /** The events of a stream come in their order. @throws WrongExpectedRevision something else writes there */
  async add(stream: string, revision: number, event: NewEvent): Promise<void> {
    const size = Buffer.byteLength(event.data) + Buffer.byteLength(event.metadata) + event.type.length;
    const isFull = this.batch.length >= BATCH_EVENTS_MAX || this.bytes + size > BATCH_BYTES_MAX;
    if (isFull || stream !== this.stream) await this.flush();
    if (this.batch.length === 0) [this.stream, this.first] = [stream, revision];
    this.batch.push(event);
    this.bytes += size;
  }

  /** @throws WrongExpectedRevision @throws AppendTooLarge one event alone is more than the store takes */
  async flush(): Promise<void> {
    if (this.batch.length === 0) return;
    await this.write(this.first, this.batch);
    [this.batch, this.bytes] = [[], 0];
  }

  /** In halves where the store takes less at once. */
  private async write(first: number, events: readonly NewEvent[]): Promise<void> {
    const { stream } = this;
    const expected = first === 0 ? 'none' : first - 1;
    try {
      await appendUntilKnown(this.store, {
        stream,
        events,
        expected,
        deadline: performance.now() + APPEND_DEADLINE_MS,
      });
    } catch (error) {
      if (!(error instanceof AppendTooLarge) || events.length === 1) throw error;
      const half = Math.ceil(events.length / 2);
      await this.write(first, events.slice(0, half));
      await this.write(first + half, events.slice(half));
    }
  }
}
