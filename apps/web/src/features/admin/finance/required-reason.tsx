import { REASON_MAX } from '@app/domain';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field, Textarea } from '@/shared/ui';

/** How a form registers a reason that its act cannot do without. */
export const SAY_WHY = { validate: (text: string) => text.trim() !== '' || 'Say why.' };

interface RequiredReasonProps {
  registration: UseFormRegisterReturn;
  error: string | undefined;
}

export function RequiredReason({ registration, error }: RequiredReasonProps) {
  return (
    <Field label="Reason" hint="Kept for audits." error={error}>
      <Textarea rows={2} maxLength={REASON_MAX} {...registration} />
    </Field>
  );
}
