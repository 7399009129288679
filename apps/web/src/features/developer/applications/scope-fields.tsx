import { useController, type Control } from 'react-hook-form';
import { SCOPE_TEXTS, SCOPES } from '@/features/oauth/scopes';
import { Checkbox, FieldError } from '@/shared/ui';
import type { ApplicationDraft } from '../application-schema';

/** What the application may ask members for (rule oauth-7). */
export function ScopeFields({ control }: { control: Control<ApplicationDraft> }) {
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
