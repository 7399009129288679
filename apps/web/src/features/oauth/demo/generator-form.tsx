import { useId } from 'react';
import { useMyApplications } from '@/features/developer/use-applications';
import { Button, Checkbox, Field, TextInput } from '@/shared/ui';
import type { DemoDraft } from './demo-flow';

export interface GeneratorFormProps {
  draft: DemoDraft;
  onDraftChange: (draft: DemoDraft) => void;
  isPublic: boolean;
  onPublicChange: (isPublic: boolean) => void;
  onGenerate: () => void;
}

/** The inputs of the demo (rule oauth-20); one's own applications are offered while typing. */
export function GeneratorForm({ draft, onDraftChange, isPublic, onPublicChange, onGenerate }: GeneratorFormProps) {
  const { data: applications = [] } = useMyApplications();
  const [ownIds, ownUris] = [useId(), useId()];
  const chosen = applications.find(({ clientId }) => clientId === draft.clientId.trim());
  return (
    <form
      noValidate
      className="grid grid-cols-1 gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onGenerate();
      }}
    >
      <Field label="Client ID" hint="Of an application in the Developer Portal.">
        <TextInput
          list={ownIds}
          autoComplete="off"
          spellCheck={false}
          value={draft.clientId}
          onChange={({ target }) => onDraftChange({ ...draft, clientId: target.value })}
        />
      </Field>
      <datalist id={ownIds}>
        {applications.map(({ clientId, name }) => (
          <option key={clientId} value={clientId}>
            {name}
          </option>
        ))}
      </datalist>
      <Field label="Redirect URI" hint="Exactly as it is registered.">
        <TextInput
          type="url"
          inputMode="url"
          list={ownUris}
          autoComplete="off"
          value={draft.redirectUri}
          onChange={({ target }) => onDraftChange({ ...draft, redirectUri: target.value })}
        />
      </Field>
      <datalist id={ownUris}>
        {chosen?.redirectUris.map((uri) => (
          <option key={uri} value={uri}>
            {uri}
          </option>
        ))}
      </datalist>
      <Field label="Scopes" hint="Separated by spaces: openid, profile, email, nova, karma, influence.">
        <TextInput
          autoComplete="off"
          spellCheck={false}
          value={draft.scopes}
          onChange={({ target }) => onDraftChange({ ...draft, scopes: target.value })}
        />
      </Field>
      <Checkbox
        label="It is a public client"
        hint="The address then carries a PKCE challenge, and the code can be exchanged right here."
        checked={isPublic}
        onCheckedChange={onPublicChange}
      />
      <Button type="submit" variant="primary" size="lg">
        Generate Authorization URL
      </Button>
    </form>
  );
}
