import { REASON_MAX } from '@app/domain';
import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { Field, Textarea } from '@/shared/ui';
import { DialogForm, type DialogFormProps } from './dialog-form';

export interface ReasonFormProps extends Pick<DialogFormProps, 'submitText' | 'variant' | 'isPending' | 'problem'> {
  label: string;
  hint: string;
  onReason: (reason: string) => void;
  /** Fields above the reason. */
  children?: ReactNode;
}

/** A form for the reason of an act that needs one. */
export function ReasonForm({ label, hint, onReason, children, ...form }: ReasonFormProps) {
  const { register, handleSubmit, formState } = useForm({ mode: 'onTouched', defaultValues: { reason: '' } });
  return (
    <DialogForm {...form} onSubmit={handleSubmit(({ reason }) => onReason(reason.trim()))}>
      {children}
      <Field label={label} hint={hint} error={formState.errors.reason?.message}>
        <Textarea
          rows={3}
          maxLength={REASON_MAX}
          {...register('reason', { validate: (text) => text.trim() !== '' || 'Say why.' })}
        />
      </Field>
    </DialogForm>
  );
}
