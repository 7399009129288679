import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { ALL_FIELDS_REQUIRED, changePasswordSchema, type ChangePasswordValues } from '@/features/identity/auth-schemas';
import { readFieldErrors } from '@/features/identity/field-errors';
import { useRefreshApplications } from '@/features/oauth/use-authorized';
import { api, errorSentence, hasCode, queryKeys } from '@/shared/api';
import { Button, Card, ErrorNote, Field, FieldError, NEW_PASSWORD_HINT, PasswordInput, toast } from '@/shared/ui';

const WRONG_PASSWORD = 'WRONG_PASSWORD';

/** Sets a new password with the current one. A member who lost theirs uses the recovery by PIN on the sign-in card. */
export function PasswordCard({ email }: { email: string }) {
  const client = useQueryClient();
  const { register, handleSubmit, reset, setError, formState } = useForm<ChangePasswordValues>({
    resolver: zodResolver(changePasswordSchema),
    mode: 'onTouched',
    defaultValues: { currentPassword: '', newPassword: '' },
  });
  const refreshApplications = useRefreshApplications();
  const errors = readFieldErrors(formState.errors, ALL_FIELDS_REQUIRED);
  const change = useMutation({
    mutationFn: (values: ChangePasswordValues) => api.post('/api/auth/password', { body: values }),
    onSuccess() {
      toast({ title: 'Password Changed', description: 'Your other devices have been signed out.' });
      reset();
      void client.invalidateQueries({ queryKey: queryKeys.securityNotices });
      refreshApplications();
    },
    onError(error) {
      if (!hasCode(error, WRONG_PASSWORD)) return;
      setError('currentPassword', { message: error.sentence }, { shouldFocus: true });
    },
  });

  return (
    <Card
      className="mt-6"
      title="Password"
      description="A new password signs out your other devices and ends consents to spend your Nova. This device stays signed in."
    >
      <form
        noValidate
        aria-label="Password"
        className="grid gap-4"
        onSubmit={(event) => void handleSubmit((values) => change.mutate(values))(event)}
      >
        {/* Tells password managers whose password it is. */}
        <input hidden readOnly autoComplete="username" value={email} />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field label="Current Password" {...errors.props('currentPassword')}>
            <PasswordInput {...register('currentPassword')} autoComplete="current-password" />
          </Field>
          <Field label="New Password" hint={NEW_PASSWORD_HINT} {...errors.props('newPassword')}>
            <PasswordInput {...register('newPassword')} autoComplete="new-password" />
          </Field>
        </div>
        {errors.missing !== undefined && <FieldError>{errors.missing}</FieldError>}
        {change.isError && !hasCode(change.error, WRONG_PASSWORD) && (
          <ErrorNote>{errorSentence(change.error, 'The password could not be changed. Please try again.')}</ErrorNote>
        )}
        {change.isSuccess && change.data.revokedApplications.length > 0 && (
          <output className="text-sm text-muted">
            These applications can no longer spend your Nova: {change.data.revokedApplications.join(', ')}.
          </output>
        )}
        <Button type="submit" className="justify-self-start" pending={change.isPending} pendingText="Please wait...">
          Change Password
        </Button>
      </form>
    </Card>
  );
}
