import { deviceName, isHandheld } from '@app/domain';
import { zodResolver } from '@hookform/resolvers/zod';
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Laptop, Smartphone, Trash2, TriangleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { type Credentials, CREDENTIALS_REQUIRED, credentialsSchema } from '@/features/identity/auth-schemas';
import { readFieldErrors } from '@/features/identity/field-errors';
import { api, ensureGone, errorSentence, hasStatus, type Schemas } from '@/shared/api';
import {
  Button,
  Dialog,
  EmptyState,
  ErrorNote,
  Field,
  FieldError,
  formatDateTime,
  PasswordInput,
  TextInput,
  toast,
} from '@/shared/ui';

export interface DeviceDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  initial: Credentials;
  /** Called at the end, to sign in with the credentials that were proven here. */
  onDone: (credentials: Credentials) => void;
}

const devicesKey = (email: string | undefined) => ['/api/devices/by-email', email];

// The POST twin of the specification's GET, so that no password ever appears in an address.
const fetchDevices = (credentials: Credentials) => api.post('/api/devices/by-email', { body: credentials });

function failureText(error: Error | null): string | undefined {
  if (error === null) return undefined;
  return errorSentence(error, hasStatus(error, 401) ? 'Failed to authenticate' : 'Failed to fetch devices');
}

/** Step 2 needs the credentials that step 1 proved; they are kept as long as the dialog is open. */
function useProvenDevices() {
  const client = useQueryClient();
  const [proven, setProven] = useState<Credentials | null>(null);
  const devices = useQuery({
    queryKey: devicesKey(proven?.email),
    queryFn: proven === null ? skipToken : () => fetchDevices(proven),
    gcTime: 0,
  });
  const prove = useMutation({
    mutationFn: fetchDevices,
    onSuccess(list, credentials) {
      client.setQueryData(devicesKey(credentials.email), list);
      setProven(credentials);
    },
  });
  return { proven, devices, prove, back: () => setProven(null) };
}

/** Device Management (rule accounts-21): the visitor proves who they are, then sees and removes devices. */
export function DeviceDialog({ open, onOpenChange, initial, onDone }: DeviceDialogProps) {
  // The content is mounted only while the dialog is open, so that it starts at step 1 and keeps no password.
  return open ? <OpenDeviceDialog onOpenChange={onOpenChange} initial={initial} onDone={onDone} /> : null;
}

function OpenDeviceDialog({ onOpenChange, initial, onDone }: Omit<DeviceDialogProps, 'open'>) {
  const formId = useId();
  const { proven, devices, prove, back } = useProvenDevices();
  if (proven === null || devices.data === undefined) {
    return (
      <Dialog
        open
        onOpenChange={onOpenChange}
        title="Device Management"
        description="Enter your email and password to see the devices of your account."
        footer={
          <Button type="submit" form={formId} variant="primary" pending={prove.isPending} pendingText="Loading...">
            View My Devices
          </Button>
        }
      >
        <DeviceCredentialsForm
          id={formId}
          initial={proven ?? initial}
          onSubmit={(credentials) => prove.mutate(credentials)}
          failure={failureText(prove.error)}
        />
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title="Device Management"
      description="Browsers that have signed in to your account. Removing one signs it out."
      footer={
        <>
          <Button onClick={back}>Back</Button>
          <Button
            variant="primary"
            onClick={() => {
              onDone(proven);
              onOpenChange(false);
            }}
          >
            Done - Sign In
          </Button>
        </>
      }
    >
      <DeviceList list={devices.data} credentials={proven} onRemoved={() => devices.refetch()} />
    </Dialog>
  );
}

interface DeviceCredentialsFormProps {
  id: string;
  initial: Credentials;
  onSubmit: (credentials: Credentials) => void;
  /** Why the last try failed. */
  failure: string | undefined;
}

/** Step 1 of the Device Management dialog (rule accounts-21); its submit button is in the dialog's footer. */
function DeviceCredentialsForm({ id, initial, onSubmit, failure }: DeviceCredentialsFormProps) {
  const { register, handleSubmit, formState } = useForm<Credentials>({
    resolver: zodResolver(credentialsSchema),
    mode: 'onTouched',
    defaultValues: initial,
  });
  const errors = readFieldErrors(formState.errors, CREDENTIALS_REQUIRED);
  return (
    <form id={id} noValidate className="grid gap-4" onSubmit={(event) => void handleSubmit(onSubmit)(event)}>
      <Field label="Email" {...errors.props('email')}>
        <TextInput {...register('email')} type="email" autoComplete="username" />
      </Field>
      <Field label="Password" {...errors.props('password')}>
        <PasswordInput {...register('password')} autoComplete="current-password" />
      </Field>
      {errors.missing !== undefined && <FieldError>{errors.missing}</FieldError>}
      {failure !== undefined && <ErrorNote>{failure}</ErrorNote>}
    </form>
  );
}

interface DeviceListProps {
  list: Schemas['DevicesResponse'];
  credentials: Credentials;
  /** Called after a device was removed, to refetch the list. */
  onRemoved: () => Promise<unknown>;
}

/** Step 2 of the Device Management dialog (rule accounts-21). */
function DeviceList({ list, credentials, onRemoved }: DeviceListProps) {
  const remove = useMutation({
    mutationFn: async (id: string) => {
      await ensureGone(api.delete('/api/devices/{id}', { path: { id }, body: credentials }));
      toast({ title: 'Device Removed', description: 'The device has been removed successfully.' });
      await onRemoved();
    },
  });
  const removing = remove.isPending ? remove.variables : undefined;
  return (
    <div className="grid gap-4">
      <p className="text-sm text-ink-muted">
        <span className="font-medium text-ink tabular-nums">
          {list.count} / {list.limit}
        </span>{' '}
        devices registered
      </p>
      {list.count >= list.limit && (
        <p className="flex gap-3 rounded-md border border-hold/40 bg-hold/10 p-3 text-sm">
          <TriangleAlert aria-hidden="true" className="size-5 shrink-0 text-hold" />
          You&apos;ve reached the maximum device limit. Remove some devices to sign in from new devices.
        </p>
      )}
      {remove.isError && <ErrorNote>{errorSentence(remove.error, 'Failed to remove device')}</ErrorNote>}
      {list.devices.length === 0 ? (
        <EmptyState icon={Laptop} title="No devices" text="Browsers that you sign in with are listed here." />
      ) : (
        <ul className="divide-y divide-line rounded-md border border-line">
          {list.devices.map((device) => (
            <DeviceRow
              key={device.id}
              device={device}
              pending={removing === device.id}
              onRemove={() => remove.mutate(device.id)}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

function DeviceRow({
  device,
  pending,
  onRemove,
}: {
  device: Schemas['DeviceDto'];
  pending: boolean;
  onRemove: () => void;
}) {
  const name = deviceName(device.userAgent);
  const since = formatDateTime(device.createdAt);
  const Icon = isHandheld(device.userAgent) ? Smartphone : Laptop;
  return (
    <li className="flex items-center gap-3 py-2 pr-2 pl-3">
      <Icon aria-hidden="true" className="size-5 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1">
        <p className="text-sm font-medium">{name}</p>
        <p className="truncate text-xs text-ink-muted tabular-nums">
          <time dateTime={device.createdAt}>{since}</time>
        </p>
      </div>
      <Button
        variant="ghost"
        size="sm"
        pending={pending}
        aria-label={`Remove ${name}, ${since}`}
        icon={<Trash2 aria-hidden="true" className="size-4" />}
        onClick={onRemove}
      >
        Remove
      </Button>
    </li>
  );
}
