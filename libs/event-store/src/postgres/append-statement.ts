import type { QueryArrayConfig } from 'pg';
import {
  AppendOutcomeUnknown,
  type AppendResult,
  type ExpectedRevision,
  type NewEvent,
  StoreUnavailable,
  WrongExpectedRevision,
} from '../port.js';
import { isTransient, isUndone, messageOf } from './postgres-errors.js';

/** Data, metadata and types of one append. */
export const APPEND_BYTES_MAX = 4_194_304;
/** The default time after which an unanswered append is given up. */
export const APPEND_MS_MAX = 10_000;
/** How much longer than the server's own time-out the client waits for its answer. */
export const ANSWER_GRACE_MS = 2_000;
/** Revisions are 32-bit in the table; an expectation beyond any of them is a conflict like any other. */
const EXPECTED_REVISION_MAX = 2_000_000_000;

/** For a session that appends: an acknowledgement means that the commit is on disk, whatever the server's default is. */
export const COMMITS_TO_DISK = `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`;

export interface Append {
  readonly stream: string;
  readonly events: readonly NewEvent[];
  readonly expected: ExpectedRevision;
}

export type AppendRow = [status: string, revision: number];

/** Of different streams, all in one transaction, of which it is the first write. It answers with a row each. */
export function appendStatement(appends: readonly Append[]): QueryArrayConfig {
  return {
    name: 'journal-append',
    text: 'select status, revision from journal.append($1, $2, $3, $4, $5, $6, $7)',
    values: parametersOf(appends),
    rowMode: 'array',
  };
}

/**
 * @throws WrongExpectedRevision
 * @throws AppendOutcomeUnknown there is no row for it
 */
export function appendResult(append: Append, row: AppendRow | undefined): AppendResult {
  if (row === undefined) throw new AppendOutcomeUnknown('the event store gave no answer for this append');
  const [status, revision] = row;
  if (status === 'conflict') {
    throw new WrongExpectedRevision(append.stream, append.expected, revision < 0 ? undefined : revision);
  }
  return { revision };
}

/** What the failure of a statement that was sent means for its appends. */
export function appendFailure(error: unknown): unknown {
  if (!isUndone(error)) {
    return new AppendOutcomeUnknown(`the append was sent and not answered: ${messageOf(error)}`, { cause: error });
  }
  if (!isTransient(error)) return error;
  return new StoreUnavailable(`the append was undone: ${messageOf(error)}`, { cause: error });
}

function parametersOf(appends: readonly Append[]): string[] {
  const events = appends.length === 1 && appends[0] ? appends[0].events : appends.flatMap((append) => append.events);
  return [
    appends.map((append) => append.stream).join('\n'),
    appends.map((append) => expectedNumber(append.expected)).join('\n'),
    appends.map((append) => append.events.length).join('\n'),
    events.map((event) => event.id).join('\n'),
    events.map((event) => event.type).join('\n'),
    events.map((event) => event.data).join('\n'),
    events.map((event) => event.metadata).join('\n'),
  ];
}

function expectedNumber(expected: ExpectedRevision): number {
  if (expected === 'none') return -1;
  if (expected === 'any') return -2;
  return Math.min(expected, EXPECTED_REVISION_MAX);
}
