import type { BulkBatch, BulkMode, BulkVerdict } from './use-bulk-grants';

/** The batch of this very file that was begun and did not come to its end. */
export const unfinishedBatch = ({ appliedBefore }: BulkVerdict): BulkBatch | null =>
  appliedBefore?.finished === false ? appliedBefore : null;

/** Whether one row keeps the others from being granted. */
export const isSpoilt = (verdict: BulkVerdict, mode: BulkMode): boolean =>
  unfinishedBatch(verdict) === null && mode === 'atomic' && verdict.refused > 0;

/** A batch that was begun can always be sent again: what of it is granted already, no look at its rows tells. */
export function canBeSent(verdict: BulkVerdict, { mode, again }: { mode: BulkMode; again: boolean }): boolean {
  if (unfinishedBatch(verdict)) return true;
  return verdict.acceptable > 0 && !isSpoilt(verdict, mode) && (verdict.appliedBefore === null || again);
}
