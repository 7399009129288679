import { NovaConnectionError, NovaError } from './errors.js';

export interface HttpOptions {
  /** Where Nova is: `https://nova.example`. */
  readonly origin: string;
  /** Another `fetch`, for tests and proxies. */
  readonly fetch?: typeof fetch;
  /** Further attempts after the first; 3 if absent. */
  readonly retries?: number;
  /** Longest wait before one of them, in milliseconds; if the server asks for more, its refusal is thrown. 30 s if absent. */
  readonly waitMsMax?: number;
  /** How long one attempt may take, in milliseconds; 30 s if absent. */
  readonly timeoutMs?: number;
}

export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly authorization?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as a form; undefined values are left out. */
  readonly form?: Readonly<Record<string, string | undefined>>;
  /** With it a command is safe to repeat. */
  readonly idempotencyKey?: string;
  /** Safe to repeat without one. */
  readonly isRepeatable?: boolean;
  readonly signal?: AbortSignal;
}

const RETRIES = 3;
const WAIT_MS_MAX = 30_000;
const TIMEOUT_MS = 30_000;
const FIRST_WAIT_MS = 250;

/** Calls Nova, and repeats what is safe to repeat: without an answer, 429 and 503, always with the same key. */
export class Http {
  constructor(private readonly options: HttpOptions) {}

  /**
   * The answer's JSON; undefined where it is empty.
   * @throws NovaError refused; NovaConnectionError no answer came; what `signal` was aborted with
   */
  async send<T>(call: HttpCall): Promise<T> {
    const { retries = RETRIES, waitMsMax = WAIT_MS_MAX } = this.options;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.attempt<T>(call);
      } catch (error) {
        call.signal?.throwIfAborted();
        const waitMs = waitBefore(attempt, error, canRepeat(call));
        if (waitMs === undefined || waitMs > waitMsMax || attempt >= retries) throw error;
        await pause(waitMs, call.signal);
      }
    }
  }

  private async attempt<T>({ method, path, query = {}, authorization, json, form, idempotencyKey, signal }: HttpCall) {
    const url = new URL(path, this.options.origin);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const headers = new Headers({ accept: 'application/json' });
    if (authorization !== undefined) headers.set('authorization', authorization);
    if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
    if (json !== undefined) headers.set('content-type', 'application/json');
    const jsonText = json === undefined ? undefined : JSON.stringify(json);
    const body = form === undefined ? jsonText : formOf(form);
    const timeout = AbortSignal.timeout(this.options.timeoutMs ?? TIMEOUT_MS);
    let answer: Response;
    let text: string;
    try {
      answer = await (this.options.fetch ?? fetch)(url, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        // Secrets go nowhere else.
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      text = await answer.text();
    } catch (cause) {
      throw new NovaConnectionError('Nova gave no answer.', { cause });
    }
    const parsed = parse(text);
    if (!answer.ok) throw refusalOf(answer, parsed);
    if (parsed === NOT_JSON) throw new NovaConnectionError('The answer is not JSON: something else has answered.');
    return parsed as T;
  }
}

const canRepeat = ({ method, idempotencyKey, isRepeatable = false }: HttpCall): boolean =>
  method === 'GET' || idempotencyKey !== undefined || isRepeatable;

/** Milliseconds until the next attempt; undefined if there is none. */
function waitBefore(attempt: number, error: unknown, isSafe: boolean): number | undefined {
  const isBusy = error instanceof NovaError && (error.status === 429 || (error.status === 503 && isSafe));
  if (!isBusy && !(error instanceof NovaConnectionError && isSafe)) return undefined;
  const asked = error instanceof NovaError ? error.retryAfterSeconds : undefined;
  // Not all at once: what waits for the same moment comes apart.
  return asked === undefined ? FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2) : asked * 1000;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}

function formOf(form: NonNullable<HttpCall['form']>): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(form)) if (value !== undefined) fields.set(name, value);
  return fields;
}

const NOT_JSON = Symbol('not JSON');

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
}

function refusalOf({ status, headers }: Response, parsed: unknown): NovaError {
  const body = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as Record<string, unknown>;
  const textOf = (...names: string[]): string | undefined =>
    names.map((name) => body[name]).find((value) => typeof value === 'string');
  return new NovaError(
    textOf('message', 'error_description') ?? `Nova answered ${status}.`,
    status,
    textOf('code', 'error') ?? 'UNKNOWN',
    textOf('requestId') ?? headers.get('x-request-id') ?? undefined,
    secondsOf(headers.get('retry-after')),
    body,
  );
}

/** Seconds, or a date (RFC 9110 §10.2.3). */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
