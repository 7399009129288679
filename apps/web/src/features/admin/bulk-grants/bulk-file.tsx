import { FileUp } from 'lucide-react';
import { useRef } from 'react';
import { errorSentence } from '@/shared/api';
import { Button, Card, ErrorNote, Field, Textarea } from '@/shared/ui';
import { useCheckGrants, type BulkVerdict } from './use-bulk-grants';

const EXAMPLE = 'email,amount,reason\nada@example.com,500,Winner of the week';

export interface BulkFileProps {
  /** It comes after another step. */
  takesFocus: boolean;
  csv: string;
  onChange: (csv: string) => void;
  onChecked: (verdict: BulkVerdict, csv: string) => void;
}

/** Where a file is pasted or picked, and checked: nothing is granted here. */
export function BulkFile({ takesFocus, csv, onChange, onChecked }: BulkFileProps) {
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
              // The same file can be picked again after it was changed.
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
