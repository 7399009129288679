import { errorSentence } from '@/shared/api';
import { Button, Dialog, ErrorNote, StayOpen } from '@/shared/ui';
import { useDeleteApplication } from '../use-applications';
import { ApplicationName, type AboutApplicationProps } from './regenerate-secret';

/** Asks before an application is deleted (rule oauth-5). */
export function DeleteApplication({
  application,
  open,
  onClose,
  onDeleted,
}: AboutApplicationProps & { onDeleted?: () => void }) {
  const deletion = useDeleteApplication();
  const close = () => {
    deletion.reset();
    onClose();
  };
  const remove = () =>
    deletion.mutate(application, {
      onSuccess() {
        close();
        onDeleted?.();
      },
    });
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      size="sm"
      title="Delete this application?"
      description="Nobody can sign in to it any more, and all its tokens end at once. This cannot be undone."
      footer={
        <>
          <StayOpen while={deletion.isPending} />
          <Button disabled={deletion.isPending} onClick={close}>
            Keep it
          </Button>
          <Button variant="danger" pending={deletion.isPending} onClick={remove}>
            Delete Application
          </Button>
        </>
      }
    >
      <ApplicationName name={application.name} />
      {deletion.error !== null && !deletion.isPending && (
        <ErrorNote className="mt-4">{errorSentence(deletion.error, 'The application was not deleted.')}</ErrorNote>
      )}
    </Dialog>
  );
}
