import { clsx } from 'clsx';

/** A grey placeholder: give it the size of the content, so that nothing shifts. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      // A radius in `className` overrides this one.
      className={clsx('block animate-shimmer bg-sky-700 [:where(&)]:rounded-sm', className ?? 'h-4 w-full')}
    />
  );
}
