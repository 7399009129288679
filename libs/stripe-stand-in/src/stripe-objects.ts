/** The part of Stripe's objects that the product reads, in Stripe's own names. Amounts are US cents, times Unix seconds. */
export interface SandboxPaymentIntent {
  readonly id: string;
  readonly object: 'payment_intent';
  readonly amount: number;
  readonly amount_received: number;
  readonly currency: string;
  readonly status: 'requires_payment_method' | 'succeeded' | 'canceled';
  readonly client_secret: string;
  readonly created: number;
  readonly livemode: false;
  readonly metadata: Record<string, string>;
  readonly description: string | null;
  readonly latest_charge: string | null;
  readonly payment_method: string | null;
  readonly payment_method_types: readonly string[];
  readonly last_payment_error: SandboxCardError | null;
  readonly canceled_at: number | null;
}

export interface SandboxCardError {
  readonly type: 'card_error';
  readonly code: string;
  readonly decline_code?: string;
  readonly message: string;
}

export interface SandboxCharge {
  readonly id: string;
  readonly object: 'charge';
  readonly amount: number;
  readonly amount_refunded: number;
  readonly currency: string;
  readonly payment_intent: string;
  readonly created: number;
  readonly livemode: false;
  readonly metadata: Record<string, string>;
  readonly paid: true;
  readonly refunded: boolean;
  readonly disputed: boolean;
  readonly status: 'succeeded';
}

export interface SandboxRefund {
  readonly id: string;
  readonly object: 'refund';
  readonly amount: number;
  readonly currency: string;
  readonly charge: string;
  readonly payment_intent: string;
  readonly created: number;
  readonly metadata: Record<string, string>;
  readonly reason: string | null;
  readonly status: 'succeeded';
}

export interface SandboxDispute {
  readonly id: string;
  readonly object: 'dispute';
  readonly amount: number;
  readonly currency: string;
  readonly charge: string;
  readonly payment_intent: string;
  readonly created: number;
  readonly livemode: false;
  readonly metadata: Record<string, string>;
  readonly reason: string;
  readonly status: 'warning_needs_response' | 'warning_closed' | 'needs_response' | 'won' | 'lost';
}

/** A movement of our balance at the provider. */
export interface SandboxBalanceTransaction {
  readonly id: string;
  readonly object: 'balance_transaction';
  readonly amount: number;
  readonly available_on: number;
  readonly balance_type: 'payments';
  readonly created: number;
  readonly currency: string;
  readonly description: null;
  readonly exchange_rate: null;
  readonly fee: number;
  readonly fee_details: readonly object[];
  readonly net: number;
  readonly reporting_category: 'charge' | 'refund' | 'dispute' | 'dispute_reversal';
  readonly source: string;
  readonly status: 'pending' | 'available';
  readonly type: 'charge' | 'refund' | 'adjustment';
  /** Only in the stand-in: the payment under which it is stored. */
  readonly payment_intent: string;
}

export type SandboxObject =
  SandboxPaymentIntent | SandboxCharge | SandboxRefund | SandboxDispute | SandboxBalanceTransaction;

/** The kinds by the names that `object` carries. */
export interface SandboxKinds {
  payment_intent: SandboxPaymentIntent;
  charge: SandboxCharge;
  refund: SandboxRefund;
  dispute: SandboxDispute;
  balance_transaction: SandboxBalanceTransaction;
}

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
    /** Whether a repeat with the same idempotency key gets it again, though things have changed since. */
    readonly isRemembered = false,
  ) {
    super(detail.message);
  }

  get body(): { readonly error: SandboxStripeError['detail'] } {
    return { error: this.detail };
  }
}

export const invalidRequest = (message: string, more: { code?: string; param?: string } = {}): SandboxStripeError =>
  new SandboxStripeError(400, { type: 'invalid_request_error', message, ...more });

/** What the call asks for is well-formed, and not possible as things stand. */
export const impossible = (message: string, code: string): SandboxStripeError =>
  new SandboxStripeError(400, { type: 'invalid_request_error', message, code }, true);

export const noSuch = (kind: string, id: string): SandboxStripeError =>
  new SandboxStripeError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param: kind,
    message: `No such ${kind}: '${id}'`,
  });
