import { useEffect, useState } from 'react';

/** A search waits this long after the last keystroke (rule screens-14). */
export const SEARCH_DEBOUNCE_MS = 300;

/** `value` once it has not changed for `delayMs`, so that typing sends one request, not one per key. */
export function useSettledValue<T>(value: T, delayMs = SEARCH_DEBOUNCE_MS): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}
