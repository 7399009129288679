import { Field, TextInput } from '@/shared/ui';

export interface DayRangeProps {
  /** Days as `2026-01-31`, both included; empty if the range is open. */
  from: string;
  to: string;
  /** Whose days they are, if the labels say it. */
  zone: string | undefined;
  onFrom: (day: string) => void;
  onTo: (day: string) => void;
}

/** Two fields for a range of days: neither accepts a day that would reverse the range. */
export function DayRange({ from, to, zone, onFrom, onTo }: DayRangeProps) {
  const suffix = zone === undefined ? '' : ` (${zone})`;
  return (
    <>
      <Field label={`From${suffix}`}>
        <TextInput
          type="date"
          value={from}
          {...(to !== '' && { max: to })}
          onChange={({ target }) => onFrom(target.value)}
        />
      </Field>
      <Field label={`To${suffix}`}>
        <TextInput
          type="date"
          value={to}
          {...(from !== '' && { min: from })}
          onChange={({ target }) => onTo(target.value)}
        />
      </Field>
    </>
  );
}
