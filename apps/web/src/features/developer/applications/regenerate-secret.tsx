import { useState } from 'react';
import type { Application } from '@/features/oauth/application-types';
import { Button, Dialog, StayOpen } from '@/shared/ui';
import { useRegenerateSecret } from '../use-applications';
import { SecretDialog } from './secret-dialog';

export interface AboutApplicationProps {
  application: Application;
  open: boolean;
  onClose: () => void;
}

/** Asks, creates a new secret, and shows it once (rule oauth-3). */
export function RegenerateSecret({ application, open, onClose }: AboutApplicationProps) {
  const regeneration = useRegenerateSecret();
  const [secret, setSecret] = useState<string | null>(null);
  const regenerate = () =>
    regeneration.mutate(application.clientId, {
      onSuccess({ clientSecret }) {
        onClose();
        setSecret(clientSecret);
      },
    });
  return (
    <>
      <Dialog
        open={open}
        onOpenChange={(next) => !next && onClose()}
        size="sm"
        title="Regenerate the secret?"
        description="All secrets stop working at once. Every program that uses one needs the new one."
        footer={
          <>
            <StayOpen while={regeneration.isPending} />
            <Button disabled={regeneration.isPending} onClick={onClose}>
              Keep it
            </Button>
            <Button variant="danger" pending={regeneration.isPending} onClick={regenerate}>
              Regenerate Secret
            </Button>
          </>
        }
      >
        <ApplicationName name={application.name} />
      </Dialog>
      <SecretDialog secret={secret} onSaved={() => setSecret(null)} />
    </>
  );
}

export function ApplicationName({ name }: { name: string }) {
  return (
    <p className="text-sm wrap-anywhere text-ink" dir="auto">
      {name}
    </p>
  );
}
