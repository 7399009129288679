// The CommonJS build, which the tests load, has no named export.
// oxlint-disable-next-line import/no-named-as-default
import Stripe from 'stripe';
import { AppError, keyReused } from '../platform/errors/app-error.js';

const TIMEOUT_MS = 20_000;
const NETWORK_RETRIES = 2;
const PAGE = 100;
/** The most refunds of one payment that are read; Stripe allows far fewer for a charge in cents. */
const REFUNDS_MAX = 1_000;

/** The provider did not answer, or refused the call: nothing is known about the payment. */
export class PaymentProviderUnavailable extends AppError {
  constructor(cause: unknown) {
    super(503, 'PAYMENTS_UNAVAILABLE', 'The payment provider does not answer. Please try again in a moment.', {
      retryAfterSeconds: 5,
      cause,
    });
  }
}

class BadWebhookSignature extends AppError {
  constructor(cause: unknown) {
    super(400, 'BAD_SIGNATURE', 'The signature of this webhook is wrong.', { cause });
  }
}

/** All calls to Stripe or the stand-in, through Stripe's own client. */
export class PaymentGateway {
  constructor(
    private readonly stripe: Stripe,
    private readonly webhookSecret: string,
  ) {}

  static connect(apiKey: string, webhookSecret: string, httpClient?: Stripe.HttpClient): PaymentGateway {
    const stripe = new Stripe(apiKey, {
      timeout: TIMEOUT_MS,
      maxNetworkRetries: NETWORK_RETRIES,
      telemetry: false,
      appInfo: { name: 'Nova' },
      ...(httpClient === undefined ? {} : { httpClient }),
    });
    return new PaymentGateway(stripe, webhookSecret);
  }

  /** @throws AppError 422 the key was used with another amount before; PaymentProviderUnavailable */
  async createIntent(purchase: {
    readonly userId: string;
    readonly wholeNova: number;
    readonly chargedCents: number;
    readonly idempotencyKey: string | undefined;
  }): Promise<Stripe.PaymentIntent> {
    return asking(() =>
      this.stripe.paymentIntents.create(
        {
          amount: purchase.chargedCents,
          currency: 'usd',
          allowed_payment_method_types: ['card'],
          automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
          description: `${purchase.wholeNova} Nova`,
          metadata: { userId: purchase.userId, amount: String(purchase.wholeNova) },
        },
        purchase.idempotencyKey === undefined ? undefined : { idempotencyKey: purchase.idempotencyKey },
      ),
    );
  }

  /** The current intent; undefined if the provider knows none with this id. */
  async findIntent(id: string): Promise<Stripe.PaymentIntent | undefined> {
    return asking(() => this.stripe.paymentIntents.retrieve(id)).catch(undefinedWhenMissing);
  }

  async findDispute(id: string): Promise<Stripe.Dispute | undefined> {
    return asking(() => this.stripe.disputes.retrieve(id)).catch(undefinedWhenMissing);
  }

  /** All refunds of a payment, oldest first. */
  async refundsOf(paymentIntentId: string): Promise<readonly Stripe.Refund[]> {
    const refunds = await asking(() =>
      this.stripe.refunds
        .list({ payment_intent: paymentIntentId, limit: PAGE })
        .autoPagingToArray({ limit: REFUNDS_MAX }),
    );
    return refunds.toReversed();
  }

  /**
   * Refunds everything, unless a dispute is open or lost. Repeating it has no further effect. It has no idempotency key:
   * under one, the provider would repeat its refusal for a day, also once the dispute is won.
   */
  async refundAll(paymentIntentId: string): Promise<void> {
    await asking(() => this.stripe.refunds.create({ payment_intent: paymentIntentId })).catch((error: unknown) => {
      // It was refunded in the meantime, or the dispute decides where the money goes: another event follows.
      if (error instanceof Stripe.errors.StripeInvalidRequestError && SETTLED_CODES.has(error.code ?? '')) return;
      throw error;
    });
  }

  /** The movements of our balance at the provider in a time range, newest first, each with its source. */
  async *balanceTransactions(from: Date, until: Date): AsyncGenerator<Stripe.BalanceTransaction> {
    const list = this.stripe.balanceTransactions.list({
      created: { gte: Math.floor(from.getTime() / 1_000), lt: Math.ceil(until.getTime() / 1_000) },
      expand: ['data.source'],
      limit: PAGE,
    });
    const items = list[Symbol.asyncIterator]();
    for (;;) {
      const { value, done } = await asking(() => items.next());
      if (done) return;
      yield value;
    }
  }

  /** The event of a webhook with a valid signature. @throws BadWebhookSignature */
  readEvent(rawBody: Buffer, signature: string): Stripe.Event {
    try {
      return this.stripe.webhooks.constructEvent(rawBody, signature, this.webhookSecret);
    } catch (error) {
      throw new BadWebhookSignature(error);
    }
  }
}

/** What servers ask of the provider themselves, whatever answers it. */
export type PaymentProvider = Pick<
  PaymentGateway,
  'createIntent' | 'findIntent' | 'findDispute' | 'refundsOf' | 'refundAll'
>;

const SETTLED_CODES: ReadonlySet<string> = new Set(['charge_already_refunded', 'charge_disputed']);

async function asking<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeIdempotencyError) throw keyReused(error);
    if (error instanceof Stripe.errors.StripeInvalidRequestError) throw error;
    if (error instanceof Stripe.errors.StripeError) throw new PaymentProviderUnavailable(error);
    throw error;
  }
}

function undefinedWhenMissing(error: unknown): undefined {
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return undefined;
  throw error;
}
