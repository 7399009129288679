import { auditEvent, LedgerState } from '@app/domain';
import type { EventStore } from '@app/event-store';
import {
  type BeforeEvent,
  EMPTY_HEAD,
  followJournal,
  StoreJournal,
  TornJournal,
  type JournalHead,
} from './journal-reader.js';
import { ForgedEvent } from './signing/range-reader.js';
import type { JournalTrust } from './signing/trust.js';
import type { PostgresSnapshots } from './snapshots.js';

const EVENTS_MIN = 20_000;

export interface SnapshotFollowerOptions {
  readonly store: EventStore;
  readonly snapshots: PostgresSnapshots;
  /** Which signed journal is ours: nothing else gets into a snapshot. */
  readonly trust?: JournalTrust | undefined;
  /** A snapshot is due after this many events; by default 20,000, or a tenth of the members if that is more. */
  readonly everyEvents?: number;
  /** Called, with a sentence, for each event that no command can have made on the state before it (`auditEvent`). */
  readonly onBreach?: (sentence: string) => void;
}

/**
 * Follows the journal with its own state and writes snapshots, beside the writer and never in its way. It checks each
 * event against the ledger's rules: a start accepts what balances, this reports the rest. It costs the memory of a
 * second state.
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
    const onBatch = (head: JournalHead): void => {
      this.head = head;
    };
    const journal = new StoreJournal(this.options.store, { trust: this.options.trust });
    try {
      await followJournal(journal, this.state, this.head, onBatch, this.beforeEvent());
    } catch (error) {
      // The writer says so: here it is the journal's end.
      if (!(error instanceof ForgedEvent) && !(error instanceof TornJournal)) throw error;
    }
    if (this.head.revision - this.saved >= this.dueAfter()) {
      await this.options.snapshots.save(this.state, this.head);
      this.saved = this.head.revision;
    }
    return this.saved;
  }

  private beforeEvent(): BeforeEvent | undefined {
    const { onBreach } = this.options;
    if (!onBreach) return undefined;
    return (state, event, { revision }) => {
      const breach = auditEvent(state, event);
      if (breach !== undefined) onBreach(`revision ${revision}: ${event.type} ${breach}`);
    };
  }

  /** What is written is as large as the members are many. */
  private dueAfter(): number {
    return this.options.everyEvents ?? Math.max(EVENTS_MIN, Math.ceil(this.state.memberCount / 10));
  }
}
