import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Credentials } from '@/features/identity/auth-schemas';
import { api, errorSentence, hasStatus } from '@/shared/api';
import { Button, Dialog } from '@/shared/ui';
import { DeviceCredentialsForm } from './device-credentials-form';
import { DeviceList } from './device-list';

export interface DeviceDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  initial: Credentials;
  /** Done: sign in with the credentials that were proven here. */
  onDone: (credentials: Credentials) => void;
}

const devicesKey = (email: string | undefined) => ['/api/devices/by-email', email];

// The POST twin of the specification's GET, so that no password ever stands in an address.
const fetchDevices = (credentials: Credentials) => api.post('/api/devices/by-email', { body: credentials });

function failureText(error: Error | null): string | undefined {
  if (error === null) return undefined;
  return errorSentence(error, hasStatus(error, 401) ? 'Failed to authenticate' : 'Failed to fetch devices');
}

/** Step 2 needs the credentials that step 1 proved; they live as long as the dialog. */
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

/** Device Management (rule accounts-21): prove who you are, then see and remove devices. */
export function DeviceDialog({ open, onOpenChange, initial, onDone }: DeviceDialogProps) {
  // What is inside lives only while the dialog is open, so that it starts at step 1 and keeps no password.
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
