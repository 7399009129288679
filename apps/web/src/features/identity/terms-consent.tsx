import { useId, type Ref } from 'react';
import { Checkbox, FieldError } from '@/shared/ui';

export interface TermsConsentProps {
  ref: Ref<HTMLButtonElement>;
  name: string;
  value: boolean;
  onChange: (ticked: boolean) => void;
  onBlur: () => void;
  error: string | undefined;
}

/** The consent that registering and signing in both need (rule accounts-2). The Terms open beside the form, which keeps its values. */
export function TermsConsent({ value, onChange, error, ...rest }: TermsConsentProps) {
  const errorId = useId();
  return (
    <div className="grid gap-1.5">
      <Checkbox
        {...rest}
        checked={value}
        onCheckedChange={onChange}
        invalid={error !== undefined}
        describedBy={error === undefined ? undefined : errorId}
        label={
          <>
            I accept the{' '}
            <a href="/terms" target="_blank" rel="noopener" className="text-nova underline underline-offset-2">
              Terms &amp; Conditions
            </a>
          </>
        }
      />
      {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  );
}
