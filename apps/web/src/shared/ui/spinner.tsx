import { LoaderCircle } from 'lucide-react';
import { clsx } from 'clsx';

/** A spinner. Name it with `label`, unless the text beside it does. */
export function Spinner({ className, label }: { className?: string; label?: string }) {
  const ring = <LoaderCircle aria-hidden="true" className={clsx('animate-spin', className ?? 'size-4')} />;
  if (label === undefined) return ring;
  return (
    <output className="inline-flex">
      {ring}
      <span className="sr-only">{label}</span>
    </output>
  );
}

/** Covers the screen until it is known who is signed in (rule screens-5). */
export function FullScreenSpinner({ label = 'Loading…' }: { label?: string }) {
  return (
    <div className="grid min-h-dvh place-items-center text-ink-muted">
      <Spinner className="size-8" label={label} />
    </div>
  );
}
