import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button';
import { failureToast } from './toast';

const SHOWN_MS = 2_000;

export interface CopyButtonProps {
  text: string;
  /** What is copied, for the label: `Copy event id`. */
  label: string;
  className?: string;
  /** Called once the text is copied. */
  onCopied?: () => void;
}

/** Copies `text` and confirms it on the button itself. */
export function CopyButton({ text, label, className, onCopied }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      onCopied?.();
    } catch {
      failureToast('Error', 'The browser did not allow copying.');
    }
  };
  const Icon = copied ? Check : Copy;
  return (
    <Button
      variant="ghost"
      size="icon"
      className={className}
      aria-label={copied ? 'Copied' : label}
      onClick={() => void copy()}
    >
      <Icon aria-hidden="true" className="size-4" />
    </Button>
  );
}
