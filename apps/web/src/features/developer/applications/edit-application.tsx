import { Dialog, toast } from '@/shared/ui';
import { draftOf, toBody } from '../application-schema';
import { useEditApplication } from '../use-applications';
import { ApplicationForm } from './application-form';
import type { AboutApplicationProps } from './regenerate-secret';

/** Changes what an application is known by, where members come back to and what it may ask for. */
export function EditApplication({ application, open, onClose }: AboutApplicationProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      size="lg"
      title="Edit Application"
      description="A scope that you remove ends for everybody at once. It returns only when members grant it again."
    >
      {open && <EditForm application={application} onDone={onClose} />}
    </Dialog>
  );
}

function EditForm({ application, onDone }: Pick<AboutApplicationProps, 'application'> & { onDone: () => void }) {
  const edit = useEditApplication(application.clientId);
  return (
    <ApplicationForm
      initial={draftOf(application)}
      submitText="Save Changes"
      isPending={edit.isPending}
      error={edit.error}
      onSubmit={(draft) => {
        const { isPublic: _, ...changes } = toBody(draft);
        edit.mutate(changes, {
          onSuccess() {
            toast({ title: 'Application Updated', description: 'The changes are in effect.' });
            onDone();
          },
        });
      }}
    />
  );
}
