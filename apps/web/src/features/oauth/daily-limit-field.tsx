import { useState } from 'react';
import { AmountInput, Field } from '@/shared/ui';
import { dailyLimitComplaint, readDailyLimit } from './daily-limit';

export interface DailyLimitFieldProps {
  text: string;
  readOnly?: boolean;
  onTextChange: (text: string) => void;
}

/** How much an application may spend and give away in a day. */
export function DailyLimitField({ text, readOnly = false, onTextChange }: DailyLimitFieldProps) {
  const [wasLeft, setLeft] = useState(false);
  const isWrong = readDailyLimit(text) === null;
  return (
    <Field
      label="Daily spending limit"
      hint="How much it may spend or give away in your name each day (UTC). With 0 it can spend nothing."
      error={wasLeft && isWrong ? dailyLimitComplaint() : undefined}
    >
      <AmountInput
        value={text}
        readOnly={readOnly}
        onChange={(event) => onTextChange(event.target.value)}
        onBlur={() => setLeft(true)}
      />
    </Field>
  );
}
