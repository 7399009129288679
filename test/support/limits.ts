import { RateLimits } from '../../apps/api/src/platform/rate-limit/rate-limits.js';
import type { TestApi } from './api.js';

type Limit = 'memberCommands' | 'chatMessages' | 'calls' | 'visitorCalls' | 'visitorAuthorizations';

/** Keeps the windows of this limit from ending, so that the speed of the machine does not matter. */
export function stopWindows(api: TestApi, limit: Limit): void {
  const nowMs = Math.ceil(performance.now());
  Object.assign(api.nova.app.get(RateLimits, { strict: false })[limit], { now: () => nowMs });
}
