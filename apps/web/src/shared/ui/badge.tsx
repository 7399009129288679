import { clsx } from 'clsx';
import type { ReactNode } from 'react';

const tones = {
  neutral: 'bg-sky-700 text-ink-muted border-line',
  nova: 'bg-nova/15 text-nova border-nova/30',
  gain: 'bg-gain/12 text-gain border-gain/30',
  loss: 'bg-loss/12 text-loss border-loss/30',
  hold: 'bg-hold/12 text-hold border-hold/30',
};

export interface BadgeProps {
  tone?: keyof typeof tones;
  children: ReactNode;
}

/** A short state in words; the colour only underlines it. */
export function Badge({ tone = 'neutral', children }: BadgeProps) {
  return (
    <span
      className={clsx(
        'inline-flex min-h-5 items-center gap-1 rounded-full border px-2 text-xs font-medium whitespace-nowrap tabular-nums',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}
