import { ArrowDown, ArrowUp } from 'lucide-react';
import { formatCount } from '@/shared/api';
import type { Change } from './overview-types';

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** How a count compares with the period before: in words, the colour only underlines them. */
export function ChangeNote({ change: { previous, change } }: { change: Change }) {
  if (change === null) return 'None in the previous period.';
  const before = `${formatCount(previous)} in the previous period`;
  if (change === 0) return `The same as in the previous period.`;
  const Icon = change > 0 ? ArrowUp : ArrowDown;
  return (
    <>
      <span className={`inline-flex items-center gap-0.5 font-medium ${change > 0 ? 'text-gain' : 'text-loss'}`}>
        <Icon aria-hidden="true" className="size-3" />
        {whole.format(Math.abs(change))}% {change > 0 ? 'more' : 'fewer'}
      </span>{' '}
      than the {before}.
    </>
  );
}
