import { RateLimits } from '../../apps/api/src/platform/rate-limit/rate-limits.js';
import type { TestApi } from './api.js';

type Limit = 'memberCommands' | 'chatMessages' | 'visitorCalls' | 'visitorAuthorizations';

/** From now on no window of this limit ends: how busy the machine is decides nothing. */
export function stopWindows(api: TestApi, limit: Limit): void {
  const nowMs = Math.ceil(performance.now());
  Object.assign(api.nova.app.get(RateLimits, { strict: false })[limit], { now: () => nowMs });
}
