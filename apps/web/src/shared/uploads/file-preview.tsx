import { File as FileIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { MediaKind } from './upload-rules';

export interface FilePreviewProps {
  file: File;
  kind: MediaKind;
  url: string;
  /** An action on the file, to the right of its name. */
  action?: ReactNode;
}

/** A preview of the file, with its name and size. */
export function FilePreview({ file, kind, url, action }: FilePreviewProps) {
  return (
    <figure className="overflow-hidden rounded-md border border-line bg-sky-950">
      <Media key={url} kind={kind} url={url} />
      <figcaption className="flex items-center gap-3 border-t border-line bg-sky-700/40 py-1.5 pr-1.5 pl-3">
        <span className="min-w-0 flex-1">
          <bdi className="block truncate text-left text-sm text-ink" title={file.name}>
            {file.name}
          </bdi>
          <span className="block text-xs text-ink-faint tabular-nums">{sizeText(file.size)}</span>
        </span>
        {action}
      </figcaption>
    </figure>
  );
}

function Media({ kind, url }: { kind: MediaKind; url: string }) {
  const [isUnknown, setUnknown] = useState(false);
  const className = 'mx-auto block max-h-[min(320px,38dvh)] max-w-full object-contain';
  if (isUnknown) {
    return (
      <div className="grid min-h-44 place-items-center p-4 text-center text-sm text-ink-muted">
        <span className="grid justify-items-center gap-2">
          <FileIcon aria-hidden="true" className="size-6" />
          This browser cannot show this file.
        </span>
      </div>
    );
  }
  if (kind === 'video') {
    // The member's own clip: nobody could have written captions for it yet.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    return <video src={url} controls muted playsInline className={className} onError={() => setUnknown(true)} />;
  }
  return <img src={url} alt="Preview of the file" className={className} onError={() => setUnknown(true)} />;
}

const KB = 1024;

export function sizeText(bytes: number): string {
  if (bytes < KB * KB) return `${Math.max(1, Math.round(bytes / KB)).toLocaleString('en-US')} KB`;
  return `${(bytes / KB / KB).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`;
}
