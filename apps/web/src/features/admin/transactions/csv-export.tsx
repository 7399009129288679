import { useMutation } from '@tanstack/react-query';
import { Download, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { errorSentence, type AdminTransactionFilters } from '@/shared/api';
import { Button, toast } from '@/shared/ui';
import { downloadTransactionsCsv } from './csv-download';

const count = new Intl.NumberFormat('en-US');

export interface CsvExportProps {
  filters: AdminTransactionFilters;
  /** How many rows the filters keep; undefined while that is not known. */
  total: number | undefined;
}

/** Exports what the filters keep, with progress and a way to stop. */
export function CsvExport({ filters, total }: CsvExportProps) {
  const [rows, setRows] = useState(0);
  const abort = useRef<AbortController>(null);
  const exporting = useMutation({
    mutationFn() {
      const controller = new AbortController();
      abort.current = controller;
      setRows(0);
      return downloadTransactionsCsv({ filters, signal: controller.signal, onRows: setRows });
    },
    onSuccess: () => toast({ title: 'Export ready', description: 'The CSV file has been saved.' }),
    onError(error) {
      if (abort.current?.signal.aborted === true) return;
      toast({
        title: 'Export failed',
        description: errorSentence(error, 'The transactions could not be exported.'),
        variant: 'destructive',
      });
    },
  });
  if (!exporting.isPending) {
    return (
      <Button
        icon={<Download aria-hidden="true" className="size-4" />}
        disabled={total === 0}
        onClick={() => exporting.mutate()}
      >
        Export CSV
      </Button>
    );
  }
  return (
    <div className="flex items-center gap-2">
      <label className="grid gap-1 text-xs text-ink-muted tabular-nums">
        {total === undefined ? `${count.format(rows)} rows` : `${count.format(rows)} of ${count.format(total)} rows`}
        <progress
          className="h-1.5 w-40 overflow-hidden rounded-full accent-nova [&::-webkit-progress-bar]:bg-sky-700 [&::-webkit-progress-value]:bg-nova"
          {...(total !== undefined && { value: Math.min(rows, total), max: total })}
        />
      </label>
      <Button variant="ghost" size="icon" aria-label="Stop the export" onClick={() => abort.current?.abort()}>
        <X aria-hidden="true" className="size-4" />
      </Button>
    </div>
  );
}
