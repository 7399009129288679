import type { BulkBatch, BulkMode, BulkVerdict } from './use-bulk-grants';

/** The batch of this very file that was started but not finished. */
export const unfinishedBatch = ({ appliedBefore }: BulkVerdict): BulkBatch | null =>
  appliedBefore?.finished === false ? appliedBefore : null;

/** Whether one refused row prevents the others from being granted. */
export const isSpoilt = (verdict: BulkVerdict, mode: BulkMode): boolean =>
  unfinishedBatch(verdict) === null && mode === 'atomic' && verdict.refused > 0;

/**
 * A batch that was started can always be sent again, because its rows do not show which of them are already granted.
 */
export function canBeSent(verdict: BulkVerdict, { mode, again }: { mode: BulkMode; again: boolean }): boolean {
  if (unfinishedBatch(verdict)) return true;
  return verdict.acceptable > 0 && !isSpoilt(verdict, mode) && (verdict.appliedBefore === null || again);
}
