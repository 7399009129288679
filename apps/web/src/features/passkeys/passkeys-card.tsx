import { deviceName, PASSKEY_NAME_MAX } from '@app/domain';
import { zodResolver } from '@hookform/resolvers/zod';
import { KeyRound } from 'lucide-react';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { ALL_FIELDS_REQUIRED } from '@/features/identity/auth-schemas';
import { readFieldErrors } from '@/features/identity/field-errors';
import { errorSentence, hasCode } from '@/shared/api';
import {
  Button,
  Card,
  CopyButton,
  Dialog,
  EmptyState,
  ErrorNote,
  Field,
  FieldError,
  PasswordInput,
  StayOpen,
  TextInput,
  toast,
} from '@/shared/ui';
import { canUsePasskeys, passkeyFailure } from './ceremonies';
import { PasskeyRow } from './passkey-row';
import { type NewPasskey, type PasskeyList, useAddPasskey, useMakeRecoveryCodes, usePasskeys } from './use-passkeys';

/** A member's passkeys, and the recovery codes for when none is at hand. Absent where passkeys cannot work. */
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

interface RecoveryCodesDialogProps {
  /** Null while the dialog is closed. */
  codes: readonly string[] | null;
  onClose: () => void;
}

/** New recovery codes, which cannot be shown again. */
function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  return (
    <Dialog
      open={codes !== null}
      onOpenChange={onClose}
      title="Keep your recovery codes"
      description="You see them only now. Write them down, or keep them in your password manager. Each replaces a lost passkey once. Earlier codes no longer work."
      footer={
        <Button variant="primary" onClick={onClose}>
          I Have Kept Them
        </Button>
      }
    >
      <div className="relative rounded-md border border-line bg-sky-900 p-3 pr-14">
        <ul aria-label="Recovery codes" className="grid gap-1 font-mono text-sm text-ink">
          {codes?.map((code) => (
            <li key={code} className="wrap-anywhere">
              {code}
            </li>
          ))}
        </ul>
        <CopyButton className="absolute top-1.5 right-1.5" text={codes?.join('\n') ?? ''} label="Copy all codes" />
      </div>
    </Dialog>
  );
}

const WRONG_PASSWORD = 'WRONG_PASSWORD';

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, ALL_FIELDS_REQUIRED)),
  password: z.string().check(z.minLength(1, ALL_FIELDS_REQUIRED)),
});

interface AddPasskeyDialogProps {
  open: boolean;
  email: string;
  onClose: () => void;
  onAdded: (added: { recoveryCodes?: string[] }) => void;
}

/** Asks for a name and the password; then the browser makes the device create a passkey. */
function AddPasskeyDialog({ open, onClose, ...form }: AddPasskeyDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      size="sm"
      title="Add a passkey"
      description="Your browser asks you for your fingerprint, your face or your screen lock next."
    >
      <AddPasskeyForm {...form} onDone={onClose} />
    </Dialog>
  );
}

interface FormProps extends Pick<AddPasskeyDialogProps, 'email' | 'onAdded'> {
  onDone: () => void;
}

function AddPasskeyForm({ email, onAdded, onDone }: FormProps) {
  const usernameId = useId();
  const { register, handleSubmit, setError, formState } = useForm<NewPasskey>({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: { name: deviceName(navigator.userAgent), password: '' },
  });
  const errors = readFieldErrors(formState.errors, ALL_FIELDS_REQUIRED);
  const add = useAddPasskey();
  const send = (values: NewPasskey) =>
    add.mutate(values, {
      onSuccess(added) {
        toast({ title: 'Passkey Added', description: 'You can now sign in with it.' });
        onDone();
        onAdded(added);
      },
      onError(error) {
        if (hasCode(error, WRONG_PASSWORD)) setError('password', { message: error.sentence }, { shouldFocus: true });
      },
    });
  return (
    <form
      noValidate
      aria-label="Add a passkey"
      className="grid gap-4"
      onSubmit={(event) => void handleSubmit((values) => !add.isPending && send(values))(event)}
    >
      <StayOpen while={add.isPending} />
      {/* Tells password managers whose password it is. */}
      <input id={usernameId} hidden readOnly autoComplete="username" value={email} />
      <Field label="Name" hint="A name to recognise it by." {...errors.props('name')}>
        <TextInput {...register('name')} dir="auto" autoComplete="off" maxLength={PASSKEY_NAME_MAX} />
      </Field>
      <Field label="Your Password" {...errors.props('password')}>
        <PasswordInput {...register('password')} autoComplete="current-password" />
      </Field>
      {errors.missing !== undefined && <FieldError>{errors.missing}</FieldError>}
      {add.isError && !hasCode(add.error, WRONG_PASSWORD) && <ErrorNote>{passkeyFailure(add.error)}</ErrorNote>}
      <Button type="submit" variant="primary" size="lg" pending={add.isPending} pendingText="Please wait...">
        Continue
      </Button>
    </form>
  );
}
