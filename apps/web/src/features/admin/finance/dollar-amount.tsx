import { clsx } from 'clsx';

const twoDecimals = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Cents as in financial statements: `8,001.00`; below zero in parentheses. */
export const centsText = (cents: number): string => {
  const digits = twoDecimals.format(Math.abs(cents) / 100);
  return cents < 0 ? `(${digits})` : digits;
};

export const CURRENCY_NAMES = { USD: 'US dollars', XTS: 'Test dollars (XTS)' } as const;

/** An amount of a statement, whose table names the currency. Digits stand under digits, with or without parentheses. */
export function DollarAmount({ cents, className }: { cents: number; className?: string }) {
  return (
    <span className={clsx('whitespace-nowrap tabular-nums', cents >= 0 && 'pr-[0.4em]', className)}>
      {cents < 0 && <span className="sr-only">minus </span>}
      <span>{centsText(cents)}</span>
    </span>
  );
}

/** A debit or credit. */
export function DebitOrCredit({ cents, className }: { cents: number; className?: string }) {
  return (
    <span className={clsx('whitespace-nowrap tabular-nums', className)}>
      {centsText(Math.abs(cents))}
      {cents !== 0 && (
        <>
          {' '}
          <abbr title={cents < 0 ? 'credit' : 'debit'} className="text-xs text-ink-muted no-underline">
            {cents < 0 ? 'Cr' : 'Dr'}
          </abbr>
        </>
      )}
    </span>
  );
}
