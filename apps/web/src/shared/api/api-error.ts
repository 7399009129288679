/** No answer came: offline, a broken connection, or a server that is restarting. */
export const NO_ANSWER = 0;

/** After these answers nobody can say whether the command took effect; a retry with the same key settles it. */
const UNKNOWN_OUTCOME_STATUSES: readonly number[] = [NO_ANSWER, 502, 503, 504];

const FALLBACK_BY_STATUS: Readonly<Record<number, string>> = {
  [NO_ANSWER]: 'Nova could not be reached. Check your connection and try again.',
  401: 'Your session has ended. Sign in again.',
  403: 'You may not do this.',
  404: 'This was not found.',
  413: 'This is too large to send.',
  429: 'Too many requests. Wait a moment and try again.',
  503: 'Nova is busy right now. Try again in a moment.',
};
const FALLBACK_SENTENCE = 'Something went wrong. Try again in a moment.';

/**
 * A request that was not answered with OK (rule general-7). Its message is the status, a colon and the response text.
 * The parsed body is kept too, so that people see the server's sentence and never the raw text.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status; 0 if no answer came. */
  readonly status: number;
  /** The parsed JSON body, or else the text as it came. */
  readonly body: unknown;
  /** What to show to people: the server's message, or one derived from the status. */
  readonly sentence: string;
  /** The server's stable code; `NO_ANSWER` or `UNKNOWN` if it sent none. */
  readonly code: string;
  /** The call that failed: method and path; empty where nobody said. */
  call = '';

  constructor(status: number, text: string, statusText: string) {
    super(`${status}: ${text === '' ? statusText : text}`);
    this.status = status;
    this.body = parseBody(text);
    this.sentence = textField(this.body, 'message') ?? FALLBACK_BY_STATUS[status] ?? FALLBACK_SENTENCE;
    this.code = textField(this.body, 'code') ?? (status === NO_ANSWER ? 'NO_ANSWER' : 'UNKNOWN');
  }

  /** Whether the server sent its own sentence. */
  get hasServerSentence(): boolean {
    return textField(this.body, 'message') !== undefined;
  }
}

/** The sentence to show for a failed request: the server's if it sent one, else `fallback` (rule general-8). */
export function errorSentence(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  return error.hasServerSentence || error.status === NO_ANSWER ? error.sentence : fallback;
}

/** True if the command may have taken effect although no answer came: repeat it with the same key. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof ApiError && UNKNOWN_OUTCOME_STATUSES.includes(error.status);

export const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status;

/** @param code the server's stable code */
export const hasCode = (error: unknown, code: string): error is ApiError =>
  error instanceof ApiError && error.code === code;

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not JSON, but a proxy's page or plain text: the text itself is the body.
    return text;
  }
}

function textField(body: unknown, field: 'message' | 'code'): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value = (body as Record<string, unknown>)[field];
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string').join(' ') || undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
