import type { AuthorizedApplication } from '@/features/oauth/application-types';
import { useRevokeAccess } from '@/features/oauth/use-authorized';
import { Button, Dialog, StayOpen } from '@/shared/ui';
import { ApplicationName } from '../applications/regenerate-secret';

export interface RevokeDialogProps {
  /** None: the dialog is closed. */
  application: AuthorizedApplication | null;
  onClose: () => void;
}

/** Asks before an application's access ends (rule oauth-5). */
export function RevokeDialog({ application, onClose }: RevokeDialogProps) {
  const revocation = useRevokeAccess();
  return (
    <Dialog
      open={application !== null}
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title="Revoke access?"
      description="It can no longer read your data or spend your Nova. It may ask you again."
      footer={
        <>
          <StayOpen while={revocation.isPending} />
          <Button disabled={revocation.isPending} onClick={onClose}>
            Keep it
          </Button>
          <Button
            variant="danger"
            pending={revocation.isPending}
            onClick={() => application && revocation.mutate(application, { onSuccess: onClose })}
          >
            Revoke Access
          </Button>
        </>
      }
    >
      <ApplicationName name={application?.name ?? ''} />
    </Dialog>
  );
}
