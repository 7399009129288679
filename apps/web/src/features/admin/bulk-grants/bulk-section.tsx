import { FileSpreadsheet, FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { errorSentence, isOutcomeUnknown, newIdempotencyKey, sayAmount } from '@/shared/api';
import { Amount, Badge, Button, Card, Checkbox, ErrorNote, Field, RelativeTime, Textarea } from '@/shared/ui';
import { isWaiting, type WaitingAct } from '../approvals/use-approvals';
import { WaitingNote } from '../approvals/waiting-note';
import { Choice } from '../choice';
import { ListBody, SkeletonRows } from '../list-body';
import { Pager } from '../pager';
import { canBeSent, isSpoilt, unfinishedBatch } from './bulk-decision';
import { BulkRows } from './bulk-rows';
import {
  type BulkBatch,
  type BulkMode,
  type BulkResult,
  type BulkVerdict,
  useApplyGrants,
  useBulkBatches,
  useCheckGrants,
} from './use-bulk-grants';

/** The steps of a file: it is checked, then granted. */
type Step =
  | { name: 'file'; isFirst?: true }
  | { name: 'review'; verdict: BulkVerdict; csv: string }
  | { name: 'done'; result: BulkResult }
  | { name: 'waiting'; act: WaitingAct };

/** Grants Nova to many members at once: from a file, over a preview of the outcome, to the grant. */
export function BulkSection() {
  const [csv, setCsv] = useState('');
  const [step, setStep] = useState<Step>({ name: 'file', isFirst: true });
  const restart = () => {
    setCsv('');
    setStep({ name: 'file' });
  };
  return (
    <div className="grid grid-cols-1 gap-6">
      {step.name === 'file' && (
        <BulkFile
          takesFocus={!step.isFirst}
          csv={csv}
          onChange={setCsv}
          onChecked={(verdict, checked) => setStep({ name: 'review', verdict, csv: checked })}
        />
      )}
      {step.name === 'review' && (
        <BulkReview
          csv={step.csv}
          verdict={step.verdict}
          onBack={() => setStep({ name: 'file' })}
          onDone={(answer) =>
            setStep(isWaiting(answer) ? { name: 'waiting', act: answer } : { name: 'done', result: answer })
          }
        />
      )}
      {step.name === 'waiting' && (
        <Card takesFocus title="This file waits for a second admin">
          <WaitingNote act={step.act} onDone={restart} />
        </Card>
      )}
      {step.name === 'done' && <BulkOutcome result={step.result} onRestart={restart} />}
      <BulkHistory />
    </div>
  );
}

/** What was granted, row by row. */
function BulkOutcome({ result, onRestart }: { result: BulkResult; onRestart: () => void }) {
  const { message, rows, repeated } = result;
  return (
    <Card
      flush
      takesFocus
      title={message}
      description={repeated ? 'This batch was granted before. Nothing was granted now.' : undefined}
      actions={<Button onClick={onRestart}>Grant another file</Button>}
    >
      <BulkRows rows={rows} label="Granted rows" />
    </Card>
  );
}

/** Which files were granted, when and by whom. */
function BulkHistory() {
  const [page, setPage] = useState(1);
  const batches = useBulkBatches(page);
  return (
    <Card title="Granted files" flush aria-busy={batches.isFetching}>
      <ListBody
        list={batches}
        failure="The granted files could not be loaded."
        empty={{ icon: FileSpreadsheet, title: 'No files yet', text: 'Granted files are listed here.' }}
        isFiltered={false}
        onClear={() => undefined}
        onFirstPage={() => setPage(1)}
        skeleton={<SkeletonRows label="Loading granted files" count={3} />}
      >
        {(found) => (
          <ul className="divide-y divide-line border-t border-line">
            {found.batches.map((batch) => (
              <BatchItem key={batch.batchId} batch={batch} />
            ))}
          </ul>
        )}
      </ListBody>
      {batches.data !== undefined && (
        <Pager label="Pages of granted files" pagination={batches.data.pagination} onGoTo={setPage} />
      )}
    </Card>
  );
}

function BatchItem({ batch }: { batch: BulkBatch }) {
  const { admin, mode, createdAt, finished, rows, granted, total } = batch;
  return (
    <li className="flex items-center gap-3 px-4 py-3 text-sm sm:px-6">
      <div className="min-w-0 flex-1">
        <p className="text-ink">
          {granted} of {rows} rows{' '}
          <span className="text-ink-faint">· {mode === 'atomic' ? 'all or none' : 'row by row'}</span>
        </p>
        <p className="text-xs text-ink-faint">
          <bdi>{admin.displayName}</bdi> · <RelativeTime iso={createdAt} />
        </p>
      </div>
      {!finished && <Badge tone="hold">Not finished</Badge>}
      <Amount value={total} />
    </li>
  );
}

const EXAMPLE = 'email,amount,reason\nada@example.com,500,Winner of the week';

interface BulkFileProps {
  /** This step follows another one. */
  takesFocus: boolean;
  csv: string;
  onChange: (csv: string) => void;
  onChecked: (verdict: BulkVerdict, csv: string) => void;
}

/** Where a file is pasted or picked, and checked; nothing is granted here. */
function BulkFile({ takesFocus, csv, onChange, onChecked }: BulkFileProps) {
  const check = useCheckGrants();
  const picker = useRef<HTMLInputElement>(null);
  const pick = async (file: File | undefined) => {
    if (file === undefined) return;
    check.reset();
    onChange(await file.text());
  };
  return (
    <Card
      takesFocus={takesFocus}
      title="Bulk grants"
      description="Up to 500 rows of CSV: e-mail address or user id, amount of Nova, reason. Nova checks them first."
    >
      <form
        noValidate
        className="grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          check.mutate(csv, { onSuccess: onChecked });
        }}
      >
        <Field label="Rows" hint="Paste them here, for example from a spreadsheet, or choose a file.">
          <Textarea
            rows={8}
            spellCheck={false}
            placeholder={EXAMPLE}
            className="font-mono"
            readOnly={check.isPending}
            value={csv}
            onChange={({ target }) => onChange(target.value)}
          />
        </Field>
        {check.error !== null && <ErrorNote>{errorSentence(check.error, 'The rows could not be checked.')}</ErrorNote>}
        <div className="flex flex-wrap gap-3">
          <input
            ref={picker}
            type="file"
            accept=".csv,.tsv,.txt,text/csv,text/plain"
            aria-label="CSV file"
            className="sr-only"
            tabIndex={-1}
            onChange={({ target }) => {
              void pick(target.files?.[0]);
              // Allows the same file to be picked again after it was changed.
              target.value = '';
            }}
          />
          <Button icon={<FileUp aria-hidden="true" className="size-4" />} onClick={() => picker.current?.click()}>
            Choose a file
          </Button>
          <Button type="submit" variant="primary" pending={check.isPending} disabled={csv.trim() === ''}>
            Check the rows
          </Button>
        </div>
      </form>
    </Card>
  );
}

const MODES = [
  { value: 'atomic', label: 'All or none' },
  { value: 'each', label: 'All valid rows' },
] as const satisfies readonly { value: BulkMode; label: string }[];

interface BulkReviewProps {
  csv: string;
  verdict: BulkVerdict;
  onBack: () => void;
  onDone: (answer: BulkResult | WaitingAct) => void;
}

/** The outcome for each row, and the decision. */
function BulkReview({ csv, verdict, onBack, onDone }: BulkReviewProps) {
  const { rows, acceptable, refused, total, appliedBefore } = verdict;
  const unfinished = unfinishedBatch(verdict);
  // Created once for this review, so that sending again after a lost answer grants nothing twice. A batch that was
  // started continues.
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
            One row cannot be granted, so none would be. Correct it, or choose “All valid rows”.
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
      {batch.finished ? 'This file was already granted, by ' : 'This file was started but not finished, by '}
      <bdi>{batch.admin.displayName}</bdi>, <RelativeTime iso={batch.createdAt} />.
    </output>
  );
}
