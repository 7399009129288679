import { PIN_LENGTH_MAX } from '@app/domain';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { PasswordInput } from '@/shared/ui';

/** A recovery PIN: takes only digits, six at most (rule accounts-8). */
export function PinInput({ registration }: { registration: UseFormRegisterReturn }) {
  return (
    <PasswordInput
      {...registration}
      inputMode="numeric"
      autoComplete="off"
      maxLength={PIN_LENGTH_MAX}
      onChange={(event) => {
        event.target.value = event.target.value.replace(/\D/g, '').slice(0, PIN_LENGTH_MAX);
        void registration.onChange(event);
      }}
    />
  );
}
