import { REDIRECT_URIS_MAX } from '@app/domain';
import { Plus, X } from 'lucide-react';
import { useFieldArray, type UseFormReturn } from 'react-hook-form';
import { Button, Field, FieldError, TextInput } from '@/shared/ui';
import { hintOrError } from './hint-or-error';
import type { ApplicationDraft } from '../application-schema';

/** Where members may be sent back to: several, each removable while more than one exists (rule oauth-7). */
export function RedirectUriFields({ form }: { form: UseFormReturn<ApplicationDraft> }) {
  const { control, register, formState } = form;
  const { fields, append, remove } = useFieldArray({ control, name: 'redirectUris' });
  const errors = formState.errors.redirectUris;
  // The server complains about the list as a whole.
  const ofAll = errors?.message ?? errors?.root?.message;
  return (
    <fieldset className="grid grid-cols-1 gap-3">
      <legend className="mb-1.5 text-sm font-medium text-ink">Redirect URIs</legend>
      {/* Above the fields: a complaint that appears below one must not move it while it is being pressed. */}
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
