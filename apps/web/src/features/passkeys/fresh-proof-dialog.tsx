import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { api } from '@/shared/api';
import { Button, Dialog, ErrorNote, Field, StayOpen, TextInput } from '@/shared/ui';
import { canUsePasskeys, passkeyFailure, proveByPasskey } from './ceremonies';

export interface FreshProofDialogProps {
  open: boolean;
  onDone: (isProven: boolean) => void;
}

/** Asks the member to prove that it is still them: by passkey, or by a recovery code in its place. */
export function FreshProofDialog({ open, onDone }: FreshProofDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={() => onDone(false)}
      size="sm"
      title="Confirm it is you"
      description="This needs your passkey. You will not be asked again for ten minutes."
    >
      {open && <Proof onProven={() => onDone(true)} />}
    </Dialog>
  );
}

function Proof({ onProven }: { onProven: () => void }) {
  const [byCode, setByCode] = useState(!canUsePasskeys());
  return byCode ? (
    <CodeProof onProven={onProven} onBack={canUsePasskeys() ? () => setByCode(false) : undefined} />
  ) : (
    <PasskeyProof onProven={onProven} onCode={() => setByCode(true)} />
  );
}

function PasskeyProof({ onProven, onCode }: { onProven: () => void; onCode: () => void }) {
  const proof = useMutation({ mutationFn: proveByPasskey, onSuccess: onProven });
  return (
    <div className="grid gap-3">
      <StayOpen while={proof.isPending} />
      {proof.isError && <ErrorNote>{passkeyFailure(proof.error)}</ErrorNote>}
      <Button
        variant="primary"
        size="lg"
        icon={<KeyRound aria-hidden="true" className="size-4" />}
        pending={proof.isPending}
        pendingText="Please wait..."
        onClick={() => proof.mutate()}
      >
        Use your passkey
      </Button>
      <Button variant="ghost" disabled={proof.isPending} onClick={onCode}>
        Use a recovery code instead
      </Button>
    </div>
  );
}

function CodeProof({ onProven, onBack }: { onProven: () => void; onBack: (() => void) | undefined }) {
  const [recoveryCode, setCode] = useState('');
  const proof = useMutation({
    mutationFn: () => api.post('/api/auth/fresh-proof', { body: { recoveryCode } }),
    onSuccess: onProven,
  });
  return (
    <form
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!proof.isPending && recoveryCode.trim() !== '') proof.mutate();
      }}
    >
      <StayOpen while={proof.isPending} />
      <Field label="Recovery Code" hint="Each code works once.">
        <TextInput
          autoComplete="off"
          spellCheck={false}
          value={recoveryCode}
          onChange={(event) => setCode(event.target.value)}
        />
      </Field>
      {proof.isError && <ErrorNote>{passkeyFailure(proof.error)}</ErrorNote>}
      <Button type="submit" variant="primary" size="lg" pending={proof.isPending} pendingText="Please wait...">
        Confirm
      </Button>
      {onBack && (
        <Button variant="ghost" disabled={proof.isPending} onClick={onBack}>
          Use your passkey instead
        </Button>
      )}
    </form>
  );
}
