import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useForm, type UseFormReturn } from 'react-hook-form';
import { useAuthFeatures } from '@/features/identity/use-security';
import { api, errorSentence, hasStatus } from '@/shared/api';
import {
  Button,
  Dialog,
  ErrorNote,
  Field,
  FieldError,
  NEW_PASSWORD_HINT,
  PasswordInput,
  StayOpen,
  TextInput,
  toast,
} from '@/shared/ui';
import {
  ALL_FIELDS_REQUIRED,
  recoverySchema,
  type RecoveryValues,
  resetMailSchema,
  type ResetMailValues,
} from './auth-schemas';
import { readFieldErrors } from './field-errors';
import { PinInput } from './pin-input';

export interface RecoveryDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onRecovered: (email: string) => void;
}

function failureText(error: Error): string {
  // The server's sentence for wrong credentials mentions a password, which this dialog does not ask for.
  if (hasStatus(error, 401)) return 'The email address or the PIN is wrong.';
  return errorSentence(error, 'The password could not be changed. Please try again.');
}

/** Sets a new password with the recovery PIN or, if the installation sends mail, with a link. */
export function RecoveryDialog({ open, onOpenChange, onRecovered }: RecoveryDialogProps) {
  const formId = useId();
  const { data: features } = useAuthFeatures();
  const [isByMail, setByMail] = useState(false);
  const form = useForm<RecoveryValues>({
    resolver: zodResolver(recoverySchema),
    mode: 'onTouched',
    defaultValues: { email: '', pin: '', newPassword: '' },
  });
  const recover = useMutation({
    mutationFn: (values: RecoveryValues) => api.post('/api/auth/recover', { body: values }),
    onSuccess(_answer, values) {
      toast({ title: 'Password Changed', description: 'You can sign in with your new password now.' });
      close();
      onRecovered(values.email);
    },
  });

  const close = () => {
    form.reset();
    recover.reset();
    setByMail(false);
    onOpenChange(false);
  };

  if (isByMail) {
    return (
      <Dialog
        open={open}
        onOpenChange={close}
        title="Reset by Mail"
        description="We send a link to your account’s email address, if you have confirmed that it is yours."
      >
        <ResetMailForm onUsePin={() => setByMail(false)} />
      </Dialog>
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="Set a New Password"
      description="Your recovery PIN is the one that you chose when you created your account."
      footer={
        <>
          <StayOpen while={recover.isPending} />
          <Button disabled={recover.isPending} onClick={close}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            pending={recover.isPending}
            pendingText="Please wait..."
          >
            Set New Password
          </Button>
        </>
      }
    >
      <PinForm id={formId} form={form} error={recover.error} onSubmit={(values) => recover.mutate(values)} />
      {features?.mail === true && (
        <Button variant="ghost" className="mt-2 -ml-4" onClick={() => setByMail(true)}>
          Send me a mail instead
        </Button>
      )}
    </Dialog>
  );
}

interface PinFormProps {
  id: string;
  form: UseFormReturn<RecoveryValues>;
  error: Error | null;
  onSubmit: (values: RecoveryValues) => void;
}

function PinForm({ id, form: { register, handleSubmit, formState }, error, onSubmit }: PinFormProps) {
  const errors = readFieldErrors(formState.errors, ALL_FIELDS_REQUIRED);
  return (
    <form id={id} noValidate className="grid gap-4" onSubmit={(event) => void handleSubmit(onSubmit)(event)}>
      <Field label="Email" {...errors.props('email')}>
        <TextInput {...register('email')} type="email" autoComplete="username" />
      </Field>
      <Field label="Recovery PIN" hint="4-6 digits." {...errors.props('pin')}>
        <PinInput registration={register('pin')} />
      </Field>
      <Field label="New Password" hint={NEW_PASSWORD_HINT} {...errors.props('newPassword')}>
        <PasswordInput {...register('newPassword')} autoComplete="new-password" />
      </Field>
      {errors.missing !== undefined && <FieldError>{errors.missing}</FieldError>}
      {error && <ErrorNote>{failureText(error)}</ErrorNote>}
    </form>
  );
}

/** Asks for a mail with a link that sets a new password. The answer is the same whether or not the account exists. */
function ResetMailForm({ onUsePin }: { onUsePin: () => void }) {
  const { register, handleSubmit, formState } = useForm<ResetMailValues>({
    resolver: zodResolver(resetMailSchema),
    mode: 'onTouched',
    defaultValues: { email: '' },
  });
  const errors = readFieldErrors(formState.errors, ALL_FIELDS_REQUIRED);
  const send = useMutation({
    mutationFn: (body: ResetMailValues) => api.post('/api/auth/reset-request', { body }),
  });
  return (
    <form
      noValidate
      aria-label="Send a reset mail"
      className="grid gap-4"
      onSubmit={(event) => void handleSubmit((values) => send.mutate(values))(event)}
    >
      <StayOpen while={send.isPending} />
      <Field label="Email" {...errors.props('email')}>
        <TextInput {...register('email')} type="email" autoComplete="username" />
      </Field>
      {errors.missing !== undefined && <FieldError>{errors.missing}</FieldError>}
      {send.isError && (
        <ErrorNote>{errorSentence(send.error, 'The mail could not be sent. Please try again.')}</ErrorNote>
      )}
      <output className="block text-sm text-ink empty:hidden">
        {send.isSuccess && `${send.data.message} The link works for 30 minutes.`}
      </output>
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button variant="ghost" onClick={onUsePin}>
          Use My Recovery PIN
        </Button>
        <Button type="submit" variant="primary" pending={send.isPending} pendingText="Please wait...">
          {send.isSuccess ? 'Send Again' : 'Send Mail'}
        </Button>
      </div>
    </form>
  );
}
