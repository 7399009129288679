import { Field, Select } from '@/shared/ui';
import type { ChosenApplication } from './use-sample-context';

/** The choice of the application that the samples use. */
export function ApplicationChoice({ context, applications, choose }: ChosenApplication) {
  if (applications.length === 0) {
    return (
      <p className="text-sm text-ink-muted">
        The samples name <span className="font-mono text-xs text-ink">{context.clientId}</span> until you have
        registered an application.
      </p>
    );
  }
  return (
    <Field label="Samples for" className="max-w-sm">
      <Select
        value={context.clientId}
        options={applications.map(({ clientId, name }) => ({ value: clientId, label: name }))}
        onChange={({ target }) => choose(target.value)}
      />
    </Field>
  );
}
