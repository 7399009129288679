import { WebhookError } from './errors.js';

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

export interface WebhookOptions {
  /** `whsec_…`; both while one replaces the other. */
  readonly secrets: readonly string[];
  /** How far the delivery's time may be from ours, in seconds; 300 if absent. */
  readonly toleranceSeconds?: number;
  /**
   * Remembers a delivery until a time in milliseconds since 1970, and says whether it was new. Several processes need one that they
   * share; in memory if absent.
   */
  readonly remember?: (delivery: string, untilMs: number) => boolean | Promise<boolean>;
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number;
}

/** What a webhook tells. */
export interface WebhookEvent {
  /** The same in every attempt: who handles each id once handles each event once. */
  readonly id: string;
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Headers as `Request` has them, or as Node has them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const TOLERANCE_SECONDS = 300;
const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
/** Signatures looked at in one delivery: one for each secret that is valid, and some more. */
const SIGNATURES_MAX = 10;

/** Verifies deliveries by the Standard Webhooks specification. Keep one for each endpoint. */
export class Webhooks {
  private readonly keys: Promise<Key[]>;
  private readonly remember: NonNullable<WebhookOptions['remember']>;
  private readonly now: () => number;

  constructor(private readonly options: WebhookOptions) {
    this.now = options.now ?? Date.now;
    this.remember = options.remember ?? memory(this.now);
    const secrets = options.secrets.map(secretBytes);
    if (secrets.length === 0) throw new TypeError('Webhooks need at least one secret.');
    this.keys = Promise.all(
      secrets.map((bytes) =>
        crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']),
      ),
    );
  }

  /**
   * The event of a delivery that Nova has sent just now.
   * @param body as it came, before anybody has parsed it
   * @throws WebhookError it is altered, forged, too old or came before; answer 400, and do nothing
   */
  async verify(body: string | Uint8Array, headers: WebhookHeaders): Promise<WebhookEvent> {
    const id = headerOf(headers, 'webhook-id');
    const timestamp = headerOf(headers, 'webhook-timestamp');
    const signatures = headerOf(headers, 'webhook-signature').split(' ').slice(0, SIGNATURES_MAX);
    if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('malformed', 'The header webhook-timestamp is no time.');
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    if (!(await this.isSigned(signed(id, timestamp, bytes), signatures))) {
      throw new WebhookError('signature', 'No signature of this delivery is right.');
    }
    const tolerance = this.options.toleranceSeconds ?? TOLERANCE_SECONDS;
    const age = this.now() / 1000 - Number(timestamp);
    if (age > tolerance) throw new WebhookError('too-old', 'This delivery is too old.');
    if (age < -tolerance) throw new WebhookError('too-new', 'This delivery comes from the future: look at the clock.');
    // Another attempt has another time.
    const isNew = await this.remember(`${id}.${timestamp}`, (Number(timestamp) + tolerance) * 1000);
    if (!isNew) throw new WebhookError('replayed', 'This delivery came before.');
    return eventOf(id, new TextDecoder().decode(bytes));
  }

  private async isSigned(content: Uint8Array<ArrayBuffer>, signatures: readonly string[]): Promise<boolean> {
    for (const signature of signatures) {
      const [version, value = ''] = signature.split(',');
      const bytes = version === 'v1' ? fromBase64(value) : undefined;
      if (!bytes) continue;
      // Compares in constant time.
      for (const key of await this.keys) if (await crypto.subtle.verify('HMAC', key, bytes, content)) return true;
    }
    return false;
  }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookError('malformed', `The header ${name} is missing.`);
}

function signed(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  return content;
}

function eventOf(id: string, text: string): WebhookEvent {
  try {
    const event: unknown = JSON.parse(text);
    if (typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string') {
      return { ...event, type: event.type, id };
    }
  } catch {
    // As what is no event.
  }
  throw new WebhookError('malformed', 'The body is no event.');
}

function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(SECRET.exec(secret)?.[1] ?? '');
  if (!bytes || bytes.length === 0) throw new TypeError('A secret of webhooks begins with whsec_.');
  return bytes;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** What came in this process. What is over is forgotten with the next delivery. */
function memory(now: () => number): NonNullable<WebhookOptions['remember']> {
  const seen = new Map<string, number>();
  return (delivery, untilMs) => {
    for (const [one, until] of seen) if (until < now()) seen.delete(one);
    if (seen.has(delivery)) return false;
    seen.set(delivery, untilMs);
    return true;
  };
}
