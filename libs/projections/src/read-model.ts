import type {
  BooksEvent,
  ChatEvent,
  ContentEvent,
  EngagementEvent,
  LedgerEvent,
  MemberEvent,
  MessagesCountOnceSuccessful,
  ModerationEvent,
  QuestCreated,
} from '@app/domain';
import type { RecordedEvent } from '@app/event-store';
import type { Client } from 'pg';
import type { Posting } from './runner/postings.js';

/** An event as read models see it: decoded once in each process for all of them, and upcast to the current shape. */
export interface ProjectedEvent {
  readonly recorded: RecordedEvent;
  /** Present for events of stream `ledger`. */
  readonly ledger?: LedgerEvent;
  /** Present for events of the streams `chat-{id}`. */
  readonly chat?: ChatEvent;
  /** Present for events of the streams `user-{id}`. */
  readonly member?: MemberEvent;
  /** Present for events of the streams `content-{id}` and `card-{memberId}`. */
  readonly content?: ContentEvent;
  /** Present for events of the streams `engagement-{postId}:{viewerId}` and `perks-{memberId}`. */
  readonly engagement?: EngagementEvent;
  /** Present for events of the streams `quest-{id}`. */
  readonly quest?: QuestCreated;
  /** Present for the event of the stream that records how messages count for quests. */
  readonly questCounting?: MessagesCountOnceSuccessful;
  /** Present for events of the streams `moderation-{targetId}`. */
  readonly moderation?: ModerationEvent;
  /** Present for events of stream `books`. */
  readonly books?: BooksEvent;
  /** The parsed entries of `ledger`; empty for other events. */
  readonly postings: readonly Posting[];
  /** The time of the event, as text for Postgres; empty for events of other kinds. */
  readonly time: string;
}

/** One read model: its tables and how each event changes them. */
export interface ReadModel {
  /** `balances`, `statement`, …: the name of its checkpoint row. Letters, digits and `_`. */
  readonly name: string;
  /** Raised when tables or meaning change: a version above the checkpoint's is rebuilt at start. */
  readonly version: number;
  readonly streamPrefixes: readonly string[];
  /** No request waits for it: under load it is written in transactions of its own, in fewer and larger batches. */
  readonly isBackground?: true;
  /** Tables, without schema: a live version is in schema `read`, a rebuild in `read_next_{name}`, swapped at the end. */
  readonly tables: readonly string[];
  /** DDL of its tables, with the keys that writing needs; unqualified names: the runner sets `search_path`. */
  readonly ddl: string;
  /** Keys and indexes that only reading needs: a rebuild makes them last, over the full tables. */
  readonly indexes: string;
  /** An applier holds what it caches between batches; a new one is made whenever ownership is taken or a batch fails. */
  createApplier(options: ApplierOptions): ReadModelApplier;
}

export interface ApplierOptions {
  /** The tables begin empty, so rows that are not in the cache need no look-up. */
  readonly startsEmpty: boolean;
  /** How many rows of a table stay in memory. Beyond that, they are written and dropped. 100,000 if absent. */
  readonly cachedRowsMax?: number;
}

/** The part of a client through which appliers write a batch; the runner uses the rest. */
export type BatchClient = Pick<Client, 'query' | 'pipeline'>;

export interface ReadModelApplier {
  /**
   * Takes in a batch: reads what it needs, and may write if much has gathered. `search_path` leads to the tables. A
   * client in pipeline mode takes many statements at once; a plain one takes COPY.
   */
  apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void>;
  /**
   * Writes everything that `apply` took in. The runner calls it in every transaction, a rebuild from time to time. On a
   * client in pipeline mode it sends every statement before it first waits, because the commit follows at once.
   */
  flush(client: BatchClient): Promise<void>;
}

export interface WaitResult {
  /** False if the time ran out: the command took effect, but the read models are not there yet. */
  readonly projected: boolean;
}
