import { clsx } from 'clsx';
import { Upload } from 'lucide-react';
import { type ChangeEvent, type DragEvent, type FormEvent, type ReactNode, useId, useState } from 'react';
import { errorSentence } from '../api';
import { useOnline } from '../hooks/use-online';
import { Button, Dialog, ErrorNote, ProgressBar, StayOpen } from '../ui';
import { useAskBeforeUnload } from '../forms/leave-dialog';
import { DialogActions } from './dialog-actions';
import { FilePreview, sizeText } from './file-preview';
import { describeRules, type UploadedFile, type UploadRules } from './upload-rules';
import { type UploadState, useUpload } from './use-upload';

export interface UploadDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  rules: UploadRules;
  submitText?: string;
  /** Something in the fields must be corrected first; say beside them what. */
  submitDisabled?: boolean;
  /** Fields that belong to the file (caption, tags), below the preview. */
  children?: ReactNode;
  /**
   * Registers the file that has arrived; the dialog closes when this resolves. What it throws is shown, and the member
   * may retry.
   */
  onUploaded: (uploaded: UploadedFile) => Promise<void> | void;
  /** Called when the file itself did not arrive (rule uploads-6); the dialog shows the reason. */
  onSendFailed: () => void;
  /** For failures without a sentence from the server (rule profiles-13). */
  failureText?: string;
}

/**
 * Picks one file or accepts a dropped one, sends it and registers it (rule uploads-4). Opening the dialog again starts
 * over.
 */
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
  useAskBeforeUnload(isBusy);

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

/** The progress of a file, in words and as a bar; says if it waits because the device is offline. */
function UploadProgress({ upload, isRegistering }: { upload: UploadState; isRegistering: boolean }) {
  const { percent, file, phase } = upload;
  const isOnline = useOnline();
  const isWaiting = phase === 'offline' || (isRegistering && !isOnline);
  const whole = file?.size ?? 0;
  return (
    <div className="grid gap-2">
      <ProgressBar label="Upload progress" value={isRegistering ? 100 : percent} tone={isWaiting ? 'faint' : 'nova'} />
      <output className="flex justify-between gap-3 text-xs text-ink-muted">
        <span>{statusText({ isWaiting, isRegistering })}</span>
        {!isRegistering && phase === 'sending' && (
          <span aria-hidden="true" className="tabular-nums">
            {sizeText((whole * percent) / 100)} of {sizeText(whole)}
          </span>
        )}
      </output>
    </div>
  );
}

function statusText({ isWaiting, isRegistering }: { isWaiting: boolean; isRegistering: boolean }): string {
  if (isWaiting) return 'No Internet connection. The upload continues when it is back.';
  return isRegistering ? 'Preparing your file…' : 'Uploading…';
}

interface FileDropProps {
  rules: UploadRules;
  /** Called with one file from the chooser, or with all files that were dropped. */
  onFiles: (files: readonly File[]) => void;
}

/**
 * Where a file is picked or dropped. The whole area is the label of a real file input, so it works by keyboard and on a
 * phone.
 */
function FileDrop({ rules, onFiles }: FileDropProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const drag = (over: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(over);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])];
    // Allows the same file to be picked again after it failed.
    event.target.value = '';
    onFiles(files);
  };
  return (
    <div onDragEnter={drag(true)} onDragOver={drag(true)} onDragLeave={drag(false)} onDrop={drop}>
      <input
        id={id}
        type="file"
        className="peer sr-only"
        accept={rules.accept.join(',')}
        aria-describedby={`${id}-rules`}
        onChange={change}
      />
      <label
        htmlFor={id}
        className={clsx(
          'flex min-h-44 cursor-pointer flex-col items-center justify-center gap-2 rounded-md border border-dashed p-4 text-center transition-colors',
          'peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-nova',
          isOver ? 'border-nova bg-nova/10' : 'border-line-strong hover:border-ink-faint hover:bg-sky-700/40',
        )}
      >
        <Upload aria-hidden="true" className="size-6 text-ink-muted" />
        <span className="text-sm font-medium text-ink">
          Choose a file <span className="hidden font-normal text-ink-muted sm:inline">or drop it here</span>
        </span>
        <span id={`${id}-rules`} className="text-xs text-ink-faint">
          {describeRules(rules)}
        </span>
      </label>
    </div>
  );
}
