import { useEffect, useState } from 'react';
import { serverNowMs } from '@/shared/api';

const TICK_MS = 10_000;

/** The server's time, looked at every ten seconds: what is left of a quest is told to the minute. */
export function useServerMinute(): number {
  const [nowMs, setNowMs] = useState(serverNowMs);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverNowMs()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
