import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { learnServerTime } from '@/shared/api/server-clock';
import { steppedClock } from './stepped-clock';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START_MS = Date.parse('2026-11-21T12:00:00.500Z');

const serverIs = (ms: number) => learnServerTime(new Date(ms).toUTCString(), Date.now(), Date.now());

describe('stepped clock', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: START_MS });
    serverIs(START_MS);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('goes on in steps while something shows it', () => {
    const clock = steppedClock(MINUTE_MS);
    const listener = jest.fn();
    const stop = clock.subscribe(listener);
    jest.advanceTimersByTime(MINUTE_MS - 1);
    expect(clock.nowMs()).toBe(START_MS);
    jest.advanceTimersByTime(1);
    expect(clock.nowMs()).toBe(START_MS + MINUTE_MS);
    expect(listener).toHaveBeenCalledTimes(1);
    stop();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('knows the time at once when it is shown again after hours', () => {
    const clock = steppedClock(MINUTE_MS);
    clock.subscribe(() => undefined)();
    jest.advanceTimersByTime(3 * HOUR_MS);
    const stop = clock.subscribe(() => undefined);
    expect(clock.nowMs()).toBe(START_MS + 3 * HOUR_MS);
    stop();
  });

  it("follows the server's time where the device's is an hour off", () => {
    serverIs(START_MS - HOUR_MS);
    const clock = steppedClock(MINUTE_MS);
    const stop = clock.subscribe(() => undefined);
    expect(clock.nowMs()).toBe(START_MS - HOUR_MS);
    stop();
  });
});
