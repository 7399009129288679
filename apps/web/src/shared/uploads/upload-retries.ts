import { isolated } from '@app/domain';
import { NetworkError } from '@uppy/core/utils';
import { ApiError } from '../api';

/** Rule uploads-5. */
export const RETRY_DELAYS_MS: readonly number[] = [0, 1000, 3000, 5000];

/** Why an attempt to send failed, as far as retries are concerned; status 0 means no answer. */
export interface UploadFault {
  readonly status: number;
  readonly body: string;
}

const EXPIRED = 'Request has expired';

/**
 * Expired addresses, conflicts, rate limits and failures of the network or server are temporary; other refusals are
 * final (rule uploads-5).
 */
export function mayPass({ status, body }: UploadFault): boolean {
  if (status === 403) return body.includes(EXPIRED);
  return status === 0 || status === 409 || status === 429 || status >= 500;
}

/** Reads the fault from what sending or the API threw; undefined for anything else, which is a bug. */
export function faultOf(error: unknown): UploadFault | undefined {
  if (error instanceof ApiError) return { status: error.status, body: error.message };
  if (!(error instanceof NetworkError)) return undefined;
  return { status: error.request?.status ?? 0, body: error.request?.responseText ?? '' };
}

/** The sentence to show for a file that was not sent: the server's own if there is one. */
export function faultSentence(fault: UploadFault | undefined, fileName: string): string {
  const fallback = `Failed to upload ${isolated(fileName)}`;
  if (fault === undefined) return fallback;
  if (fault.status === 0 && !navigator.onLine) return 'No Internet connection';
  return serverSentence(fault.body) ?? fallback;
}

function serverSentence(body: string): string | undefined {
  const start = body.indexOf('{');
  if (start < 0) return undefined;
  try {
    const parsed: unknown = JSON.parse(body.slice(start));
    const message = typeof parsed === 'object' && parsed !== null && 'message' in parsed ? parsed.message : undefined;
    return typeof message === 'string' && message !== '' ? message : undefined;
  } catch {
    // Not from our server: a storage service answers in XML.
    return undefined;
  }
}
