import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { Spinner } from './spinner';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
export type ButtonSize = 'sm' | 'md' | 'lg' | 'icon';

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-nova text-on-nova enabled:hover:bg-nova-bright font-semibold',
  secondary: 'bg-sky-700 text-ink border border-line hover:border-line-strong font-medium',
  ghost: 'text-ink-muted hover:bg-sky-700 hover:text-ink font-medium',
  danger: 'bg-danger text-ink enabled:hover:bg-danger-bright font-semibold',
};

const sizes: Record<ButtonSize, string> = {
  sm: 'min-h-11 sm:min-h-8 px-3 text-sm rounded-sm gap-1.5',
  md: 'min-h-11 sm:min-h-10 px-4 text-sm rounded-sm gap-2',
  lg: 'min-h-12 px-6 text-base rounded-md gap-2',
  icon: 'size-11 sm:size-9 rounded-sm',
};

/** The classes of a button, for a link that must look like one. */
export function buttonClasses(
  options: { variant?: ButtonVariant; size?: ButtonSize; className?: string } = {},
): string {
  const { variant = 'secondary', size = 'md', className } = options;
  return clsx(
    'inline-flex shrink-0 items-center justify-center whitespace-nowrap transition-colors select-none',
    // At very large letter sizes, no wider than its container.
    'cramped:max-w-full cramped:whitespace-normal',
    'disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:opacity-60',
    variants[variant],
    sizes[size],
    className,
  );
}

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** The call that this control started is under way: a spinner shows, and further presses do nothing. */
  pending?: boolean;
  /** The text to show instead of the label while pending, for example "Please wait...". */
  pendingText?: string;
  icon?: ReactNode;
}

/** A button. A view has one `primary`; the label says what it does. */
export function Button(props: ButtonProps) {
  const {
    variant,
    size,
    pending = false,
    pendingText,
    icon,
    className,
    children,
    onClick,
    onMouseDown,
    type,
    ...rest
  } = props;
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      className={buttonClasses({ variant, size, className })}
      aria-busy={pending || undefined}
      aria-disabled={pending || undefined}
      onMouseDown={(event) => {
        // Otherwise the field that loses focus would show its error and move the button away from under the press.
        if (type === 'submit') event.preventDefault();
        onMouseDown?.(event);
      }}
      onClick={(event) => {
        // A press normally does this by itself; above, it was prevented.
        if (type === 'submit') event.currentTarget.focus();
        // Stays focusable while pending, so that keyboard users do not lose their place.
        if (pending) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {pending ? <Spinner /> : icon}
      <span className="contents">{pending && pendingText !== undefined ? pendingText : children}</span>
    </button>
  );
}
