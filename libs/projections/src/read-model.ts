import type {
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

/** An event as read models see it: decoded once a process for all of them, upcast to today's shape. */
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
  /** Present for the event of the stream that tells how messages count for quests. */
  readonly questCounting?: MessagesCountOnceSuccessful;
  /** Present for events of the streams `moderation-{targetId}`. */
  readonly moderation?: ModerationEvent;
  /** The entries of `ledger`, taken apart; empty for other events. */
  readonly postings: readonly Posting[];
  /** When it happened, as text for Postgres; empty for events that are none of these. */
  readonly time: string;
}

/** One read model: its tables and how each event changes them. */
export interface ReadModel {
  /** `balances`, `statement`, …: the name of its checkpoint row. Letters, digits and `_`. */
  readonly name: string;
  /** Raised when tables or meaning change: a version above the checkpoint's is rebuilt at start. */
  readonly version: number;
  readonly streamPrefixes: readonly string[];
  /** No answer of the product waits for it: under load it is written apart from the others, in fewer and larger batches. */
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
  /** The tables have no rows: what is not in the cache need not be looked for. */
  readonly startsEmpty: boolean;
  /** Rows of a table that stay in memory; with more, they are written and forgotten. 100,000 where absent. */
  readonly cachedRowsMax?: number;
}

/** What a batch is written through: the rest of a client is the runner's. */
export type BatchClient = Pick<Client, 'query' | 'pipeline'>;

export interface ReadModelApplier {
  /**
   * Takes a batch in: reads what it needs, may write when much has gathered. `search_path` leads to the tables. A client in
   * pipeline mode takes many statements at once; a plain one takes COPY.
   */
  apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void>;
  /**
   * Writes everything that `apply` took in. The runner calls it in every transaction, a rebuild now and then. On a client in
   * pipeline mode every statement is sent before it first waits: the commit follows at once.
   */
  flush(client: BatchClient): Promise<void>;
}

export interface WaitResult {
  /** False when the time ran out: the answer is right, the read models are not there yet. */
  readonly projected: boolean;
}
