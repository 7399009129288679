import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PacedNotices } from './paced-notices.js';

describe('notices that come no faster than one an interval', () => {
  let said: string[];
  let notices: PacedNotices;
  beforeEach(() => {
    jest.useFakeTimers();
    said = [];
    notices = new PacedNotices(1_000, (key) => said.push(key));
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('say the first at once, and all that follow together at the end of the interval', () => {
    for (let n = 0; n < 5; n++) notices.notify('ada');
    expect(said).toEqual(['ada']);
    jest.advanceTimersByTime(999);
    expect(said).toHaveLength(1);
    jest.advanceTimersByTime(1);
    expect(said).toEqual(['ada', 'ada']);
  });

  it('come once an interval for as long as there is more', () => {
    for (let tenths = 0; tenths < 50; tenths++) {
      notices.notify('ada');
      jest.advanceTimersByTime(100);
    }
    expect(said).toHaveLength(6);
    jest.advanceTimersByTime(10_000);
    expect(said).toHaveLength(6);
  });

  it('are at once again after a rest, and nothing is kept of who rests', () => {
    notices.notify('ada');
    jest.advanceTimersByTime(1_000);
    expect(said).toEqual(['ada']);
    expect(jest.getTimerCount()).toBe(0);
    notices.notify('ada');
    expect(said).toEqual(['ada', 'ada']);
  });

  it('of one member hold up no other', () => {
    notices.notify('ada');
    notices.notify('ada');
    notices.notify('bob');
    expect(said).toEqual(['ada', 'bob']);
  });
});
