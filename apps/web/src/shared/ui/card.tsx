import { clsx } from 'clsx';
import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react';

export interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  title?: ReactNode;
  description?: ReactNode;
  /** Controls to the right of the title. */
  actions?: ReactNode;
  /** Without padding, for tables and lists that run to the edge. */
  flush?: boolean;
  /** The card replaces what had the focus, and its title takes the focus. */
  takesFocus?: boolean;
}

/** A surface that holds one subject. */
export function Card({
  title,
  description,
  actions,
  flush = false,
  takesFocus = false,
  className,
  children,
  ...rest
}: CardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <section {...rest} className={clsx('rounded-lg border border-line bg-sky-800', !flush && 'p-4 sm:p-6', className)}>
      {(title !== undefined || actions !== undefined) && (
        <header
          className={clsx(
            'flex flex-wrap justify-between gap-3',
            description === undefined ? 'items-center' : 'items-start sm:flex-nowrap',
            flush ? 'p-4 sm:p-6' : 'mb-4',
          )}
        >
          <div className="min-w-0">
            {title !== undefined && (
              <h2 ref={heading} tabIndex={takesFocus ? -1 : undefined} className="text-base font-semibold text-ink">
                {title}
              </h2>
            )}
            {description !== undefined && <p className="mt-1 text-sm text-ink-muted">{description}</p>}
          </div>
          {actions !== undefined && <div className="sm:shrink-0 print:hidden">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
}
