/** An error as Stripe's API answers it: `{ "error": { type, code, message, … } }`. */
export class SandboxStripeError extends Error {
  override readonly name = 'SandboxStripeError';

  constructor(
    readonly status: number,
    readonly detail: {
      readonly type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
      readonly code?: string;
      readonly param?: string;
      readonly message: string;
    },
  ) {
    super(detail.message);
  }

  get body(): { readonly error: SandboxStripeError['detail'] } {
    return { error: this.detail };
  }
}

export const invalidRequest = (message: string, more: { code?: string; param?: string } = {}): SandboxStripeError =>
  new SandboxStripeError(400, { type: 'invalid_request_error', message, ...more });

export const noSuch = (kind: string, id: string): SandboxStripeError =>
  new SandboxStripeError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param: kind,
    message: `No such ${kind}: '${id}'`,
  });
