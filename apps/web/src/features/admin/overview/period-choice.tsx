import { ToggleGroup } from 'radix-ui';
import { PERIODS, type Period } from './overview-types';

/** How far back to look. */
export function PeriodChoice({ period, onChange }: { period: Period; onChange: (period: Period) => void }) {
  const choose = (value: string) => {
    const chosen = PERIODS.find((days) => String(days) === value);
    if (chosen !== undefined) onChange(chosen);
  };
  return (
    <ToggleGroup.Root
      type="single"
      aria-label="Period"
      value={String(period)}
      onValueChange={choose}
      className="flex rounded-sm border border-line bg-sky-800 p-1"
    >
      {PERIODS.map((days) => (
        <ToggleGroup.Item
          key={days}
          value={String(days)}
          className="min-h-11 rounded-[6px] px-3 text-sm font-medium text-ink-muted hover:text-ink data-[state=on]:bg-sky-700 data-[state=on]:text-ink sm:min-h-8"
        >
          {days} days
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
