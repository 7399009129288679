import { ApiError, hasCode, hasStatus, NO_ANSWER } from './api-error';
import { forgetFirstAnswers, takeFirstAnswer } from './first-answers';
import { askForFreshProof, FRESH_PROOF_NEEDED } from './fresh-proof';
import { learnServerTime } from './server-clock';

/** What shows that a person is using the page; pages send many requests on their own. */
const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

let touchedAtMs = performance.now();

if (typeof window !== 'undefined') {
  for (const touch of TOUCHES) {
    window.addEventListener(touch, () => (touchedAtMs = performance.now()), { capture: true, passive: true });
  }
}

/** Whole seconds since somebody used this page; the server ends an admin's session by it. */
const idleSeconds = (): number => Math.floor((performance.now() - touchedAtMs) / 1000);

export interface ApiRequest {
  /** GET when absent. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Form data and URL-encoded forms are sent unchanged, anything else as JSON. */
  body?: unknown;
  /** One per action of the user, kept across retries (see `useActionKey`). */
  idempotencyKey?: string;
  signal?: AbortSignal | undefined;
  /** Sent even if the page closes meanwhile; for small bodies, above all of what the page shows before the answer. */
  keepalive?: boolean;
  /** For polled data: the browser keeps the answer and asks whether it is still valid (ETag, 304). */
  revalidate?: boolean;
}

/** A call waits at most this long for an answer: a bad connection can lose a request without an error. */
const READ_MS_MAX = 30_000;
const COMMAND_MS_MAX = 60_000;

/** The message for an OK answer that cannot be read (rule general-8). */
export const INVALID_RESPONSE_FORMAT = 'Server returned invalid response format';

/**
 * Calls the API with the session cookie and returns the parsed body; an empty answer is `undefined`. If the server
 * first wants the member to prove who they are, asks them and then calls again.
 *
 * @throws ApiError for every answer that is not OK, and with status 0 when no answer came, or none in time.
 */
export async function apiFetch<T>(path: string, request: ApiRequest = {}): Promise<T> {
  try {
    return await namedCall<T>(path, request);
  } catch (error) {
    if (!hasCode(error, FRESH_PROOF_NEEDED) || !(await askForFreshProof())) throw error;
    return namedCall<T>(path, request);
  }
}

const listeners = new Set<(call: string) => void>();

/** Hears of every call (method and path) that was answered with OK. */
export const onAnswered = (listener: (call: string) => void): void => void listeners.add(listener);

async function namedCall<T>(path: string, request: ApiRequest): Promise<T> {
  const call = `${request.method ?? 'GET'} ${path.split('?')[0]}`;
  try {
    const answer = await callOnce<T>(path, request);
    for (const listener of listeners) listener(call);
    return answer;
  } catch (error) {
    if (error instanceof ApiError) error.call = call;
    throw error;
  }
}

async function callOnce<T>(path: string, request: ApiRequest): Promise<T> {
  if (request.method === undefined || request.method === 'GET') {
    const [status, body] = takeFirstAnswer(path) ?? [];
    if (status === 200) return body as T;
    if (status !== undefined) throw new ApiError(status, JSON.stringify(body), '');
  } else {
    forgetFirstAnswers();
  }
  const response = await apiResponse(path, { ...request, signal: inTime(request) });
  const text = await readText(response);
  if (!response.ok) throw new ApiError(response.status, text, response.statusText);
  if (text === '') return undefined as T;
  try {
    return JSON.parse(text) as T;
  } catch {
    // An OK answer that is not JSON comes from something in between, never from the API.
    throw new ApiError(NO_ANSWER, '', INVALID_RESPONSE_FORMAT);
  }
}

/**
 * Waits for a removal. It also succeeds if nothing was left to remove, after a lost answer or a removal on another
 * device.
 */
export async function ensureGone(removal: Promise<unknown>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!hasStatus(error, 404)) throw error;
  }
}

/** The answer before its body is read, for downloads; its status is not checked. */
export async function apiResponse(path: string, request: ApiRequest = {}): Promise<Response> {
  const { method = 'GET', body, idempotencyKey, signal, keepalive = false, revalidate = false } = request;
  const headers = new Headers({ accept: 'application/json', 'x-nova-idle': String(idleSeconds()) });
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  const payload = encodeBody(body, headers);
  const sentAtMs = Date.now();
  try {
    // Only TanStack Query caches answers: the browser's own cache is used only on request (and a stored Date is stale).
    const response = await fetch(path, {
      method,
      headers,
      credentials: 'include',
      cache: revalidate ? 'no-cache' : 'no-store',
      keepalive,
      ...(payload === undefined ? {} : { body: payload }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (!revalidate) learnServerTime(response.headers.get('date'), sentAtMs, Date.now());
    return response;
  } catch (error) {
    throw noAnswer(error);
  }
}

function encodeBody(body: unknown, headers: Headers): BodyInit | undefined {
  if (body === undefined) return undefined;
  if (body instanceof FormData || body instanceof URLSearchParams || body instanceof Blob) return body;
  headers.set('content-type', 'application/json');
  return JSON.stringify(body);
}

async function readText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw noAnswer(error);
  }
}

/** Aborts with its caller or when the answer is overdue. A file may take any time to send. */
function inTime({ method = 'GET', body, signal }: ApiRequest): AbortSignal | undefined {
  if (body instanceof FormData) return signal;
  const overdue = AbortSignal.timeout(method === 'GET' ? READ_MS_MAX : COMMAND_MS_MAX);
  return signal === undefined ? overdue : AbortSignal.any([signal, overdue]);
}

/** A cancelled request keeps its error; any other error means that no answer came. */
function noAnswer(error: unknown): unknown {
  if (error instanceof DOMException && error.name === 'AbortError') return error;
  return new ApiError(NO_ANSWER, '', error instanceof Error ? error.message : 'no answer');
}
