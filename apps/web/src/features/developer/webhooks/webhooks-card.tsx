import { KeyRound, Pencil, Plus, RotateCcw, Send, Trash2, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { isTestClientId } from '@app/domain';
import { errorSentence, formatCount } from '@/shared/api';
import {
  Badge,
  Button,
  Card,
  Dialog,
  EmptyState,
  ErrorNote,
  formatDateTime,
  Skeleton,
  StayOpen,
  Switch,
} from '@/shared/ui';
import { SecretDialog } from '../applications/secret-dialog';
import {
  useAddWebhook,
  useChangeWebhook,
  useDeleteWebhook,
  useReplay,
  useRotateSecret,
  useTestWebhook,
  useWebhooks,
  type Webhook,
} from './use-webhooks';
import { WebhookDeliveries } from './webhook-deliveries';
import { WebhookForm } from './webhook-form';

const LIVE = {
  title: 'Webhooks',
  add: 'Add Webhook',
  none: 'No webhooks yet',
  text: 'Nova tells your server of consents, payments and balances as they happen.',
};
const TEST: typeof LIVE = {
  title: 'Test Webhooks',
  add: 'Add Test Webhook',
  none: 'No test webhooks yet',
  text: 'Nova tells your server what the test members do, with livemode false.',
};

/** The webhooks of an application, or of its test client: where it is told of consents and Nova (rules webhooks-7, webhooks-10). */
export function WebhooksCard({ clientId }: { clientId: string }) {
  const words = isTestClientId(clientId) ? TEST : LIVE;
  const { data, error, isFetching, refetch } = useWebhooks(clientId);
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Card
      title={words.title}
      actions={
        <Button icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setAdding(true)}>
          {words.add}
        </Button>
      }
    >
      {data === undefined && error !== null && (
        <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
          {errorSentence(error, 'The webhooks could not be loaded.')}
        </ErrorNote>
      )}
      {data === undefined && error === null && <Skeleton className="h-24 rounded-md" />}
      {data?.webhooks.length === 0 && <EmptyState icon={WebhookIcon} title={words.none} text={words.text} />}
      {data !== undefined && data.webhooks.length > 0 && (
        <ul aria-label={words.title} className="grid grid-cols-1 divide-y divide-line">
          {data.webhooks.map((webhook) => (
            <li key={webhook.id} className="min-w-0 py-4 first:pt-0 last:pb-0">
              <WebhookRow clientId={clientId} webhook={webhook} onSecret={setSecret} />
            </li>
          ))}
        </ul>
      )}
      <AddWebhook
        clientId={clientId}
        title={words.add}
        open={isAdding}
        onClose={() => setAdding(false)}
        onAdded={(made) => {
          setAdding(false);
          setSecret(made);
        }}
      />
      <SecretDialog
        secret={secret}
        title="Webhook Secret Generated"
        label="Webhook secret"
        onSaved={() => setSecret(null)}
      />
    </Card>
  );
}

interface AddWebhookProps {
  clientId: string;
  title: string;
  open: boolean;
  onClose: () => void;
  onAdded: (secret: string) => void;
}

function AddWebhook({ clientId, title, open, onClose, onAdded }: AddWebhookProps) {
  const adding = useAddWebhook(clientId);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={title}
      description="It gets a secret, which is shown once."
    >
      {open && (
        <WebhookForm
          submitText={title}
          isPending={adding.isPending}
          error={adding.error}
          onSubmit={(draft) => adding.mutate(draft, { onSuccess: ({ secret }) => onAdded(secret) })}
        />
      )}
    </Dialog>
  );
}

const REASONS: Readonly<Record<string, string>> = {
  developer: 'You switched it off.',
  failing: 'It could not be reached for three days.',
  gone: 'It answered that it is gone (410).',
};

type Asked = 'log' | 'edit' | 'rotate' | 'delete';

interface WebhookRowProps {
  clientId: string;
  webhook: Webhook;
  onSecret: (secret: string) => void;
}

function WebhookRow({ clientId, webhook, onSecret }: WebhookRowProps) {
  const { id, url, events, isOn, offReason } = webhook;
  const [asked, setAsked] = useState<Asked | null>(null);
  const change = useChangeWebhook(clientId, id);
  const close = () => setAsked(null);
  return (
    <>
      <WebhookFacts webhook={webhook} />
      <Switch
        className="flex items-center justify-between gap-4 py-3"
        label="Active"
        hint={isOn ? 'While it is off, deliveries wait.' : (REASONS[offReason ?? ''] ?? 'Deliveries wait.')}
        checked={change.isPending && change.variables.isOn !== undefined ? change.variables.isOn : isOn}
        onCheckedChange={(next) => !change.isPending && change.mutate({ isOn: next })}
      />
      <WebhookActions clientId={clientId} webhook={webhook} onAsk={setAsked} />
      <DeliveriesDialog clientId={clientId} webhook={webhook} open={asked === 'log'} onClose={close} />
      <Dialog open={asked === 'edit'} onOpenChange={(next) => !next && close()} title="Edit Webhook">
        {asked === 'edit' && (
          <WebhookForm
            initial={{ url, events }}
            submitText="Save Changes"
            isPending={change.isPending}
            error={change.error}
            onSubmit={(draft) => change.mutate(draft, { onSuccess: close })}
          />
        )}
      </Dialog>
      <RotateSecret clientId={clientId} id={id} open={asked === 'rotate'} onClose={close} onSecret={onSecret} />
      <DeleteWebhook clientId={clientId} webhook={webhook} open={asked === 'delete'} onClose={close} />
    </>
  );
}

interface WebhookActionsProps {
  clientId: string;
  webhook: Webhook;
  onAsk: (asked: Asked) => void;
}

function WebhookActions({ clientId, webhook: { id, isOn }, onAsk }: WebhookActionsProps) {
  const test = useTestWebhook(clientId, id);
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        icon={<Send aria-hidden="true" className="size-4" />}
        disabled={!isOn}
        pending={test.isPending}
        onClick={() => test.mutate(undefined, { onSuccess: () => onAsk('log') })}
      >
        Send Test
      </Button>
      <Button onClick={() => onAsk('log')}>Deliveries</Button>
      <Button variant="ghost" icon={<Pencil aria-hidden="true" className="size-4" />} onClick={() => onAsk('edit')}>
        Edit
      </Button>
      <Button variant="ghost" icon={<KeyRound aria-hidden="true" className="size-4" />} onClick={() => onAsk('rotate')}>
        Rotate Secret
      </Button>
      <Button variant="ghost" icon={<Trash2 aria-hidden="true" className="size-4" />} onClick={() => onAsk('delete')}>
        Delete
      </Button>
    </div>
  );
}

function WebhookFacts({
  webhook: { url, events, isOn, failingSince, previousUntil, dropped, droppedAt },
}: {
  webhook: Webhook;
}) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="min-w-0 flex-1 basis-60 font-mono text-xs break-all text-ink" dir="ltr">
          {url}
        </p>
        {isOn && failingSince !== null && <Badge tone="loss">Failing</Badge>}
      </div>
      <p className="mt-1 text-xs text-ink-faint">{events.join(', ')}</p>
      {failingSince !== null && (
        <p className="mt-1 text-sm text-loss">Nothing has reached it since {formatDateTime(failingSince)}.</p>
      )}
      {droppedAt !== null && (
        <p className="mt-1 text-sm text-loss">
          {dropped === 1 ? 'One delivery was' : `${formatCount(dropped)} deliveries were`} dropped before being sent,
          last on {formatDateTime(droppedAt)}: too old, or too many.
        </p>
      )}
      {previousUntil !== null && (
        <p className="mt-1 text-sm text-ink-muted">
          Signed with the old secret too until {formatDateTime(previousUntil)}.
        </p>
      )}
    </>
  );
}

interface AboutWebhookProps {
  clientId: string;
  webhook: Webhook;
  open: boolean;
  onClose: () => void;
}

const DAY_MS = 24 * 60 * 60_000;

function DeliveriesDialog({ clientId, webhook: { id, url, offAt, failingSince }, open, onClose }: AboutWebhookProps) {
  const replay = useReplay(clientId, id);
  const since = failingSince ?? offAt;
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      size="lg"
      title="Deliveries"
      description={<span className="break-all">{url}</span>}
      footer={
        <Button
          icon={<RotateCcw aria-hidden="true" className="size-4" />}
          pending={replay.isPending}
          onClick={() => replay.mutate(since ?? new Date(Date.now() - DAY_MS).toISOString())}
        >
          {since === null ? 'Replay the Last 24 Hours' : `Replay Since ${formatDateTime(since)}`}
        </Button>
      }
    >
      {open && <WebhookDeliveries clientId={clientId} id={id} />}
    </Dialog>
  );
}

interface RotateSecretProps {
  clientId: string;
  id: string;
  open: boolean;
  onClose: () => void;
  onSecret: (secret: string) => void;
}

function RotateSecret({ clientId, id, open, onClose, onSecret }: RotateSecretProps) {
  const rotation = useRotateSecret(clientId, id);
  const rotate = () =>
    rotation.mutate(undefined, {
      onSuccess({ secret }) {
        onClose();
        onSecret(secret);
      },
    });
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      size="sm"
      title="Rotate the secret?"
      description="For a day, deliveries are signed with the old secret and with the new one. Then the old one ends."
      footer={
        <>
          <StayOpen while={rotation.isPending} />
          <Button disabled={rotation.isPending} onClick={onClose}>
            Keep it
          </Button>
          <Button variant="primary" pending={rotation.isPending} onClick={rotate}>
            Rotate Secret
          </Button>
        </>
      }
    />
  );
}

function DeleteWebhook({ clientId, webhook: { id, url }, open, onClose }: AboutWebhookProps) {
  const deletion = useDeleteWebhook(clientId, id);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      size="sm"
      title="Delete the webhook?"
      description="What waits for it is not sent, and its log is gone."
      footer={
        <>
          <StayOpen while={deletion.isPending} />
          <Button disabled={deletion.isPending} onClick={onClose}>
            Keep it
          </Button>
          <Button variant="danger" pending={deletion.isPending} onClick={() => deletion.mutate()}>
            Delete Webhook
          </Button>
        </>
      }
    >
      <p className="font-mono text-xs break-all text-ink">{url}</p>
    </Dialog>
  );
}
