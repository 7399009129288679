import { PASSKEY_NAME_MAX } from '@app/domain';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { errorSentence } from '@/shared/api';
import { Button, Dialog, ErrorNote, Field, RelativeTime, StayOpen, TextInput, toast } from '@/shared/ui';
import { type Passkey, useRemovePasskey, useRenamePasskey } from './use-passkeys';

/** @param isLast removing it also removes the recovery codes, and the password alone then protects the account */
export function PasskeyRow({ passkey, isLast }: { passkey: Passkey; isLast: boolean }) {
  const { name, createdAt, lastUsedAt, isSynced } = passkey;
  const [dialog, setDialog] = useState<'rename' | 'remove' | null>(null);
  const close = () => setDialog(null);
  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-3 sm:px-6">
      <KeyRound aria-hidden="true" className="size-5 shrink-0 text-ink-muted" />
      <div className="min-w-0 flex-1 basis-40">
        <p dir="auto" className="truncate text-sm font-semibold text-ink">
          {name}
        </p>
        <p className="text-xs text-ink-faint">
          Added <RelativeTime iso={createdAt} />
          {lastUsedAt !== null && (
            <span>
              {' '}
              · used <RelativeTime iso={lastUsedAt} />
            </span>
          )}
          {isSynced && <span> · on all your devices</span>}
        </p>
      </div>
      <div className="flex gap-2">
        <Button size="sm" aria-label={`Rename ${name}`} onClick={() => setDialog('rename')}>
          Rename
        </Button>
        <Button size="sm" aria-label={`Remove ${name}`} onClick={() => setDialog('remove')}>
          Remove
        </Button>
      </div>
      <Dialog open={dialog === 'rename'} onOpenChange={close} size="sm" title="Rename passkey">
        <RenameForm passkey={passkey} onDone={close} />
      </Dialog>
      <RemoveDialog open={dialog === 'remove'} passkey={passkey} isLast={isLast} onDone={close} />
    </li>
  );
}

function RenameForm({ passkey: { id, name }, onDone }: { passkey: Passkey; onDone: () => void }) {
  const rename = useRenamePasskey(id);
  const [text, setText] = useState(name);
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!rename.isPending && text.trim() !== '') rename.mutate(text, { onSuccess: onDone });
      }}
    >
      <StayOpen while={rename.isPending} />
      <Field label="Name">
        <TextInput
          dir="auto"
          autoComplete="off"
          maxLength={PASSKEY_NAME_MAX}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      {rename.isError && (
        <ErrorNote>{errorSentence(rename.error, 'The passkey was not renamed. Please try again.')}</ErrorNote>
      )}
      <Button type="submit" variant="primary" disabled={text.trim() === ''} pending={rename.isPending}>
        Save Name
      </Button>
    </form>
  );
}

interface RemoveDialogProps {
  open: boolean;
  passkey: Passkey;
  isLast: boolean;
  onDone: () => void;
}

function RemoveDialog({ open, passkey: { id, name }, isLast, onDone }: RemoveDialogProps) {
  const removal = useRemovePasskey(id);
  const remove = () =>
    removal.mutate(undefined, {
      onSuccess() {
        toast({ title: 'Passkey Removed', description: 'It can no longer sign you in.' });
        onDone();
      },
    });
  return (
    <Dialog
      open={open}
      onOpenChange={onDone}
      size="sm"
      title="Remove this passkey?"
      description={
        isLast
          ? 'It is your last one. Your recovery codes are removed too, and only your password protects your account.'
          : 'It can no longer sign you in. Your device may keep a copy. Remove it there.'
      }
      footer={
        <>
          <StayOpen while={removal.isPending} />
          <Button disabled={removal.isPending} onClick={onDone}>
            Keep It
          </Button>
          <Button variant="danger" pending={removal.isPending} onClick={remove}>
            Remove Passkey
          </Button>
        </>
      }
    >
      <p dir="auto" className="text-sm font-semibold wrap-anywhere text-ink">
        {name}
      </p>
      {removal.isError && !removal.isPending && (
        <ErrorNote className="mt-4">
          {errorSentence(removal.error, 'The passkey was not removed. Please try again.')}
        </ErrorNote>
      )}
    </Dialog>
  );
}
