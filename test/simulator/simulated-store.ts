import { evolve, LEDGER_STREAM, type LedgerEvent, LedgerState } from '@app/domain';
import {
  type AppendResult,
  type ExpectedRevision,
  MemoryEventStore,
  type NewEvent,
  type RecordedEvent,
} from '@app/event-store';
import { checkLink, EMPTY_HEAD, type JournalHead, journalEventOf } from '@app/ledger';

/** The event store itself: the product's own in memory, with a stand-by that may lack the end of the journal. */
export class SimulatedStore {
  inner = new MemoryEventStore();
  /** It answers that it has no quorum. */
  isDown = false;
  /** Counts the stand-bys that took over. */
  life = 0;
  /** Counts what was appended. */
  appends = 0;
  /** Subscriptions that wait for news. */
  readonly waiting = new Set<() => void>();
  private decoded: LedgerEvent[] = [];
  /** The journal's last revision after each append to it. */
  private ends: number[] = [];

  async append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    const result = await this.inner.append(stream, events, expected);
    this.appends += 1;
    if (stream === LEDGER_STREAM && result.revision > (this.ends.at(-1) ?? -1)) this.ends.push(result.revision);
    for (const wake of this.waiting) wake();
    return result;
  }

  /** The position of the last event of these streams, -1 where there is none. */
  async last(streamPrefixes: readonly string[]): Promise<bigint> {
    for await (const [found] of this.inner.readAll({ streamPrefixes, direction: 'backwards', limit: 1 })) {
      if (found) return found.position;
    }
    return -1n;
  }

  async recorded(): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for await (const batch of this.inner.readStream(LEDGER_STREAM)) events.push(...batch);
    return events;
  }

  /** The journal's events so far. */
  async events(): Promise<readonly LedgerEvent[]> {
    const { decoded } = this;
    for await (const batch of this.inner.readStream(LEDGER_STREAM, { from: decoded.length })) {
      for (const recorded of batch) decoded.push(journalEventOf(recorded).event);
    }
    return decoded;
  }

  /**
   * A stand-by takes over that lacks so many of the last events, or more: a store keeps an append whole, or loses it.
   * @returns the ids of the events that are gone, undefined where it lacks nothing
   */
  async failOver(lost: number): Promise<ReadonlySet<string> | undefined> {
    const events = await this.recorded();
    const ends = this.ends.filter((end) => end < events.length - lost);
    const kept = events.slice(0, (ends.at(-1) ?? -1) + 1);
    if (kept.length === 0) return undefined;
    const standBy = new MemoryEventStore();
    const copies = kept.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }));
    await standBy.append(LEDGER_STREAM, copies, 'none');
    this.inner = standBy;
    this.life += 1;
    this.decoded = [];
    this.ends = ends;
    return new Set(events.slice(kept.length).map(({ id }) => id));
  }

  /** The journal from its first event, with every link checked; told of the state at each revision from -1, and what comes next. */
  async replay(onState: OnState = () => undefined): Promise<Replayed> {
    const state = new LedgerState();
    const events: LedgerEvent[] = [];
    let head: JournalHead = EMPTY_HEAD;
    for (const recorded of await this.recorded()) {
      const { event } = journalEventOf(recorded);
      onState(state, head.revision, event);
      head = { revision: recorded.revision, hash: checkLink(recorded, head) };
      events.push(event);
      evolve(state, event, recorded.revision);
    }
    onState(state, head.revision);
    state.indexKeys();
    return { state, events, head };
  }
}

type OnState = (state: LedgerState, revision: number, next?: LedgerEvent) => void;

export interface Replayed {
  readonly state: LedgerState;
  readonly events: readonly LedgerEvent[];
  readonly head: JournalHead;
}
