import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { api, errorSentence } from '@/shared/api';
import { Button, ErrorNote, Field, FieldError, StayOpen, TextInput } from '@/shared/ui';
import { ALL_FIELDS_REQUIRED, resetMailSchema, type ResetMailValues } from './auth-schemas';
import { readFieldErrors } from './field-errors';

/** Asks for a mail with a link that sets a new password. The answer is the same whether or not there is such an account. */
export function ResetMailForm({ onUsePin }: { onUsePin: () => void }) {
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
