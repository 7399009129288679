import { CHART, CONTROLLED_ACCOUNTS, DOLLAR_ACCOUNTS, type AccountClass } from '@app/domain';
import type { ComponentProps } from 'react';
import { Select } from '@/shared/ui';

const CLASS_LABELS: Readonly<Record<AccountClass, string>> = {
  asset: 'Assets',
  cash: 'Cash',
  liability: 'Liabilities',
  equity: 'Equity',
  revenue: 'Revenue',
  expense: 'Expenses',
};
const CLASSES = Object.keys(CLASS_LABELS) as readonly AccountClass[];
const BY_HAND = DOLLAR_ACCOUNTS.filter((account) => !CONTROLLED_ACCOUNTS.has(account));

interface AccountSelectProps extends ComponentProps<typeof Select> {
  /** A first choice that names no account. */
  none?: string;
}

/** The accounts that finance may post to by hand (rule finance-8). */
export function AccountSelect({ none, ...props }: AccountSelectProps) {
  return (
    <Select {...props}>
      {none !== undefined && (
        <option value="" className="bg-sky-800 text-ink">
          {none}
        </option>
      )}
      {CLASSES.map((name) => (
        <optgroup key={name} label={CLASS_LABELS[name]} className="bg-sky-800 text-ink">
          {BY_HAND.filter((account) => CHART[account].class === name).map((account) => (
            <option key={account} value={account} className="bg-sky-800 text-ink">
              {CHART[account].label}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  );
}
