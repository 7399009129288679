import { APPLICATION_DESCRIPTION_MAX, REDIRECT_URIS_MAX } from '@app/domain';
import { zodResolver } from '@hookform/resolvers/zod';
import { Plus, X } from 'lucide-react';
import { useEffect } from 'react';
import { type Control, useController, useFieldArray, useForm, type UseFormReturn, useWatch } from 'react-hook-form';
import { SCOPE_TEXTS, SCOPES } from '@/features/oauth/scopes';
import { ApiError, errorSentence } from '@/shared/api';
import { Button, Checkbox, ErrorNote, Field, FieldError, StayOpen, Textarea, TextInput } from '@/shared/ui';
import { type ApplicationDraft, applicationSchema, isComplete, serverComplaints } from '../application-schema';

export interface ApplicationFormProps {
  initial: ApplicationDraft;
  submitText: string;
  isPending: boolean;
  /** Why the server refused the last try. */
  error: Error | null;
  /** Whether the application may become a public client, which is decided once, at creation. */
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
      <SignInFields control={control} canBePublic={canBePublic} />
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

/** How the application proves itself, and whether devices may sign in (rules oauth-15, oauth-22). */
function SignInFields({ control, canBePublic }: { control: Control<ApplicationDraft>; canBePublic: boolean }) {
  const isPublic = useWatch({ control, name: 'isPublic' });
  return (
    <fieldset className="grid grid-cols-1 gap-3">
      <legend className="mb-3 text-sm font-medium text-ink">How it signs members in</legend>
      {canBePublic && (
        <Choice
          control={control}
          name="isPublic"
          label="Public client"
          hint="For pages and apps that cannot keep a secret: they prove themselves with PKCE instead."
        />
      )}
      {!isPublic && (
        <Choice
          control={control}
          name="requirePkce"
          label="Require PKCE"
          hint="Nova refuses requests without a challenge. Switch it on if your client library sends one."
        />
      )}
      <Choice
        control={control}
        name="deviceFlow"
        label="Device sign-in"
        hint="For TVs, consoles and terminals: members enter a code at /device. Never with scope nova."
      />
    </fieldset>
  );
}

interface ChoiceProps {
  control: Control<ApplicationDraft>;
  name: 'isPublic' | 'requirePkce' | 'deviceFlow';
  label: string;
  hint: string;
}

function Choice({ control, name, label, hint }: ChoiceProps) {
  const { field } = useController({ control, name });
  return <Checkbox label={label} hint={hint} checked={field.value} onCheckedChange={field.onChange} />;
}

/** The scopes that the application may request from members (rule oauth-7). */
function ScopeFields({ control }: { control: Control<ApplicationDraft> }) {
  const { field, fieldState } = useController({ control, name: 'scopes' });
  const choose = (scope: string, isChosen: boolean) =>
    field.onChange(SCOPES.filter((each) => (each === scope ? isChosen : field.value.includes(each))));
  return (
    <fieldset className="grid grid-cols-1 gap-3">
      <legend className="mb-3 text-sm font-medium text-ink">Scopes</legend>
      <div className="grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-2">
        {SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            label={<span className="font-mono text-xs text-ink">{scope}</span>}
            hint={SCOPE_TEXTS[scope].hint}
            checked={field.value.includes(scope)}
            onCheckedChange={(isChosen) => choose(scope, isChosen)}
          />
        ))}
      </div>
      {fieldState.error?.message !== undefined && <FieldError>{fieldState.error.message}</FieldError>}
    </fieldset>
  );
}

/** The redirect URIs: several, each removable while more than one exists (rule oauth-7). */
function RedirectUriFields({ form }: { form: UseFormReturn<ApplicationDraft> }) {
  const { control, register, formState } = form;
  const { fields, append, remove } = useFieldArray({ control, name: 'redirectUris' });
  const errors = formState.errors.redirectUris;
  // The server complains about the list as a whole.
  const ofAll = errors?.message ?? errors?.root?.message;
  return (
    <fieldset className="grid grid-cols-1 gap-3">
      <legend className="mb-1.5 text-sm font-medium text-ink">Redirect URIs</legend>
      {/* Stands above the fields: an error that appears below one must not move the button while it is being
          pressed. */}
      <div className="-mt-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-xs text-ink-faint">Members return to one of these addresses, exactly as written here.</p>
        <Button
          size="sm"
          icon={<Plus aria-hidden="true" className="size-4" />}
          disabled={fields.length >= REDIRECT_URIS_MAX}
          onClick={() => append({ uri: '' })}
        >
          Add Redirect URI
        </Button>
      </div>
      {fields.map((field, index) => (
        <div key={field.id} className="flex items-center gap-2">
          <Field
            className="min-w-0 flex-1"
            label={`Redirect URI ${index + 1}`}
            {...hintOrError('https, or http on localhost', errors?.[index]?.uri?.message)}
          >
            <TextInput
              {...register(`redirectUris.${index}.uri`)}
              type="url"
              inputMode="url"
              placeholder="https://app.example/callback"
            />
          </Field>
          {fields.length > 1 && (
            <Button
              variant="ghost"
              size="icon"
              aria-label={`Remove redirect URI ${index + 1}`}
              icon={<X aria-hidden="true" className="size-4" />}
              onClick={() => remove(index)}
            />
          )}
        </div>
      ))}
      {ofAll !== undefined && <FieldError>{ofAll}</FieldError>}
    </fieldset>
  );
}

/** The error replaces the hint: what is below must not move while it is being pressed. */
const hintOrError = (hint: string, error: string | undefined): { hint?: string; error?: string } =>
  error === undefined ? { hint } : { error };
