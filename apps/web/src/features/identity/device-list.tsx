import { deviceName, isHandheld } from '@app/domain';
import { useMutation } from '@tanstack/react-query';
import { Laptop, Smartphone, Trash2, TriangleAlert } from 'lucide-react';
import type { Credentials } from '@/features/identity/auth-schemas';
import { api, ensureGone, errorSentence, type Schemas } from '@/shared/api';
import { Button, EmptyState, ErrorNote, formatDateTime, toast } from '@/shared/ui';

export interface DeviceListProps {
  list: Schemas['DevicesResponse'];
  credentials: Credentials;
  /** A device is gone: read the list again. */
  onRemoved: () => Promise<unknown>;
}

/** Step 2 of the Device Management dialog (rule accounts-21). */
export function DeviceList({ list, credentials, onRemoved }: DeviceListProps) {
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
