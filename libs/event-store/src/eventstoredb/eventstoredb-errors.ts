import { ErrorType, WrongExpectedVersionError } from '@eventstore/db-client';
import {
  AppendOutcomeUnknown,
  AppendTooLarge,
  type ExpectedRevision,
  StoreRefused,
  StoreUnavailable,
  WrongExpectedRevision,
} from '../port.js';

/** The client's own kind of an error, or undefined: then the call was never sent. */
export function typeOf(error: unknown): string | undefined {
  return error instanceof Error && 'type' in error && typeof error.type === 'string' ? error.type : undefined;
}

/** Errors after which the append may still have been written. */
const UNKNOWN_OUTCOMES: ReadonlySet<string | undefined> = new Set([
  ErrorType.UNAVAILABLE,
  ErrorType.CANCELLED,
  ErrorType.DEADLINE_EXCEEDED,
  ErrorType.TIMEOUT,
  ErrorType.UNKNOWN,
]);

/** The port's error for a failed append. */
export function appendError(
  error: unknown,
  append: { readonly stream: string; readonly expected: ExpectedRevision },
): unknown {
  const type = typeOf(error);
  if (error instanceof WrongExpectedVersionError) {
    const actual = typeof error.actualVersion === 'bigint' ? Number(error.actualVersion) : undefined;
    return new WrongExpectedRevision(append.stream, append.expected, actual);
  }
  if (type === ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED) {
    return new AppendTooLarge('the server refused the append as too large', { cause: error });
  }
  const refused = refusal(error);
  if (refused) return refused;
  if (UNKNOWN_OUTCOMES.has(type)) {
    return new AppendOutcomeUnknown(`the append was sent and not answered: ${messageOf(error)}`, { cause: error });
  }
  return unavailable(error) ?? error;
}

/** The port's error for a failed read. */
export function readError(error: unknown): unknown {
  const refused = refusal(error);
  if (refused) return refused;
  if (UNKNOWN_OUTCOMES.has(typeOf(error))) {
    return new StoreUnavailable(`the read broke off: ${messageOf(error)}`, { cause: error });
  }
  return unavailable(error) ?? error;
}

/** Worth a retry: every error except a refusal that would be the same next time. */
export function isTransient(error: unknown): boolean {
  const told = readError(error);
  return told instanceof StoreUnavailable && !(told instanceof StoreRefused);
}

/** gRPC's codes for a user who lacks a right, or is not the one that they say. */
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

function refusal(error: unknown): StoreRefused | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === UNAUTHENTICATED) {
    return new StoreRefused('it does not know the user of its address, or not with this password', { cause: error });
  }
  if (code !== PERMISSION_DENIED && typeOf(error) !== ErrorType.ACCESS_DENIED) return undefined;
  return new StoreRefused(
    'it refuses access: its address must name a user (esdb://NAME:PASSWORD@…) who may read $all and write',
    { cause: error },
  );
}

/** A node that does not lead refuses; what has no type (code 14, a failed discovery) failed before it was sent. */
const NOT_DONE: ReadonlySet<string | undefined> = new Set([undefined, ErrorType.NOT_LEADER]);

function unavailable(error: unknown): StoreUnavailable | undefined {
  if (!NOT_DONE.has(typeOf(error))) return undefined;
  if (error instanceof TypeError || error instanceof RangeError) return undefined;
  return new StoreUnavailable(`no connection to the event store: ${messageOf(error)}`, { cause: error });
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text === '' ? (typeOf(error) ?? 'no reason given') : text;
}
