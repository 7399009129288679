import type { ClientBase, QueryArrayConfig, QueryConfig } from 'pg';
import { checkAppend } from '../check-append.js';
import {
  type AppendResult,
  type ExpectedRevision,
  type NewEvent,
  type RecordedEvent,
  StoreUnavailable,
} from '../port.js';
import {
  ANSWER_GRACE_MS,
  APPEND_BYTES_MAX,
  APPEND_MS_MAX,
  appendFailure,
  appendResult,
  type AppendRow,
  appendStatement,
  COMMITS_TO_DISK,
} from './append-statement.js';
import { eventsFrom, recordedEvent, type EventRow } from './event-rows.js';

/** What one question about the end of a stream answers. */
const END_MAX = 1_000;

/** The end of a stream, read and added to on a connection of its user's, in one exchange with other statements. */
export class StreamEnd {
  /** What such a connection needs first. Its plans are made once, and must suit a table that has grown since. */
  readonly session = `
    set enable_seqscan = off; set enable_bitmapscan = off; set plan_cache_mode = force_generic_plan;
    set statement_timeout = ${APPEND_MS_MAX}; ${COMMITS_TO_DISK}`;

  constructor(private readonly stream: string) {}

  query(from: number): QueryArrayConfig {
    return { name: 'journal-stream-end', ...eventsFrom(this.stream, from, END_MAX) };
  }

  /** Undefined where the store must be asked: there may be more. */
  eventsOf(rows: readonly EventRow[]): RecordedEvent[] | undefined {
    return rows.length < END_MAX ? rows.map(recordedEvent) : undefined;
  }

  /**
   * Adds to it in the transaction that the connection has begun, which must not have written before and is over with it,
   * committed or undone. Errors are those of `EventStore.append`; after `AppendOutcomeUnknown` the connection is of no use.
   */
  async append(client: ClientBase, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    const append = { stream: this.stream, events, expected };
    try {
      checkAppend(append, APPEND_BYTES_MAX);
    } catch (error) {
      await client.query(inTime({ text: 'rollback' }));
      throw error;
    }
    const [appended, committed] = await Promise.allSettled([
      client.query<AppendRow>(inTime(appendStatement([append]))),
      client.query(inTime({ text: 'commit' })),
    ]);
    if (appended.status === 'rejected') throw appendFailure(appended.reason);
    if (committed.status === 'rejected') throw appendFailure(committed.reason);
    if (committed.value.command !== 'COMMIT') throw new StoreUnavailable('the append was undone with its transaction');
    return appendResult(append, appended.value.rows[0]);
  }
}

/** A statement that is given up when no answer comes. */
const inTime = <Q extends QueryConfig>(statement: Q): Q => ({
  ...statement,
  query_timeout: APPEND_MS_MAX + ANSWER_GRACE_MS,
});
