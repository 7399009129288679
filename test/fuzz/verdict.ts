import type { FuzzRequest } from './request.js';
import type { FuzzAnswer } from './send.js';

/** What gives away the inside of the server. */
const INSIDE =
  /node_modules|\bat \w+ \(|\.ts:\d+|\bselect .+ from\b|QueryFailedError|violates|syntax error at or near/i;

/** OAuth's calls under this answer as its standards have it (RFC 6749, 5.2), or with a page for people. */
const OAUTH = /^\/(?:oauth|\.well-known)\//;

/** What is wrong with an answer, or undefined: never a 5xx, every refusal in the documented form, nothing of the inside. */
export function faultOf(request: FuzzRequest, answer: FuzzAnswer): string | undefined {
  const { status, contentType, text } = answer;
  if (status >= 500) return `answered ${status}: ${text.slice(0, 300)}`;
  if (status < 200) return `answered ${status}`;
  if (status < 400 && request.method === 'TRACE') return `answered ${status} to TRACE`;
  if (status < 400 || request.method === 'HEAD') return undefined;
  if (INSIDE.test(text)) return `shows the inside: ${text.slice(0, 300)}`;
  if (OAUTH.test(request.target)) return undefined;
  return contentType === 'application/json; charset=utf-8'
    ? formFault(answer, parsed(text))
    : `an error as ${contentType || 'nothing'}`;
}

/** `{ statusCode, code, message, requestId }` (rule general-5). */
function formFault({ status, text }: FuzzAnswer, body: Record<string, unknown> | undefined): string | undefined {
  const { statusCode, code, message, requestId } = body ?? {};
  const isRight =
    statusCode === status &&
    typeof code === 'string' &&
    /^[A-Z][A-Z_]+$/.test(code) &&
    typeof message === 'string' &&
    message.length > 8 &&
    typeof requestId === 'string';
  return isRight ? undefined : `an error in another form: ${status} ${text.slice(0, 300)}`;
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
