import { useState } from 'react';
import { errorSentence, formatNova, sayAmount } from '@/shared/api';
import { Button, Dialog, ErrorNote, StayOpen } from '@/shared/ui';
import { readDailyLimit } from './daily-limit';
import { DailyLimitField } from './daily-limit-field';
import { useChangeLimit } from './use-authorized';

export interface LimitedApplication {
  clientId: string;
  name: string;
  dailyLimit: number;
}

export interface ChangeLimitDialogProps {
  /** Null while the dialog is closed. */
  application: LimitedApplication | null;
  onClose: () => void;
}

/** Changes how much an application may spend in a day. */
export function ChangeLimitDialog({ application, onClose }: ChangeLimitDialogProps) {
  return (
    <Dialog
      open={application !== null}
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title="Change the daily limit"
      description={<bdi>{application?.name}</bdi>}
    >
      {application !== null && <LimitForm application={application} onDone={onClose} />}
    </Dialog>
  );
}

function LimitForm({ application, onDone }: { application: LimitedApplication; onDone: () => void }) {
  const change = useChangeLimit(application.clientId);
  const [text, setText] = useState(formatNova(application.dailyLimit, { decimals: 'trim' }));
  const limit = readDailyLimit(text);
  return (
    <form
      noValidate
      className="grid grid-cols-1 gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (limit !== null) change.mutate(limit, { onSuccess: onDone });
      }}
    >
      <StayOpen while={change.isPending} />
      <DailyLimitField text={text} readOnly={change.isPending} onTextChange={setText} />
      {change.error !== null && !change.isPending && (
        <ErrorNote>{errorSentence(change.error, 'The limit was not changed.')}</ErrorNote>
      )}
      <Button type="submit" size="lg" variant="primary" disabled={limit === null} pending={change.isPending}>
        {limit === null ? 'Set the limit' : `Set ${sayAmount(limit)} a day`}
      </Button>
    </form>
  );
}
