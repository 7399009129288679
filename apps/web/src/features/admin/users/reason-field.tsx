import { REASON_MAX } from '@app/domain';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field, Textarea } from '@/shared/ui';

/** The admin's reason, optional everywhere (rule admin-2). */
export function ReasonField({ registration, readOnly }: { registration: UseFormRegisterReturn; readOnly?: boolean }) {
  return (
    <Field label="Reason (optional)" hint="Kept with the event, for audits.">
      <Textarea rows={2} maxLength={REASON_MAX} readOnly={readOnly} {...registration} />
    </Field>
  );
}

/** The reason as the API takes it; absent if there is none. */
export const reasonBody = (text: string): { reason?: string } => {
  const reason = text.trim();
  return reason === '' ? {} : { reason };
};
