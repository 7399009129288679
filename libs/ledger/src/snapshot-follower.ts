import { LedgerState } from '@app/domain';
import type { EventStore } from '@app/event-store';
import { EMPTY_HEAD, followJournal, StoreJournal, type JournalHead } from './journal-reader.js';
import type { PostgresSnapshots } from './snapshots.js';

const EVENTS_MIN = 20_000;

export interface SnapshotFollowerOptions {
  readonly store: EventStore;
  readonly snapshots: PostgresSnapshots;
  /** A snapshot is due after so many events; when absent 20,000, or a tenth of the members where that is more. */
  readonly everyEvents?: number;
}

/**
 * Follows the journal with a state of its own and writes a snapshot now and then, beside the writer and never in its way.
 * It costs the memory of a second state.
 */
export class SnapshotFollower {
  private state = new LedgerState();
  private head: JournalHead = EMPTY_HEAD;
  private saved = -1;

  constructor(private readonly options: SnapshotFollowerOptions) {}

  async start(): Promise<void> {
    const snapshot = await this.options.snapshots.newest(this.options.store);
    if (!snapshot) return;
    this.state = snapshot.state;
    this.head = snapshot.head;
    this.saved = snapshot.head.revision;
  }

  /** Reads on to the journal's end and saves when enough has come; answers with the revision saved last, −1 for none. */
  async advance(): Promise<number> {
    this.head = await followJournal(new StoreJournal(this.options.store), this.state, this.head, (head) => {
      this.head = head;
    });
    if (this.head.revision - this.saved >= this.dueAfter()) {
      await this.options.snapshots.save(this.state, this.head);
      this.saved = this.head.revision;
    }
    return this.saved;
  }

  /** What is written is as large as the members are many. */
  private dueAfter(): number {
    return this.options.everyEvents ?? Math.max(EVENTS_MIN, Math.ceil(this.state.memberCount / 10));
  }
}
