import { FAILING_HOURS_MAX, RETRY_PAUSES_MS } from './limits.js';

const HOUR_MS = 3_600_000;

describe('the pauses between attempts', () => {
  it('grow, and end three days after the first attempt', () => {
    for (const [index, pause] of RETRY_PAUSES_MS.entries()) {
      expect(pause).toBeGreaterThanOrEqual(RETRY_PAUSES_MS[index - 1] ?? 0);
    }
    const all = RETRY_PAUSES_MS.reduce((sum, pause) => sum + pause, 0);
    expect(all / HOUR_MS).toBeCloseTo(72, 1);
    // An endpoint that failed from the first attempt to the last has failed for long enough.
    expect(all / HOUR_MS).toBeGreaterThan(FAILING_HOURS_MAX);
  });
});
