import { FactCodec } from '../fact-codec.js';

/** An unexplained difference between the payment provider's books and ours. */
export interface DifferenceFlagged {
  readonly type: 'DifferenceFlagged';
  /** The movement at the provider, or the event of ours, that has no match. */
  readonly subjectId: string;
  /** Why, as a stable word. */
  readonly code: string;
  /** US cents, as the provider's balance moved or should have. */
  readonly cents: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The difference is gone. An admin's explanation is an event of its own (`moderation-{subject}`). */
export interface DifferenceSettled {
  readonly type: 'DifferenceSettled';
  readonly subjectId: string;
  readonly at: number;
}

export type ReconciliationEvent = DifferenceFlagged | DifferenceSettled;

export const RECONCILIATION_STREAM_PREFIX = 'reconciliation-';
export const reconciliationStream = (subjectId: string): string => `${RECONCILIATION_STREAM_PREFIX}${subjectId}`;

const codec = new FactCodec<ReconciliationEvent>({
  DifferenceFlagged: { subjectId: 'text', code: 'text', cents: 'number', at: 'number' },
  DifferenceSettled: { subjectId: 'text', at: 'number' },
});

export const encodeReconciliationEvent = (event: ReconciliationEvent): string => codec.encode(event);

/** @throws UnreadableFact for what this version does not know */
export const decodeReconciliationEvent = (type: string, data: string): ReconciliationEvent => codec.decode(type, data);

/** Whether a difference is flagged by the last event about it. */
export const isFlagged = (_: boolean, { type }: ReconciliationEvent): boolean => type === 'DifferenceFlagged';
