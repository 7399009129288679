import type { LedgerCommand, LedgerEvent, Rejection } from '@app/domain';
import type { Origin } from './envelope.js';

/**
 * One command on its way to the journal (rule ledger-22). One without a correlation id gets one of its own.
 */
export interface CommandRequest extends Origin {
  readonly command: LedgerCommand;
  /** Who does it: see `Stamp`. */
  readonly actor: string;
  /** What led to it outside the ledger: a payment intent, a chat event, a request id. */
  readonly cause?: string;
  /**
   * Takes effect once. `scope` is actor, client and call for a caller's own key (`member:{id}:gifts.send`) and `fact` for
   * keys made from facts (`stripe:{paymentIntent}`).
   */
  readonly key?: { readonly scope: string; readonly value: string };
  /** Decide and answer, append nothing. With a key that took effect before, the answer is that of then. */
  readonly dryRun?: boolean;
  /** When the caller gives up waiting, in milliseconds from now (10 s when absent). */
  readonly timeoutMs?: number;
}

export interface JournalEvent {
  readonly id: string;
  readonly revision: number;
  readonly event: LedgerEvent;
}

export type CommandOutcome =
  | {
      readonly status: 'accepted';
      /** The command's own events, in order. In a dry run their ids are empty and revisions are what they would be. */
      readonly events: readonly JournalEvent[];
      /** The last event's revision: wait for it in the projections. */
      readonly revision: number;
      /** This key had taken effect before: these are the events of that time. */
      readonly repeated: boolean;
      /**
       * Spendable Nova (purchased + earned + owed, minor units) of every member named in the events, after them. Absent
       * when `repeated`.
       */
      readonly balances?: ReadonlyMap<string, bigint>;
      /** The same before them, of a dry run: what the command itself brings back to its sender is in `balances` alone. */
      readonly balancesBefore?: ReadonlyMap<string, bigint>;
      /**
       * Of what a member spent or gave through an application: all that they did so on that UTC day, this included, in minor
       * units. Absent for everything else, and when `repeated`.
       */
      readonly spentToday?: bigint;
    }
  | { readonly status: 'refused'; readonly rejection: Rejection; readonly revision: number }
  | { readonly status: 'key-reused' };

export interface Ledger {
  /**
   * Resolves once everything that the answer rests on is durable.
   * @throws LedgerBusy never sent: the queue is full, the clock is off or the key index is behind; try again later
   * @throws LedgerOutcomeUnknown at the deadline: repeat with the same key
   */
  execute(request: CommandRequest): Promise<CommandOutcome>;

  /** The last durable revision that this process knows, −1 for an empty journal. */
  readonly revision: number;

  /** Resolves when the state is loaded and commands are taken. */
  start(): Promise<void>;

  /** Takes no more commands, finishes those under way, ends. */
  stop(): Promise<void>;
}

/** Nothing was done. */
export class LedgerBusy extends Error {
  override readonly name: string = 'LedgerBusy';
  readonly code: 'BUSY' | 'JOURNAL_STOPPED' = 'BUSY';
  readonly retryAfterSeconds = 1;
}

/** The journal has events that cannot be followed: nothing is written until an operator has looked. */
export class JournalStopped extends LedgerBusy {
  override readonly name = 'JournalStopped';
  override readonly code = 'JOURNAL_STOPPED';
}

export class LedgerOutcomeUnknown extends Error {
  override readonly name = 'LedgerOutcomeUnknown';
  readonly code = 'OUTCOME_UNKNOWN';
  readonly retryAfterSeconds = 1;
}

/** Where keys outside the state's window are looked up: the projection `key_index`. */
export interface KeyIndex {
  /**
   * One query for all hashes (32 hex digits). `through` is the last ledger revision that the index holds, read in the same
   * snapshot.
   */
  find(hashes: readonly string[]): Promise<{
    readonly through: number;
    readonly found: ReadonlyMap<string, { readonly fingerprint: string; readonly revision: number }>;
  }>;
}
