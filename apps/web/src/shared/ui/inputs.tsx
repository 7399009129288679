import { clsx } from 'clsx';
import { Check, ChevronDown, Eye, EyeOff } from 'lucide-react';
import { Checkbox as RadixCheckbox } from 'radix-ui';
import { useId, useState, type ComponentProps, type ReactNode } from 'react';
import { useFieldControl } from './field';
import { NovaMark } from './nova-mark';

// 16 px on a phone: anything smaller makes iOS zoom into the field.
const controlClasses =
  'w-full rounded-sm border border-line-strong bg-sky-700/60 px-3 text-base text-ink transition-colors ' +
  'hover:border-ink-faint aria-invalid:border-loss disabled:cursor-not-allowed disabled:opacity-50 sm:text-sm';

const lineClasses = clsx(controlClasses, 'h-11 sm:h-10');

/** A line of text. A surrounding `Field` labels and describes it. */
export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input type="text" {...useFieldControl()} {...rest} className={clsx(lineClasses, className)} />;
}

/** Shown beside every field for a new password; the server refuses passwords that are easy to guess. */
export const NEW_PASSWORD_HINT = 'At least 8 characters. A few words are best.';

/** A password with a button that shows and hides it. */
export function PasswordInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <input
        {...useFieldControl()}
        {...rest}
        type={shown ? 'text' : 'password'}
        autoCapitalize="off"
        spellCheck={false}
        className={clsx(lineClasses, 'pr-11', className)}
      />
      <button
        type="button"
        aria-label={shown ? 'Hide password' : 'Show password'}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-sm text-ink-faint hover:text-ink"
      >
        <Icon aria-hidden="true" className="size-4" />
      </button>
    </div>
  );
}

/** An amount of Nova as text, so that a pasted "1,250" works; read it with `parseNova`. */
export function AmountInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <div className="relative">
      <NovaMark className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2" />
      <input
        inputMode="decimal"
        autoComplete="off"
        {...useFieldControl()}
        {...rest}
        type="text"
        className={clsx(lineClasses, 'pr-14 pl-9 tabular-nums', className)}
      />
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-sm text-ink-faint"
      >
        Nova
      </span>
    </div>
  );
}

/** Several lines of text, in the direction of the text. */
export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      dir="auto"
      {...useFieldControl()}
      {...rest}
      rows={rows}
      className={clsx(controlClasses, 'py-2.5 leading-normal', className)}
    />
  );
}

export interface SelectProps extends ComponentProps<'select'> {
  options?: readonly { value: string; label: string; disabled?: boolean }[];
}

/**
 * A choice of one, with the platform's own list (keyboard, phone wheel). No option may have an empty value (rule
 * screens-15).
 */
export function Select({ options, className, children, ...rest }: SelectProps) {
  return (
    <div className={clsx('relative', className)}>
      <select {...useFieldControl()} {...rest} className={clsx(lineClasses, 'appearance-none truncate pr-9')}>
        {options?.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled} className="bg-sky-800 text-ink">
            {option.label}
          </option>
        ))}
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-ink-faint"
      />
    </div>
  );
}

export interface CheckboxProps {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  onBlur?: () => void;
  disabled?: boolean;
  name?: string;
  invalid?: boolean;
  /** The id of the sentence that says what is wrong. */
  describedBy?: string | undefined;
  ref?: React.Ref<HTMLButtonElement>;
}

/** A checkbox; the whole label is its target. */
export function Checkbox({ label, hint, checked, onCheckedChange, invalid, describedBy, ...rest }: CheckboxProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-1">
      {/* The box is 20 px, its target 44 px on a phone. */}
      <RadixCheckbox.Root
        {...rest}
        id={id}
        checked={checked}
        aria-invalid={invalid === true || undefined}
        aria-describedby={describedBy}
        onCheckedChange={(state) => onCheckedChange(state === true)}
        className="group -my-3 -ml-3 grid size-11 shrink-0 place-items-center rounded-sm disabled:opacity-50"
      >
        <span
          className={clsx(
            'grid size-5 place-items-center rounded-[6px] border transition-colors group-data-[state=checked]:border-nova group-data-[state=checked]:bg-nova',
            invalid === true ? 'border-loss' : 'border-line-strong group-hover:border-ink-faint',
          )}
        >
          <RadixCheckbox.Indicator>
            <Check aria-hidden="true" strokeWidth={3} className="size-3.5 text-on-nova" />
          </RadixCheckbox.Indicator>
        </span>
      </RadixCheckbox.Root>
      <div className="-ml-2 min-w-0 text-sm">
        <label htmlFor={id} className="text-ink-muted">
          {label}
        </label>
        {hint !== undefined && <p className="text-xs text-ink-faint">{hint}</p>}
      </div>
    </div>
  );
}
