import type { RecordedEvent } from '@app/event-store';
import type { LedgerEvent } from '@app/domain';
import type { PoolClient } from 'pg';

/** A ledger event as read models see it: decoded once a process, upcast to today's shape. */
export interface ProjectedEvent {
  readonly recorded: RecordedEvent;
  /** Present for events of stream `ledger`. */
  readonly ledger?: LedgerEvent;
}

/** One read model: its tables and how each event changes them. */
export interface ReadModel {
  /** `balances`, `statement`, …: the name of its checkpoint row, and the prefix of nothing else. */
  readonly name: string;
  /** Raised when tables or meaning change: a version that differs from the checkpoint's is rebuilt at start. */
  readonly version: number;
  readonly streamPrefixes: readonly string[];
  /** Tables, without schema: a live version is in schema `read`, a rebuild in `read_next_{name}`, swapped at the end. */
  readonly tables: readonly string[];
  /** DDL for all its tables; unqualified names: the runner sets `search_path`. Indexes that a rebuild adds last are in `indexes`. */
  readonly ddl: string;
  readonly indexes: string;
  /** An applier holds what it caches between batches; a new one is made whenever ownership is taken or a batch fails. */
  createApplier(): ReadModelApplier;
}

export interface ReadModelApplier {
  /** Applies a batch inside the runner's transaction; `search_path` leads to the tables. */
  apply(client: PoolClient, events: readonly ProjectedEvent[]): Promise<void>;
}

export interface WaitResult {
  /** False when the time ran out: the answer is right, the read models are not there yet. */
  readonly projected: boolean;
}
