import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, Link2Off } from 'lucide-react';
import { useForm } from 'react-hook-form';
import { Link, useLocation } from 'react-router-dom';
import { ALL_FIELDS_REQUIRED, newPasswordSchema, type NewPasswordValues } from '@/features/identity/auth-schemas';
import { readFieldErrors } from '@/features/identity/field-errors';
import { NightSky } from '@/features/shell/night-sky';
import { api, errorSentence, queryKeys } from '@/shared/api';
import {
  Button,
  buttonClasses,
  Card,
  ErrorNote,
  Field,
  FieldError,
  NovaMark,
  PageNotice,
  NEW_PASSWORD_HINT,
  PasswordInput,
  useDocumentTitle,
} from '@/shared/ui';
import { linkToken } from './link-token';

/**
 * The page behind the link of a reset mail, signed in or not. Opening it does nothing yet, because programs open links
 * too.
 */
export function ResetPasswordPage() {
  const token = linkToken(useLocation().hash);
  const client = useQueryClient();
  const reset = useMutation({
    mutationFn: (values: NewPasswordValues) => api.post('/api/auth/reset', { body: { ...values, token: token ?? '' } }),
    // A member who was signed in here no longer is.
    onSuccess: () => client.resetQueries({ queryKey: queryKeys.currentUser }),
  });
  return (
    <>
      <NightSky />
      <div className="flex min-h-dvh flex-col">
        <header className="flex items-center justify-center gap-2 pt-6 font-display text-lg font-semibold tracking-tight">
          <NovaMark className="size-5" /> Nova
        </header>
        <main className="grid flex-1 grid-cols-1 place-items-center p-4 pb-10">
          {reset.isSuccess && (
            <PageNotice
              icon={CircleCheck}
              title="Password Changed"
              text="All your devices were signed out. You can sign in with your new password now."
              action={
                <Link to="/" replace className={buttonClasses({ variant: 'primary' })}>
                  Sign In
                </Link>
              }
            />
          )}
          {!reset.isSuccess && token === undefined && (
            <PageNotice
              icon={Link2Off}
              title="This Link Is Incomplete"
              text="Open it again from the mail, or ask for a new one with “Forgot your password?” on the sign-in card."
              action={
                <Link to="/" className={buttonClasses({ variant: 'primary' })}>
                  Go to Nova
                </Link>
              }
            />
          )}
          {!reset.isSuccess && token !== undefined && (
            <NewPasswordForm
              pending={reset.isPending}
              error={reset.error}
              onSubmit={(values) => reset.mutate(values)}
            />
          )}
        </main>
      </div>
    </>
  );
}

interface NewPasswordFormProps {
  pending: boolean;
  error: Error | null;
  onSubmit: (values: NewPasswordValues) => void;
}

function NewPasswordForm({ pending, error, onSubmit }: NewPasswordFormProps) {
  useDocumentTitle('Set a New Password');
  const { register, handleSubmit, formState } = useForm<NewPasswordValues>({
    resolver: zodResolver(newPasswordSchema),
    mode: 'onTouched',
    defaultValues: { newPassword: '' },
  });
  const errors = readFieldErrors(formState.errors, ALL_FIELDS_REQUIRED);
  return (
    <Card className="w-full max-w-md" aria-labelledby="reset-title">
      <h1 id="reset-title" className="text-lg font-semibold text-ink">
        Set a New Password
      </h1>
      <p className="mt-1 text-sm text-ink-muted">It signs out all your devices.</p>
      <form
        noValidate
        aria-label="Set a New Password"
        className="mt-4 grid gap-4"
        onSubmit={(event) => void handleSubmit(onSubmit)(event)}
      >
        <Field label="New Password" hint={NEW_PASSWORD_HINT} {...errors.props('newPassword')}>
          <PasswordInput {...register('newPassword')} autoComplete="new-password" />
        </Field>
        {errors.missing !== undefined && <FieldError>{errors.missing}</FieldError>}
        {error && <ErrorNote>{errorSentence(error, 'The password could not be changed. Please try again.')}</ErrorNote>}
        <Button type="submit" variant="primary" size="lg" pending={pending} pendingText="Please wait...">
          Set New Password
        </Button>
      </form>
    </Card>
  );
}
