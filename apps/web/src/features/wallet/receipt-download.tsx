import { useMutation } from '@tanstack/react-query';
import { FileCheck } from 'lucide-react';
import { api, errorSentence, hasStatus, type Schemas } from '@/shared/api';
import { Button, ErrorNote } from '@/shared/ui';

/** Saves the proof that this row's event is in the sealed journal (`docs/receipts.md`). */
export function ReceiptDownload({ id }: { id: string }) {
  const download = useMutation({
    mutationFn: () => api.get('/api/nova/transactions/{id}/receipt', { path: { id } }),
    onSuccess: saveReceipt,
  });
  const { error } = download;
  return (
    <div className="grid grid-cols-1 gap-2">
      <Button
        size="sm"
        className="justify-self-start"
        icon={<FileCheck aria-hidden="true" className="size-4" />}
        pending={download.isPending}
        onClick={() => download.mutate()}
      >
        Download receipt
      </Button>
      {error !== null && hasStatus(error, 409) && (
        <output className="block max-w-prose text-sm text-ink-muted">
          {errorSentence(error, 'The receipt is available once the day is over.')}
        </output>
      )}
      {error !== null && !hasStatus(error, 409) && (
        <ErrorNote>{errorSentence(error, 'The receipt could not be loaded.')}</ErrorNote>
      )}
    </div>
  );
}

function saveReceipt(receipt: Schemas['ReceiptDto']): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(receipt, null, 2)], { type: 'application/json' }));
  link.download = `nova-receipt-${receipt.event.revision}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
