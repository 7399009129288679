import { useStoredValue } from '@/shared/hooks/use-stored-value';

const KEY = 'nova.backgroundVisibility';
const DEFAULT_PERCENT = 0;

/** How much of the night sky shows behind the content, 0 to 100 percent, kept on this device (rule screens-7). */
export function useBackgroundVisibility(): [number, (percent: number) => void] {
  const [stored, store] = useStoredValue(KEY);
  const percent = Number(stored ?? DEFAULT_PERCENT);
  const valid = Number.isFinite(percent) && percent >= 0 && percent <= 100;
  return [valid ? percent : DEFAULT_PERCENT, (next) => store(String(next))];
}
