import { Choice } from '../choice';
import { PERIODS, type Period } from './overview-types';

const OPTIONS = PERIODS.map((days) => ({ value: String(days), label: `${days} days` }));

/** How far back to look. */
export function PeriodChoice({ period, onChange }: { period: Period; onChange: (period: Period) => void }) {
  return (
    <Choice
      label="Period"
      options={OPTIONS}
      value={String(period)}
      onChange={(value) => onChange(PERIODS.find((days) => String(days) === value) ?? period)}
    />
  );
}
