import { Plus, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { errorSentence } from '@/shared/api';
import {
  Button,
  Card,
  Dialog,
  ErrorNote,
  Field,
  formatDateTime,
  RelativeTime,
  Skeleton,
  StayOpen,
  TextInput,
} from '@/shared/ui';
import { SecretDialog } from '../applications/secret-dialog';
import { type Secret, useCreateSecret, useRevokeSecret, useSecrets } from './use-credentials';

const SECRETS_MAX = 2;
const NAME_MAX = 60;

/** The secrets of a confidential application: two at a time, so that one replaces the other without a gap (rule oauth-26). */
export function SecretsCard({ clientId }: { clientId: string }) {
  const { data, error, isFetching, refetch } = useSecrets(clientId);
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const isFull = data !== undefined && data.secrets.length >= SECRETS_MAX;
  return (
    <Card
      title="Client Secrets"
      actions={
        <Button
          icon={<Plus aria-hidden="true" className="size-4" />}
          disabled={data === undefined || isFull}
          onClick={() => setAdding(true)}
        >
          Add Secret
        </Button>
      }
    >
      <p className="mb-4 text-sm text-ink-muted">
        {isFull
          ? 'Both work. Revoke the old one once nothing uses it.'
          : 'To change the secret without a gap, add a second one, use it everywhere, then revoke the first.'}
      </p>
      {data === undefined && error !== null && (
        <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
          {errorSentence(error, 'The secrets could not be loaded.')}
        </ErrorNote>
      )}
      {data === undefined && error === null && <Skeleton className="h-16 rounded-md" />}
      {data !== undefined && (
        <ul aria-label="Client secrets" className="divide-y divide-line rounded-md border border-line">
          {data.secrets.map((each) => (
            <li key={each.id}>
              <SecretRow clientId={clientId} secret={each} isLast={data.secrets.length === 1} />
            </li>
          ))}
        </ul>
      )}
      <Dialog
        open={isAdding}
        onOpenChange={(next) => !next && setAdding(false)}
        size="sm"
        title="Add Secret"
        description="It is shown once. The secret that you have goes on working."
      >
        {isAdding && (
          <SecretForm
            clientId={clientId}
            onMade={(made) => {
              setAdding(false);
              setSecret(made);
            }}
          />
        )}
      </Dialog>
      <SecretDialog secret={secret} onSaved={() => setSecret(null)} />
    </Card>
  );
}

interface SecretRowProps {
  clientId: string;
  secret: Secret;
  isLast: boolean;
}

function SecretRow({ clientId, secret, isLast }: SecretRowProps) {
  const { name, createdAt, lastUsedAt } = secret;
  const [isAsked, setAsked] = useState(false);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p className="text-sm font-medium wrap-anywhere text-ink" dir="auto">
          {name}
        </p>
        <p className="text-xs text-ink-faint">
          <span>{createdAt === null ? 'Made before secrets had names' : `Made ${formatDateTime(createdAt)}`}</span>
          <span>{lastUsedAt === null ? ' · not used yet' : ' · last used '}</span>
          {lastUsedAt !== null && <RelativeTime iso={lastUsedAt} />}
        </p>
      </div>
      {!isLast && (
        <Button
          variant="ghost"
          icon={<Trash2 aria-hidden="true" className="size-4" />}
          aria-label={`Revoke ${name}`}
          onClick={() => setAsked(true)}
        >
          Revoke
        </Button>
      )}
      <RevokeSecret clientId={clientId} secret={secret} open={isAsked} onClose={() => setAsked(false)} />
    </div>
  );
}

function SecretForm({ clientId, onMade }: { clientId: string; onMade: (secret: string) => void }) {
  const creation = useCreateSecret(clientId);
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creation.mutate(name.trim(), { onSuccess: ({ clientSecret }) => onMade(clientSecret) });
  };
  return (
    <form className="grid grid-cols-1 gap-5" onSubmit={submit} noValidate>
      <StayOpen while={creation.isPending} />
      <Field label="Name" hint="Where it is used: you find it again by this.">
        <TextInput
          maxLength={NAME_MAX}
          placeholder="Server in Vienna"
          value={name}
          onChange={(change) => setName(change.target.value)}
        />
      </Field>
      {creation.error !== null && !creation.isPending && (
        <ErrorNote>{errorSentence(creation.error, 'The secret was not made.')}</ErrorNote>
      )}
      <Button type="submit" variant="primary" pending={creation.isPending} disabled={name.trim() === ''}>
        Add Secret
      </Button>
    </form>
  );
}

interface RevokeSecretProps {
  clientId: string;
  secret: Secret;
  open: boolean;
  onClose: () => void;
}

function RevokeSecret({ clientId, secret, open, onClose }: RevokeSecretProps) {
  const revocation = useRevokeSecret(clientId, secret);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      size="sm"
      title="Revoke the secret?"
      description="It stops working at once, with the application's own tokens for it. Members' sign-ins go on."
      footer={
        <>
          <StayOpen while={revocation.isPending} />
          <Button disabled={revocation.isPending} onClick={onClose}>
            Keep it
          </Button>
          <Button
            variant="danger"
            pending={revocation.isPending}
            onClick={() => revocation.mutate(undefined, { onSuccess: onClose })}
          >
            Revoke Secret
          </Button>
        </>
      }
    >
      <p className="text-sm font-medium wrap-anywhere text-ink" dir="auto">
        {secret.name}
      </p>
    </Dialog>
  );
}
