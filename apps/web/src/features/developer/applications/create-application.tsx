import { useState } from 'react';
import { Dialog, toast } from '@/shared/ui';
import { emptyDraft, toBody } from '../application-schema';
import { useRegisterApplication } from '../use-applications';
import { ApplicationForm } from './application-form';
import { SecretDialog } from './secret-dialog';

export interface CreateApplicationProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The Create OAuth Application dialog, and the secret that follows it (rule oauth-3). */
export function CreateApplication({ open, onOpenChange }: CreateApplicationProps) {
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        size="lg"
        title="Create OAuth Application"
        description="It gets a client id, and a secret that is shown once."
      >
        {open && (
          <CreateForm
            onCreated={(clientSecret) => {
              onOpenChange(false);
              setSecret(clientSecret);
            }}
          />
        )}
      </Dialog>
      <SecretDialog secret={secret} onSaved={() => setSecret(null)} />
    </>
  );
}

/** Empty optional fields are absent. */
const filled = ({ description, applicationUrl, logoUrl, ...rest }: ReturnType<typeof toBody>) => ({
  ...rest,
  ...(description === '' ? {} : { description }),
  ...(applicationUrl === '' ? {} : { applicationUrl }),
  ...(logoUrl === '' ? {} : { logoUrl }),
});

function CreateForm({ onCreated }: { onCreated: (secret: string | null) => void }) {
  const registration = useRegisterApplication();
  return (
    <ApplicationForm
      initial={emptyDraft()}
      submitText="Create Application"
      isPending={registration.isPending}
      error={registration.error}
      canBePublic
      onSubmit={(draft) =>
        registration.mutate(filled(toBody(draft)), {
          onSuccess({ application, clientSecret }) {
            toast({ title: 'Application Created', description: `“${application.name}” can sign members in now.` });
            onCreated(clientSecret);
          },
        })
      }
    />
  );
}
