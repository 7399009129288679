import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { DialogForm, type DialogFormProps } from './dialog-form';
import { RequiredReason, SAY_WHY } from './reason-field';

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
      <RequiredReason
        registration={register('reason', SAY_WHY)}
        label={label}
        hint={hint}
        error={formState.errors.reason?.message}
      />
    </DialogForm>
  );
}
