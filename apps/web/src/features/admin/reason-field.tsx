import { REASON_MAX } from '@app/domain';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field, Textarea } from '@/shared/ui';

interface ReasonFieldProps {
  registration: UseFormRegisterReturn;
  label?: string;
  hint?: string;
  error?: string | undefined;
  readOnly?: boolean;
}

/** The admin's reason, optional where nothing else is said (rule admin-2). */
export function ReasonField({
  registration,
  label = 'Reason (optional)',
  hint = 'Kept with the event, for audits.',
  error,
  readOnly,
}: ReasonFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <Textarea rows={2} maxLength={REASON_MAX} readOnly={readOnly} {...registration} />
    </Field>
  );
}

/** How a form registers a reason that its act cannot do without. */
export const SAY_WHY = { validate: (text: string) => text.trim() !== '' || 'Say why.' };

/** The reason of an act that needs one. */
export const RequiredReason = ({ label = 'Reason', hint = 'Kept for audits.', ...field }: ReasonFieldProps) => (
  <ReasonField label={label} hint={hint} {...field} />
);

/** The reason as the API takes it; absent if there is none. */
export const reasonBody = (text: string): { reason?: string } => {
  const reason = text.trim();
  return reason === '' ? {} : { reason };
};
