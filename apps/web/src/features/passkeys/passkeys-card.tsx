import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { errorSentence } from '@/shared/api';
import { Button, Card, EmptyState, ErrorNote } from '@/shared/ui';
import { AddPasskeyDialog } from './add-passkey-dialog';
import { canUsePasskeys } from './ceremonies';
import { PasskeyRow } from './passkey-row';
import { RecoveryCodesDialog } from './recovery-codes-dialog';
import { type PasskeyList, useMakeRecoveryCodes, usePasskeys } from './use-passkeys';

/** A member's passkeys, and the codes for the day on which none is at hand. Absent where passkeys cannot work. */
export function PasskeysCard({ email }: { email: string }) {
  const { data: list, error, refetch, isFetching } = usePasskeys();
  const [isAdding, setAdding] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (list === undefined && error === null) return null;
  if (list?.isAvailable === false) return null;
  const canAdd = list !== undefined && canUsePasskeys() && list.passkeys.length < list.limit;

  return (
    <Card
      flush
      className="mt-6"
      title="Passkeys"
      description="Sign in with your fingerprint, your face or your screen lock in place of the password. Nobody can guess or steal a passkey."
      actions={canAdd && <Button onClick={() => setAdding(true)}>Add a Passkey</Button>}
    >
      {list === undefined ? (
        <div className="px-4 pb-4 sm:px-6 sm:pb-6">
          <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
            {errorSentence(error, 'Your passkeys could not be loaded.')}
          </ErrorNote>
        </div>
      ) : (
        <Passkeys list={list} onCodes={setCodes} />
      )}
      <AddPasskeyDialog
        open={isAdding}
        email={email}
        onClose={() => setAdding(false)}
        onAdded={({ recoveryCodes }) => setCodes(recoveryCodes ?? null)}
      />
      <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />
    </Card>
  );
}

interface PasskeysProps {
  list: PasskeyList;
  onCodes: (codes: readonly string[]) => void;
}

function Passkeys({ list: { passkeys, limit, recoveryCodesLeft }, onCodes }: PasskeysProps) {
  if (passkeys.length === 0) {
    return (
      <EmptyState
        icon={KeyRound}
        title="You have no passkey"
        text={canUsePasskeys() ? 'Add one on this device.' : 'Browsers do not support passkeys at this address.'}
        className="pb-8"
      />
    );
  }
  return (
    <>
      <ul aria-label="Passkeys" className="-mt-2 divide-y divide-line">
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} isLast={passkeys.length === 1} />
        ))}
      </ul>
      {passkeys.length >= limit && (
        <p className="px-4 pb-3 text-sm text-ink-muted sm:px-6">{limit} passkeys are the most that you may have.</p>
      )}
      <RecoveryCodes left={recoveryCodesLeft} onCodes={onCodes} />
    </>
  );
}

function RecoveryCodes({ left, onCodes }: { left: number; onCodes: (codes: readonly string[]) => void }) {
  const make = useMakeRecoveryCodes();
  return (
    <div className="grid gap-3 border-t border-line p-4 sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <h3 className="text-sm font-semibold text-ink">Recovery codes</h3>
          <p className="text-sm text-ink-muted">
            {left === 0 ? 'You have none.' : `You have ${left} left.`} Each replaces a lost passkey once.
          </p>
        </div>
        <Button
          pending={make.isPending}
          onClick={() => make.mutate(undefined, { onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes) })}
        >
          Make New Codes
        </Button>
      </div>
      {make.isError && !make.isPending && (
        <ErrorNote>{errorSentence(make.error, 'The codes could not be made. Please try again.')}</ErrorNote>
      )}
    </div>
  );
}
