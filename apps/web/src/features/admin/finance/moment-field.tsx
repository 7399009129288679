import { Field, TextInput } from '@/shared/ui';
import { fromFieldTime, toFieldTime, type Edge } from './finance-address';

export interface MomentFieldProps {
  label: string;
  /** As in the address; the empty string for none. The limits `after` and `before` have the same form. */
  moment: string;
  edge?: Edge;
  after?: string;
  before?: string;
  onMoment: (moment: string) => void;
}

/** A date and time to the second, in UTC. */
export function MomentField({ label, moment, edge = 'end', after = '', before = '', onMoment }: MomentFieldProps) {
  return (
    <Field label={label}>
      <TextInput
        type="datetime-local"
        step={1}
        value={toFieldTime(moment, edge)}
        {...(after !== '' && { min: toFieldTime(after, 'start') })}
        {...(before !== '' && { max: toFieldTime(before) })}
        onChange={({ target }) => onMoment(fromFieldTime(target.value, edge))}
      />
    </Field>
  );
}
