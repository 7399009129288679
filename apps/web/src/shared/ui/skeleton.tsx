import { clsx } from 'clsx';

/** A grey shape where something will be: give it the size of what will come, so that nothing shifts. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      // A radius in `className` wins over this one.
      className={clsx('block animate-shimmer bg-sky-700 [:where(&)]:rounded-sm', className ?? 'h-4 w-full')}
    />
  );
}
