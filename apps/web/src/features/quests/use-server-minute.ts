import { useSyncExternalStore } from 'react';
import { steppedClock } from '@/shared/hooks/stepped-clock';

const clock = steppedClock(10_000);

/** The server's time, looked at every ten seconds: what is left of a quest is told to the minute. */
export const useServerMinute = (): number => useSyncExternalStore(clock.subscribe, clock.nowMs);
