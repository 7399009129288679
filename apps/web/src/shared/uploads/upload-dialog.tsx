import { useState, type FormEvent, type ReactNode } from 'react';
import { errorSentence } from '../api';
import { Button, Dialog, ErrorNote, StayOpen } from '../ui';
import { DialogActions } from './dialog-actions';
import { FileDrop } from './file-drop';
import { FilePreview } from './file-preview';
import { UploadProgress } from './upload-progress';
import type { UploadedFile, UploadRules } from './upload-rules';
import { useUpload } from './use-upload';

export interface UploadDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  rules: UploadRules;
  submitText?: string;
  /** Something in the fields must be put right first; say what beside it. */
  submitDisabled?: boolean;
  /** Fields that go with the file (caption, tags), below the preview. */
  children?: ReactNode;
  /** Registers the file that has arrived; the dialog closes when this is done. What it throws is shown, and may be tried again. */
  onUploaded: (uploaded: UploadedFile) => Promise<void> | void;
  /** Says that the file itself did not arrive (rule uploads-6); why is said in the dialog. */
  onSendFailed: () => void;
  /** For failures without a sentence of the server's (rule profiles-13). */
  failureText?: string;
}

/** Picking or dropping one file, sending it, and registering it (rule uploads-4). Opening it again begins anew. */
export function UploadDialog(props: UploadDialogProps) {
  const { open, onOpenChange, title, description } = props;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      {...(description === undefined ? {} : { description })}
    >
      <UploadForm {...props} />
    </Dialog>
  );
}

function UploadForm({ rules, submitText = 'Upload', submitDisabled = false, children, ...props }: UploadDialogProps) {
  const { onUploaded, onSendFailed, onOpenChange, failureText = 'Failed to upload content' } = props;
  const upload = useUpload(rules, onSendFailed);
  const [isRegistering, setRegistering] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const isBusy = isRegistering || upload.phase === 'sending' || upload.phase === 'offline';

  const pick = (files: readonly File[]) => {
    setRefusal(null);
    void upload.pick(files);
  };
  const submit = async () => {
    setRefusal(null);
    const uploaded = await upload.send();
    if (uploaded === null) return;
    setRegistering(true);
    try {
      await onUploaded(uploaded);
      onOpenChange(false);
    } catch (error) {
      setRefusal(errorSentence(error, failureText));
    } finally {
      setRegistering(false);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy && upload.file !== null && !submitDisabled) void submit();
  };
  return (
    <form noValidate className="grid grid-cols-1 gap-4" onSubmit={onSubmit}>
      <StayOpen while={isRegistering} />
      {upload.file === null || upload.previewUrl === null ? (
        <FileDrop rules={rules} onFiles={pick} />
      ) : (
        <FilePreview
          file={upload.file}
          kind={upload.kind}
          url={upload.previewUrl}
          action={
            !isBusy && (
              <Button size="sm" variant="ghost" onClick={upload.reset}>
                Remove
              </Button>
            )
          }
        />
      )}
      {isBusy && <UploadProgress upload={upload} isRegistering={isRegistering} />}
      {(upload.error ?? refusal) !== null && !isBusy && <ErrorNote>{upload.error ?? refusal}</ErrorNote>}
      {children}
      <DialogActions>
        <Button disabled={isRegistering} onClick={() => (isBusy ? upload.cancel() : onOpenChange(false))}>
          {isBusy ? 'Cancel upload' : 'Cancel'}
        </Button>
        <Button
          type="submit"
          variant="primary"
          pending={isBusy}
          pendingText={isRegistering ? 'Processing...' : 'Uploading...'}
          disabled={upload.file === null || submitDisabled}
        >
          {submitText}
        </Button>
      </DialogActions>
    </form>
  );
}
