import { clsx } from 'clsx';

/** A grey shape where something will be: give it the size of what will come, so that nothing shifts. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx('block animate-shimmer rounded-sm bg-sky-700', className ?? 'h-4 w-full')}
    />
  );
}
