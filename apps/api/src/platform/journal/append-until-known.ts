import { setTimeout as sleep } from 'node:timers/promises';
import {
  AppendOutcomeUnknown,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  StoreUnavailable,
} from '@app/event-store';
import { AppError } from '../errors/app-error.js';
import { inSpan } from '../tracing/tracing.js';

/** After this time the caller learns that the outcome is unknown, as with the ledger. */
export const APPEND_DEADLINE_MS = 10_000;
const RETRY_MS = 20;
const RETRY_MS_MAX = 1_000;

export interface Append {
  readonly stream: string;
  /** Made once: a repetition is known by their ids. */
  readonly events: readonly NewEvent[];
  readonly expected: ExpectedRevision;
  /** As `performance.now()` counts. */
  readonly deadline: number;
}

/**
 * Appends until the outcome is known: after a time-out or a broken connection the identical events at the same revision again.
 * @throws WrongExpectedRevision somebody else was first; nothing was written
 * @throws AppError 503 at the deadline: `UNAVAILABLE` (nothing was written) or `OUTCOME_UNKNOWN`
 */
export function appendUntilKnown(store: Pick<EventStore, 'append'>, append: Append): Promise<void> {
  const [kind = ''] = append.stream.split('-', 1);
  return inSpan('append', { 'nova.stream': kind }, () => repeatUntilKnown(store, append));
}

async function repeatUntilKnown(
  store: Pick<EventStore, 'append'>,
  { stream, events, expected, deadline }: Append,
): Promise<void> {
  let mayBeWritten = false;
  for (let attempt = 0; ; attempt++) {
    try {
      await store.append(stream, events, expected);
      return;
    } catch (error) {
      if (!(error instanceof AppendOutcomeUnknown) && !(error instanceof StoreUnavailable)) throw error;
      mayBeWritten ||= error instanceof AppendOutcomeUnknown;
      if (performance.now() >= deadline) throw mayBeWritten ? outcomeUnknown(error) : storeUnavailable(error);
      await sleep(Math.min(RETRY_MS * 2 ** attempt, RETRY_MS_MAX));
    }
  }
}

/** The answer while the event store is away. */
export const storeUnavailable = (cause: unknown): AppError =>
  new AppError(503, 'UNAVAILABLE', 'The service is not available at the moment. Try again.', {
    retryAfterSeconds: 1,
    cause,
  });

/** The answer after an unknown outcome. */
export const outcomeUnknown = (cause: unknown): AppError =>
  new AppError(503, 'OUTCOME_UNKNOWN', 'We could not learn in time whether this took effect. Look again in a moment.', {
    retryAfterSeconds: 1,
    cause,
  });
