import { clsx } from 'clsx';

/** The four-pointed star that stands for Nova. It is decoration: the text beside it names the currency. */
export function NovaMark({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      className={clsx('inline-block shrink-0 text-nova', className ?? 'size-[0.72em]')}
    >
      <path
        fill="currentColor"
        d="M12 0c1.1 8 4 10.9 12 12-8 1.1-10.9 4-12 12-1.1-8-4-10.9-12-12 8-1.1 10.9-4 12-12Z"
      />
    </svg>
  );
}
