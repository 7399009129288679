import { useState } from 'react';
import { errorSentence, isOutcomeUnknown, newIdempotencyKey, sayAmount } from '@/shared/api';
import { Button, Card, Checkbox, ErrorNote, RelativeTime } from '@/shared/ui';
import { Choice } from '../choice';
import { canBeSent, isSpoilt, unfinishedBatch } from './bulk-decision';
import { BulkRows } from './bulk-rows';
import { useApplyGrants, type BulkBatch, type BulkMode, type BulkResult, type BulkVerdict } from './use-bulk-grants';

const MODES = [
  { value: 'atomic', label: 'All or none' },
  { value: 'each', label: 'Those that can be' },
] as const satisfies readonly { value: BulkMode; label: string }[];

export interface BulkReviewProps {
  csv: string;
  verdict: BulkVerdict;
  onBack: () => void;
  onDone: (result: BulkResult) => void;
}

/** What would become of each row, and the decision. */
export function BulkReview({ csv, verdict, onBack, onDone }: BulkReviewProps) {
  const { rows, acceptable, refused, total, appliedBefore } = verdict;
  const unfinished = unfinishedBatch(verdict);
  // Made once for this review: sent again after a lost answer, nothing is granted twice. A batch that was begun goes on.
  const [batchId] = useState(() => unfinished?.batchId ?? newIdempotencyKey());
  const [mode, setMode] = useState<BulkMode>(unfinished?.mode ?? (refused > 0 ? 'each' : 'atomic'));
  const [again, setAgain] = useState(false);
  const apply = useApplyGrants();
  const isRepeat = appliedBefore?.finished === true;
  const isLocked = apply.isPending || isOutcomeUnknown(apply.error);
  return (
    <Card
      flush
      takesFocus
      title={`${rowsWord(acceptable)} can be granted${refused > 0 ? `, ${refused} cannot` : ''}`}
      description={`${sayAmount(total)} in all.${unfinished === null ? ' Nothing has been granted yet.' : ''}`}
      actions={
        unfinished === null && (
          <Choice label="Which rows" options={MODES} value={mode} onChange={(next) => !isLocked && setMode(next)} />
        )
      }
    >
      <div className="grid grid-cols-1 gap-4 px-4 pb-4 sm:px-6 sm:pb-6">
        {appliedBefore !== null && <GrantedBefore batch={appliedBefore} />}
        {isRepeat && (
          <Checkbox label="Grant this file again" checked={again} onCheckedChange={setAgain} disabled={isLocked} />
        )}
        {isSpoilt(verdict, mode) && (
          <p className="text-sm text-hold">
            One row cannot be granted, so none would be. Correct it, or choose “Those that can be”.
          </p>
        )}
        {apply.error !== null && <ErrorNote>{errorSentence(apply.error, 'The rows could not be granted.')}</ErrorNote>}
        <div className="flex flex-wrap gap-3">
          <Button disabled={isLocked} onClick={onBack}>
            Back to the rows
          </Button>
          <Button
            variant="primary"
            pending={apply.isPending}
            disabled={!canBeSent(verdict, { mode, again })}
            onClick={() => apply.mutate({ csv, batchId, mode, again }, { onSuccess: onDone })}
          >
            {unfinished === null ? `Grant ${sayAmount(total)}` : 'Finish this batch'}
          </Button>
        </div>
      </div>
      <BulkRows rows={rows} label="Checked rows" />
    </Card>
  );
}

const rowsWord = (count: number): string => (count === 1 ? '1 row' : `${count} rows`);

function GrantedBefore({ batch }: { batch: BulkBatch }) {
  return (
    <output className="block rounded-sm border border-hold/30 bg-hold/12 px-3 py-2 text-sm text-ink">
      {batch.finished ? 'This very file was granted before, by ' : 'This file was started but not finished, by '}
      <bdi>{batch.admin.displayName}</bdi>, <RelativeTime iso={batch.createdAt} />.
    </output>
  );
}
