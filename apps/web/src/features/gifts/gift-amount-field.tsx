import type { KeyboardEvent, Ref } from 'react';
import { formatNova, minorToNova, novaToMinor, parseNova } from '@/shared/api';
import { AmountInput, Field } from '@/shared/ui';
import { GIFT_NOVA_MAX, GIFT_NOVA_MIN, GIFT_NOVA_STEP } from './gift-rules';

export interface GiftAmountFieldProps {
  text: string;
  novaBalance: number;
  error: string | undefined;
  readOnly: boolean;
  ref: Ref<HTMLInputElement>;
  onTextChange: (text: string) => void;
  onBlur: () => void;
}

/** How many Nova to give; the arrow keys step by 100 (rule gifts-7). */
export function GiftAmountField(props: GiftAmountFieldProps) {
  const { text, novaBalance, error, readOnly, ref, onTextChange, onBlur } = props;
  const stepOnArrow = (event: KeyboardEvent) => {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (direction === undefined || readOnly) return;
    event.preventDefault();
    onTextChange(formatNova(stepped(text, direction), { decimals: 'trim' }));
  };
  return (
    <Field label="Amount" error={error} hint={`1,000 to 1,000,000 Nova. You have ${formatNova(novaBalance)}.`}>
      <AmountInput
        ref={ref}
        placeholder="1,000"
        readOnly={readOnly}
        value={text}
        onChange={(event) => onTextChange(event.target.value)}
        onBlur={onBlur}
        onKeyDown={stepOnArrow}
      />
    </Field>
  );
}

/** The next amount within the limits; from nothing, the least gift. */
function stepped(text: string, direction: number): number {
  const current = parseNova(text);
  if (current === null) return GIFT_NOVA_MIN;
  const next = minorToNova(novaToMinor(current) + direction * novaToMinor(GIFT_NOVA_STEP));
  return Math.min(Math.max(next, GIFT_NOVA_MIN), GIFT_NOVA_MAX);
}
