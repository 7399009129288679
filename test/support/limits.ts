import { RateLimits } from '../../apps/api/src/platform/rate-limit/rate-limits.js';
import type { TestApi } from './api.js';

/** From now on no window of this limit ends: how busy the machine is decides nothing. */
export function stopWindows(api: TestApi, limit: 'memberCommands' | 'chatMessages'): void {
  const nowMs = Math.ceil(performance.now());
  Object.assign(api.nova.app.get(RateLimits, { strict: false })[limit], { now: () => nowMs });
}
