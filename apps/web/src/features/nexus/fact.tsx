import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { CopyButton } from '@/shared/ui';

export interface FactProps {
  label: string;
  /** Takes the whole row of its list. */
  wide?: boolean;
  children: ReactNode;
}

/** A figure with its label. */
export function Fact({ label, wide = false, children }: FactProps) {
  return (
    <div className={clsx('min-w-0', wide && 'col-span-full')}>
      <dt className="text-xs font-medium text-ink-muted">{label}</dt>
      <dd className="mt-0.5 text-sm text-ink tabular-nums">{children}</dd>
    </div>
  );
}

/** A hash, in full and copyable. */
export function HashFact({ label, hash }: { label: string; hash: string }) {
  return (
    <div className="col-span-full min-w-0">
      <dt className="text-xs font-medium text-ink-muted">{label}</dt>
      <dd className="mt-0.5 flex items-center gap-1">
        <code className="min-w-0 text-xs break-all text-ink">{hash}</code>
        <CopyButton text={hash} label={`Copy ${label.toLowerCase()}`} className="-my-2" />
      </dd>
    </div>
  );
}
