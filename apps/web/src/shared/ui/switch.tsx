import { Switch as RadixSwitch } from 'radix-ui';
import { useId, type ReactNode } from 'react';

export interface SwitchProps {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  className?: string;
}

/** A setting that is on or off and changes at once; the label is part of its target. */
export function Switch({ label, hint, checked, onCheckedChange, className }: SwitchProps) {
  const id = useId();
  return (
    <div className={className ?? 'flex items-center justify-between gap-4 py-3'}>
      <div className="min-w-0">
        <label htmlFor={id} className="block text-sm font-medium text-ink">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="mt-0.5 text-sm text-ink-muted">
            {hint}
          </p>
        )}
      </div>
      {/* The track is 24 px high, its target 44 px. */}
      <RadixSwitch.Root
        id={id}
        checked={checked}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onCheckedChange={onCheckedChange}
        className="group grid h-11 w-13 shrink-0 place-items-center rounded-sm"
      >
        <span className="h-6 w-11 rounded-full border border-line-strong bg-sky-700 p-0.5 transition-colors group-data-[state=checked]:border-nova group-data-[state=checked]:bg-nova">
          <RadixSwitch.Thumb className="block size-4.5 rounded-full bg-ink transition-transform forced-colors:border data-[state=checked]:translate-x-5 data-[state=checked]:bg-on-nova" />
        </span>
      </RadixSwitch.Root>
    </div>
  );
}
