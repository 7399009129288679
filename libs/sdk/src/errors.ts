import type { components } from './schema.js';

/** The code of a refusal: of the API, or of OAuth (`invalid_grant`). Newer servers may know more. */
export type NovaErrorCode = components['schemas']['ErrorCode'] | (string & {});

/** The server refused a call. Nothing was changed, unless the code is `OUTCOME_UNKNOWN`. */
export class NovaError extends Error {
  override readonly name = 'NovaError';

  constructor(
    message: string,
    readonly status: number,
    readonly code: NovaErrorCode,
    /** For questions to the operator; undefined where the answer has none. */
    readonly requestId: string | undefined,
    /** Seconds to wait before another attempt; undefined where the server names none. */
    readonly retryAfterSeconds: number | undefined,
    /** All fields of the refusal: `available`, `fields` and others. */
    readonly body: Readonly<Record<string, unknown>>,
  ) {
    super(message);
  }
}

/** No answer came, or none that can be read. A command may have taken effect: repeat it with the same key. */
export class NovaConnectionError extends Error {
  override readonly name = 'NovaConnectionError';
}

/** A sign-in came back without a code for this visit. */
export class SignInError extends Error {
  override readonly name = 'SignInError';

  constructor(
    /** `state`: it answers no sign-in of this visit. Else the word of OAuth: `access_denied`, the member said no. */
    readonly reason: 'state' | 'access_denied' | (string & {}),
    message: string,
  ) {
    super(message);
  }
}

/** A delivery that is not what Nova sent just now. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';

  constructor(
    readonly reason: 'malformed' | 'signature' | 'too-old' | 'too-new' | 'replayed',
    message: string,
  ) {
    super(message);
  }
}
