import { type FormEvent, useState } from 'react';
import { errorSentence } from '@/shared/api';
import { Button, Checkbox, ErrorNote, Field, StayOpen, TextInput } from '@/shared/ui';
import type { WebhookEvent } from './use-webhooks';

/** What each event tells of (rule webhooks-1). */
const EVENTS: Readonly<Record<WebhookEvent, string>> = {
  'consent.granted': 'A member consented to the application.',
  'consent.changed': 'A member changed scopes or the daily limit.',
  'consent.revoked': 'A member took the consent back, or is gone.',
  'tokens.spent': 'A member spent Nova at the application.',
  'tokens.earned': 'The application paid a member.',
  'transfer.sent': 'The application sent a gift for a member.',
  'wallet.funded': 'You put Nova into the application’s wallet.',
  'wallet.withdrawn': 'You took Nova out of it.',
  'balance.changed': 'A balance of a member changed that their scopes show.',
};
const ALL = Object.keys(EVENTS) as WebhookEvent[];

export interface WebhookDraft {
  url: string;
  events: WebhookEvent[];
}

export interface WebhookFormProps {
  initial?: WebhookDraft;
  submitText: string;
  isPending: boolean;
  /** Why the server refused the last try. */
  error: Error | null;
  onSubmit: (draft: WebhookDraft) => void;
}

/** The address of a webhook, and what it is told (rule webhooks-7). */
export function WebhookForm({ initial, submitText, isPending, error, onSubmit }: WebhookFormProps) {
  const [url, setUrl] = useState(initial?.url ?? '');
  const [events, setEvents] = useState<readonly WebhookEvent[]>(initial?.events ?? ALL);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({ url: url.trim(), events: [...events] });
  };
  return (
    <form className="grid grid-cols-1 gap-5" onSubmit={submit} noValidate>
      <StayOpen while={isPending} />
      <Field label="Address" hint="https, and reachable from the internet">
        <TextInput
          type="url"
          inputMode="url"
          placeholder="https://app.example/nova"
          value={url}
          onChange={(change) => setUrl(change.target.value)}
        />
      </Field>
      <fieldset className="grid grid-cols-1 gap-3">
        <legend className="mb-3 text-sm font-medium text-ink">Events</legend>
        {ALL.map((name) => (
          <Checkbox
            key={name}
            label={<span className="font-mono text-xs text-ink">{name}</span>}
            hint={EVENTS[name]}
            checked={events.includes(name)}
            onCheckedChange={(isChosen) =>
              setEvents((chosen) => ALL.filter((each) => (each === name ? isChosen : chosen.includes(each))))
            }
          />
        ))}
      </fieldset>
      {error !== null && !isPending && <ErrorNote>{errorSentence(error, 'The webhook was not saved.')}</ErrorNote>}
      <Button type="submit" variant="primary" pending={isPending} disabled={url.trim() === '' || events.length === 0}>
        {submitText}
      </Button>
    </form>
  );
}
