import { clsx } from 'clsx';
import { CircleAlert } from 'lucide-react';
import { createContext, use, useId, type ReactNode } from 'react';

interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

const FieldContext = createContext<FieldControl | null>(null);

/** The props for an input inside a `Field`: its id, and its links to hint and error. */
export function useFieldControl(): Partial<FieldControl> {
  return use(FieldContext) ?? {};
}

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** One sentence. Show it on blur or on submit, never on the first keystroke (`mode: 'onTouched'`). */
  error?: string | undefined;
  /** Marks the control as wrong without a sentence here, when one sentence covers several fields. */
  invalid?: boolean;
  /** Something small to the right of the label, for example a link. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** Label above, hint below, error in a sentence; links them to the control inside for assistive technology. */
export function Field({ label, hint, error, invalid = false, aside, className, children }: FieldProps) {
  const id = useId();
  const hasError = error !== undefined && error !== '';
  const describedBy = [hasError && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className={clsx('grid grid-cols-1 gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-sm font-medium text-ink">
          {label}
        </label>
        {aside}
      </div>
      <FieldContext
        value={{ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': hasError || invalid || undefined }}
      >
        {children}
      </FieldContext>
      {hasError && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-xs text-ink-faint">
          {hint}
        </p>
      )}
    </div>
  );
}

/** The error under a control. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="flex items-start gap-1.5 text-sm text-loss">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}
