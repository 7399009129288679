import { Field, TextInput } from '@/shared/ui';

export interface DayRangeProps {
  /** Days as `2026-01-31`, both included; empty if the range is open. */
  from: string;
  to: string;
  onFrom: (day: string) => void;
  onTo: (day: string) => void;
}

/** Two fields for a range of days in UTC: neither accepts a day that would reverse the range. */
export function DayRange({ from, to, onFrom, onTo }: DayRangeProps) {
  return (
    <>
      <Field label="From (UTC)">
        <TextInput
          type="date"
          value={from}
          {...(to !== '' && { max: to })}
          onChange={({ target }) => onFrom(target.value)}
        />
      </Field>
      <Field label="To (UTC)">
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
