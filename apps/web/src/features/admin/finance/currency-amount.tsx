import type { Currency } from '@app/domain';
import { clsx } from 'clsx';
import { formatNova } from '@/shared/api';
import { Amount } from '@/shared/ui';
import { CURRENCY_LABELS } from './account-kinds';

export interface CurrencyAmountProps {
  value: number;
  currency: Currency;
  /** Shows a sign and its colour. */
  signed?: boolean;
  className?: string;
}

/** An amount in any of the ledger's currencies, for tables: tokens are whole, Nova and Seyvn have hundredths. */
export function CurrencyAmount({ value, currency, signed = false, className }: CurrencyAmountProps) {
  if (currency === 'NOVA') return <Amount value={value} signed={signed} bare className={className} />;
  const decimals = currency === 'SEYVN' ? 'fixed' : 'trim';
  const text = formatNova(value, { decimals, sign: signed ? 'always' : 'auto' });
  return (
    <span
      title={`${text} ${CURRENCY_LABELS[currency]}`}
      className={clsx(
        'whitespace-nowrap tabular-nums',
        signed && value > 0 && 'text-gain',
        signed && value < 0 && 'text-loss',
        className,
      )}
    >
      {text}
      <span className="sr-only"> {CURRENCY_LABELS[currency]}</span>
    </span>
  );
}
