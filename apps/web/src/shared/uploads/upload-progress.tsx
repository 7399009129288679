import { ProgressBar } from '../ui';
import { sizeText } from './file-preview';
import type { UploadState } from './use-upload';

/** How far a file is, in words and as a bar; that it waits, where the device is offline. */
export function UploadProgress({ upload, isRegistering }: { upload: UploadState; isRegistering: boolean }) {
  const { percent, file, phase } = upload;
  const whole = file?.size ?? 0;
  return (
    <div className="grid gap-2">
      <ProgressBar
        label="Upload progress"
        value={isRegistering ? 100 : percent}
        tone={phase === 'offline' ? 'faint' : 'nova'}
      />
      <output className="flex justify-between gap-3 text-xs text-ink-muted">
        <span>{statusText(phase, isRegistering)}</span>
        {!isRegistering && phase === 'sending' && (
          <span aria-hidden="true" className="tabular-nums">
            {sizeText((whole * percent) / 100)} of {sizeText(whole)}
          </span>
        )}
      </output>
    </div>
  );
}

function statusText(phase: UploadState['phase'], isRegistering: boolean): string {
  if (phase === 'offline') return 'No Internet connection. The upload continues when it is back.';
  return isRegistering ? 'Preparing your file…' : 'Uploading…';
}
