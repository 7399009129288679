import { clsx } from 'clsx';
import { Progress } from 'radix-ui';

const tones = { nova: 'bg-nova', karma: 'bg-karma', gain: 'bg-gain', faint: 'bg-ink-faint' };

export interface ProgressBarProps {
  label: string;
  /** 0 to `max` (rule screens-15). */
  value: number;
  max?: number;
  tone?: keyof typeof tones;
  className?: string;
}

/** Shows how far something is. Say it in words beside the bar. */
export function ProgressBar({ label, value, max = 100, tone = 'nova', className }: ProgressBarProps) {
  const shown = Math.min(Math.max(value, 0), max);
  return (
    <Progress.Root
      aria-label={label}
      value={shown}
      max={max}
      className={clsx('h-2 overflow-hidden rounded-full bg-sky-700 forced-colors:border', className)}
    >
      <Progress.Indicator
        className={clsx('h-full rounded-full transition-[width] duration-200 forced-colors:bg-nova', tones[tone])}
        style={{ width: `${(shown / max) * 100}%` }}
      />
    </Progress.Root>
  );
}
