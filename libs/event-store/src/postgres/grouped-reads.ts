import type { QueryArrayConfig } from 'pg';
import type { RecordedEvent } from '../port.js';
import { eventsFrom, eventsOfStreams, type EventRow, recordedEvent } from './event-rows.js';

/** Queries under way at once. */
const QUERIES_MAX = 2;
/** Reads of one query. */
const READS_MAX = 100;

/** The first events of a stream from a revision on. */
export interface ShortRead {
  readonly stream: string;
  readonly from: number;
  readonly size: number;
}

interface Waiting extends ShortRead {
  readonly resolve: (events: RecordedEvent[]) => void;
  readonly reject: (error: unknown) => void;
}

/** A row of the answer to several reads: which of them it belongs to, and the event. */
type NumberedRow = [read: number, ...EventRow];

type Query = <R extends unknown[]>(query: QueryArrayConfig) => Promise<R[]>;

/**
 * Reads of short streams that share queries: those that come while queries are under way go together with the next one. Each is
 * answered by a query that was sent after it was asked for; the more there are, the less each one costs.
 */
export class GroupedReads {
  private waiting: Waiting[] = [];
  private underWay = 0;

  constructor(private readonly query: Query) {}

  /** @throws whatever its query failed with */
  read(read: ShortRead): Promise<RecordedEvent[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...read, resolve, reject });
      void this.run();
    });
  }

  private async run(): Promise<void> {
    if (this.underWay === QUERIES_MAX) return;
    this.underWay += 1;
    while (this.waiting.length > 0) await this.ask(this.waiting.splice(0, READS_MAX));
    this.underWay -= 1;
  }

  private async ask(reads: readonly Waiting[]): Promise<void> {
    try {
      const found = await this.answersTo(reads);
      for (const [place, { resolve }] of reads.entries()) resolve(found[place] ?? []);
    } catch (error) {
      for (const { reject } of reads) reject(error);
    }
  }

  private async answersTo(reads: readonly Waiting[]): Promise<RecordedEvent[][]> {
    const [first, ...others] = reads;
    if (first && others.length === 0) {
      const { stream, from, size } = first;
      const only = { name: 'journal-read-stream', ...eventsFrom(stream, from, size) };
      return [(await this.query<EventRow>(only)).map(recordedEvent)];
    }
    const found = reads.map((): RecordedEvent[] => []);
    const rows = await this.query<NumberedRow>(eventsOfStreams(reads));
    for (const [read, ...row] of rows) found[read]?.push(recordedEvent(row));
    return found;
  }
}
