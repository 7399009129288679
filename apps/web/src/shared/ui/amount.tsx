import { clsx } from 'clsx';
import { useEffect, useRef, useState } from 'react';
import { formatNova, sayAmount } from '../api/nova';
import { useSettledValue } from '../hooks/use-settled-value';
import { NovaMark } from './nova-mark';

export type AmountTone = 'gain' | 'loss' | 'hold' | 'plain';

const tones: Record<AmountTone, string> = { gain: 'text-gain', loss: 'text-loss', hold: 'text-hold', plain: '' };

export interface AmountProps {
  /** Decimal Nova, at most two decimals. */
  value: number;
  /** Shows a sign, as statements do; the colour then follows it unless `tone` is set. */
  signed?: boolean;
  tone?: AmountTone;
  /** Leaves out the star, for dense tables whose header names the currency. */
  bare?: boolean;
  className?: string;
}

function toneOf(props: AmountProps): AmountTone {
  if (props.tone !== undefined) return props.tone;
  if (props.signed !== true || props.value === 0) return 'plain';
  return props.value > 0 ? 'gain' : 'loss';
}

/** Shows `12,500.00` with the star; a screen reader and the tooltip say "12,500 Nova". */
export function Amount(props: AmountProps) {
  const { value, signed = false, bare = false, className } = props;
  const plus = signed && value > 0 ? 'plus ' : '';
  return (
    <span
      title={sayAmount(value)}
      className={clsx(
        'inline-flex items-center gap-[0.3em] whitespace-nowrap tabular-nums',
        tones[toneOf(props)],
        className,
      )}
    >
      {!bare && <NovaMark />}
      <span aria-hidden="true">{formatNova(value, { sign: signed ? 'always' : 'auto' })}</span>
      <span className="sr-only">{`${plus}${sayAmount(value)}`}</span>
    </span>
  );
}

const COUNT_DURATION_MS = 400;

/** Counts from the last value to the new one; changes at once with reduced motion. */
function useCountedValue(value: number): number {
  const [shown, setShown] = useState(value);
  const shownRef = useRef(value);
  useEffect(() => {
    const from = shownRef.current;
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const startMs = performance.now();
    let frame = 0;
    const step = (nowMs: number) => {
      const part = still ? 1 : Math.min(Math.max(nowMs - startMs, 0) / COUNT_DURATION_MS, 1);
      const eased = 1 - (1 - part) ** 3;
      shownRef.current = part === 1 ? value : from + (value - from) * eased;
      setShown(shownRef.current);
      if (part < 1) frame = requestAnimationFrame(step);
    };
    if (from !== value) frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [value]);
  return shown;
}

export interface BalanceCountProps {
  value: number;
  className?: string;
  /** Announces no change, because another count of the same balance on the screen does. */
  quiet?: boolean;
}

/**
 * A balance that keeps changing is announced once it rests for this long, which is longer than the pause between two
 * updates.
 */
const SAID_AFTER_MS = 2_000;

/** A balance that counts to its new value within 400 ms and announces it politely. */
export function BalanceCount({ value, className, quiet = false }: BalanceCountProps) {
  const shown = useCountedValue(value);
  const said = useSettledValue(value, SAID_AFTER_MS);
  return (
    <span
      title={sayAmount(value)}
      className={clsx('inline-flex items-center gap-[0.3em] whitespace-nowrap tabular-nums', className)}
    >
      <NovaMark />
      <span aria-hidden="true">{formatNova(shown)}</span>
      <span className="sr-only" role={quiet ? undefined : 'status'}>
        {sayAmount(quiet ? value : said)}
      </span>
    </span>
  );
}
