import { useMutation } from '@tanstack/react-query';
import { Download, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button, errorToast, toast } from '@/shared/ui';
import { download, type Progress } from './download';

export interface DownloadButtonProps {
  label: string;
  path: string;
  fallbackName: string;
  /** Created for each download: reports the progress after each piece. A small file needs none. */
  progressOf?: (response: Response) => (chunk: Uint8Array) => Progress;
  /** The sentence for a failure without one from the server. */
  failure: string;
  disabled?: boolean;
  variant?: 'primary' | 'secondary';
}

const sayDownloading = () => (): Progress => ({ text: 'Downloading' });

/** Saves what the server streams, with its progress and a way to stop. */
export function DownloadButton(props: DownloadButtonProps) {
  const {
    label,
    path,
    fallbackName,
    progressOf = sayDownloading,
    failure,
    disabled = false,
    variant = 'secondary',
  } = props;
  const [progress, setProgress] = useState<Progress>({ text: '' });
  const abort = useRef<AbortController>(null);
  const downloading = useMutation({
    mutationFn() {
      const controller = new AbortController();
      abort.current = controller;
      setProgress({ text: 'Starting' });
      return download({
        path,
        fallbackName,
        signal: controller.signal,
        onResponse(response) {
          const told = progressOf(response);
          return (chunk) => setProgress(told(chunk));
        },
      });
    },
    onSuccess: () => toast({ title: 'Download ready', description: 'The file has been saved.' }),
    onError(error) {
      if (abort.current?.signal.aborted === true) return;
      errorToast('Download failed', error, failure);
    },
  });
  if (!downloading.isPending) {
    return (
      <Button
        variant={variant}
        icon={<Download aria-hidden="true" className="size-4" />}
        disabled={disabled}
        onClick={() => downloading.mutate()}
      >
        {label}
      </Button>
    );
  }
  return (
    <div className="flex items-center gap-2">
      <label className="grid gap-1 text-xs text-ink-muted tabular-nums">
        {progress.text}
        <progress
          className="h-1.5 w-40 overflow-hidden rounded-full accent-nova [&::-webkit-progress-bar]:bg-sky-700 [&::-webkit-progress-value]:bg-nova"
          {...(progress.total !== undefined && { value: progress.done, max: progress.total })}
        />
      </label>
      <Button variant="ghost" size="icon" aria-label="Stop the download" onClick={() => abort.current?.abort()}>
        <X aria-hidden="true" className="size-4" />
      </Button>
    </div>
  );
}
