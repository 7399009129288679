import type { ReactNode, SubmitEventHandler } from 'react';
import { Button, ErrorNote, StayOpen } from '@/shared/ui';

export interface DialogFormProps {
  onSubmit: () => Promise<void>;
  /** The label of the submit button. */
  submitText: string;
  variant?: 'primary' | 'danger';
  disabled?: boolean;
  isPending: boolean;
  /** What was wrong with the last try, in a sentence. */
  problem: string | null;
  children: ReactNode;
}

/**
 * The form of a dialog in the panel: its fields, the last error and the submit button. The dialog stays until the
 * answer has come.
 */
export function DialogForm(props: DialogFormProps) {
  const { onSubmit, submitText, variant = 'primary', disabled = false, isPending, problem, children } = props;
  const submit: SubmitEventHandler = (event) => {
    event.preventDefault();
    void onSubmit();
  };
  return (
    <form noValidate className="grid grid-cols-1 gap-4" onSubmit={submit}>
      <StayOpen while={isPending} />
      {children}
      {problem !== null && <ErrorNote>{problem}</ErrorNote>}
      <Button type="submit" size="lg" variant={variant} disabled={disabled} pending={isPending}>
        {submitText}
      </Button>
    </form>
  );
}
