import { hasStatus, NO_ANSWER } from '../api';
import { RETRY_DELAYS_MS } from './upload-retries';

/**
 * For the mutation that registers a file that has arrived: it waits while the device is offline, and is repeated when
 * no answer came (rule uploads-5). Registering a file twice is registering it once.
 */
export const REGISTRATION = {
  networkMode: 'online',
  retry: (failures: number, error: Error) => hasStatus(error, NO_ANSWER) && failures < RETRY_DELAYS_MS.length,
  retryDelay: (failures: number) => RETRY_DELAYS_MS[failures] ?? 0,
} as const;
