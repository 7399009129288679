import { ExternalLink } from 'lucide-react';
import { buttonClasses } from '@/shared/ui';
import { CodeBlock } from '../code-block';

/** The address, to copy and to open. */
export function GeneratedUrl({ url }: { url: string }) {
  return (
    <div className="mt-6 grid grid-cols-1 gap-3">
      <CodeBlock label="Authorization URL" code={url} />
      <a href={url} target="_blank" rel="noopener noreferrer" className={buttonClasses({ className: 'gap-2' })}>
        <ExternalLink aria-hidden="true" className="size-4" />
        Open URL
        <span className="sr-only">(opens in a new tab)</span>
      </a>
    </div>
  );
}
