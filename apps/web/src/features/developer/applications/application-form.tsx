import { APPLICATION_DESCRIPTION_MAX } from '@app/domain';
import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { ApiError, errorSentence } from '@/shared/api';
import { Button, Checkbox, ErrorNote, Field, StayOpen, Textarea, TextInput } from '@/shared/ui';
import { applicationSchema, isComplete, serverComplaints, type ApplicationDraft } from '../application-schema';
import { hintOrError } from './hint-or-error';
import { RedirectUriFields } from './redirect-uri-fields';
import { ScopeFields } from './scope-fields';

export interface ApplicationFormProps {
  initial: ApplicationDraft;
  submitText: string;
  isPending: boolean;
  /** Why the server refused it the last time. */
  error: Error | null;
  /** Whether it may become a public client: decided once, when it is created. */
  canBePublic?: boolean;
  onSubmit: (draft: ApplicationDraft) => void;
}

/** Name, description, addresses and scopes of an application (rule oauth-7). */
export function ApplicationForm(props: ApplicationFormProps) {
  const { initial, submitText, isPending, error, canBePublic = false, onSubmit } = props;
  const form = useForm({ mode: 'onTouched', resolver: zodResolver(applicationSchema), defaultValues: initial });
  const { register, control, handleSubmit, setError, formState } = form;
  const [name, redirectUris] = useWatch({ control, name: ['name', 'redirectUris'] });
  const { errors } = formState;

  useEffect(() => {
    if (!(error instanceof ApiError)) return;
    for (const { field, message } of serverComplaints(error.body)) setError(field, { type: 'server', message });
  }, [error, setError]);

  return (
    <form
      noValidate
      className="grid grid-cols-1 gap-5"
      onSubmit={(event) => void handleSubmit((draft) => onSubmit(draft))(event)}
    >
      <StayOpen while={isPending} />
      <Field
        label="Application Name"
        {...hintOrError('Members see it when the application asks for access.', errors.name?.message)}
      >
        <TextInput {...register('name')} dir="auto" autoComplete="off" required />
      </Field>
      <Field
        label="Description"
        {...hintOrError(`At most ${APPLICATION_DESCRIPTION_MAX} characters.`, errors.description?.message)}
      >
        <Textarea {...register('description')} rows={2} />
      </Field>
      <div className="grid grid-cols-1 items-start gap-5 sm:grid-cols-2">
        <Field label="Application URL" {...hintOrError('Optional. A page about it.', errors.applicationUrl?.message)}>
          <TextInput {...register('applicationUrl')} type="url" inputMode="url" placeholder="https://" />
        </Field>
        <Field label="Logo URL" {...hintOrError('Optional. A square picture.', errors.logoUrl?.message)}>
          <TextInput {...register('logoUrl')} type="url" inputMode="url" placeholder="https://" />
        </Field>
      </div>
      <RedirectUriFields form={form} />
      <ScopeFields control={control} />
      {canBePublic && (
        <Controller
          control={control}
          name="isPublic"
          render={({ field: { value, onChange } }) => (
            <Checkbox
              label="Public client"
              hint="For pages and apps that cannot keep a secret: they prove themselves with PKCE instead."
              checked={value}
              onCheckedChange={onChange}
            />
          )}
        />
      )}
      {error !== null && !isPending && <ErrorNote>{errorSentence(error, 'The application was not saved.')}</ErrorNote>}
      <Button
        type="submit"
        size="lg"
        variant="primary"
        disabled={!isComplete({ name, redirectUris })}
        pending={isPending}
      >
        {submitText}
      </Button>
    </form>
  );
}
