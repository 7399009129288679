import { useSyncExternalStore } from 'react';
import { steppedClock } from '@/shared/hooks/stepped-clock';
import { dayOf } from './fiscal-period';

const clock = steppedClock(60_000);

/** The day that it is now in the time zone of the books. */
export const useDayNow = (timeZone: string): string =>
  useSyncExternalStore(clock.subscribe, () => dayOf(new Date(clock.nowMs()).toISOString(), timeZone));
