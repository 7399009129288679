import { clsx } from 'clsx';
import { CopyButton, toast } from '@/shared/ui';

export interface CodeBlockProps {
  /** The name of the code, for its header and its copy button. */
  label: string;
  code: string;
  className?: string;
}

/** A text to copy, exactly as written; long lines wrap, so that nothing is hidden on a phone. */
export function CodeBlock({ label, code, className }: CodeBlockProps) {
  return (
    <figure className={clsx('min-w-0 overflow-hidden rounded-md border border-line bg-sky-950/60', className)}>
      <figcaption className="flex items-center justify-between gap-3 border-b border-line py-1 pr-1 pl-4 text-xs font-medium text-ink-muted">
        {label}
        <CopyButton text={code} label={`Copy ${label}`} onCopied={copiedToast} />
      </figcaption>
      <pre dir="ltr" className="p-4 font-mono text-xs leading-relaxed wrap-anywhere whitespace-pre-wrap text-ink">
        <code>{code}</code>
      </pre>
    </figure>
  );
}

/** The toast after copying (rule oauth-21). */
const copiedToast = (): void => toast({ title: 'Copied', description: 'Text copied to clipboard' });
