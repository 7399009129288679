import { useState } from 'react';
import { BulkFile } from './bulk-file';
import { BulkHistory } from './bulk-history';
import { BulkOutcome } from './bulk-outcome';
import { BulkReview } from './bulk-review';
import type { BulkResult, BulkVerdict } from './use-bulk-grants';

/** A file on its way: checked, then granted. */
type Step =
  | { name: 'file'; isFirst?: true }
  | { name: 'review'; verdict: BulkVerdict; csv: string }
  | { name: 'done'; result: BulkResult };

/** Grants of Nova to many members at once: a file, what would become of it, and the grant. */
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
          onDone={(result) => setStep({ name: 'done', result })}
        />
      )}
      {step.name === 'done' && <BulkOutcome result={step.result} onRestart={restart} />}
      <BulkHistory />
    </div>
  );
}
