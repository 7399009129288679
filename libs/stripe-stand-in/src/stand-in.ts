import { timingSafeEqual } from 'node:crypto';
import { Agent } from 'node:http';
import type { Pool } from 'pg';
// The CommonJS build, which the tests load, has no named export.
// oxlint-disable-next-line import/no-named-as-default
import Stripe from 'stripe';
import { readBalanceQuery } from './balance-transactions.js';
import {
  cancelPaymentIntent,
  closeDispute,
  confirmPaymentIntent,
  createPaymentIntent,
  createRefund,
  evidenceOutcome,
} from './payment-calls.js';
import { type InTransaction, type SandboxAnswer, type SandboxObjects, SandboxStore } from './store.js';
import { formText, parseStripeForm, type StripeForm } from './stripe-form.js';
import { invalidRequest, noSuch, type SandboxKinds, SandboxStripeError } from './stripe-objects.js';
import { WebhookDelivery } from './webhook-delivery.js';

/** Below it are Stripe's own paths. */
export const STAND_IN_PATH = '/sandbox/stripe';

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** A call as the HTTP server parsed it: the body as flat form fields. */
export interface StandInRequest {
  readonly method: string;
  readonly url: string;
  readonly params: { readonly id?: string };
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** One of Stripe's calls. `path` comes after `STAND_IN_PATH`; `:id` in it is `params.id`. */
export interface StandInRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** @throws SandboxStripeError what Stripe refuses, in Stripe's words */
  readonly answer: (request: StandInRequest) => Promise<SandboxAnswer>;
}

interface StandInOptions {
  readonly apiKey: string;
  readonly webhookSecret: string;
  readonly pool: Pool;
  readonly inTransaction: InTransaction;
  /** The address of webhooks; undefined until the server listens. */
  readonly webhookUrl: () => string | undefined;
  readonly warn: (line: string) => void;
}

/**
 * The local stand-in for Stripe: its API, and its webhooks (rule wallet-20). Confirming needs the client secret, as in the
 * browser; everything else needs the stand-in's own API key.
 */
export class StripeStandIn {
  private readonly store: SandboxStore;
  private readonly delivery: WebhookDelivery;

  constructor(private readonly options: StandInOptions) {
    const { pool, inTransaction, webhookUrl, webhookSecret, warn } = options;
    this.store = new SandboxStore(pool, inTransaction);
    this.delivery = new WebhookDelivery(pool, webhookUrl, webhookSecret, warn);
  }

  /** Begins to send webhooks, including those that an earlier process left. */
  start(): void {
    this.delivery.start();
  }

  async stop(): Promise<void> {
    await this.delivery.stop();
  }

  /** The routes that an HTTP server has to serve. */
  get routes(): readonly StandInRoute[] {
    return [
      this.writing('/v1/payment_intents', (objects, form) => createPaymentIntent(objects, form)),
      {
        method: 'POST',
        path: '/v1/payment_intents/:id/confirm',
        answer: (request) =>
          this.change(request, async (objects, form) => {
            const intent = await objects.take('payment_intent', idOf(request));
            this.requireSecret(request, intent?.client_secret, formText(form, 'client_secret'));
            return confirmPaymentIntent(objects, idOf(request), form);
          }),
      },
      this.writing('/v1/payment_intents/:id/cancel', (objects, _form, id) => cancelPaymentIntent(objects, id)),
      {
        method: 'GET',
        path: '/v1/payment_intents/:id',
        answer: async (request) => {
          const intent = await this.store.find('payment_intent', idOf(request));
          const shown = request.query['client_secret'];
          this.requireSecret(request, intent?.client_secret, typeof shown === 'string' ? shown : undefined);
          return found('payment_intent', request, intent);
        },
      },
      this.writing('/v1/refunds', (objects, form) => createRefund(objects, form)),
      this.reading('/v1/refunds', (request) => this.list('refund', request)),
      this.reading('/v1/disputes', (request) => this.list('dispute', request)),
      this.reading('/v1/balance_transactions', async ({ query }) => {
        const form = parseStripeForm(query) ?? {};
        return { status: 200, body: await this.store.balanceTransactions(readBalanceQuery(form, limitOf(form))) };
      }),
      this.reading('/v1/disputes/:id', async (request) =>
        found('dispute', request, await this.store.find('dispute', idOf(request))),
      ),
      // Stripe's test evidence decides at once.
      this.writing('/v1/disputes/:id', (objects, form, id) => closeDispute(objects, id, evidenceOutcome(form))),
      this.writing('/v1/disputes/:id/close', (objects, _form, id) => closeDispute(objects, id, 'lost')),
    ];
  }

  private reading(path: string, answer: StandInRoute['answer']): StandInRoute {
    return {
      method: 'GET',
      path,
      answer: async (request) => {
        this.requireApiKey(request);
        return answer(request);
      },
    };
  }

  private writing(
    path: string,
    work: (objects: SandboxObjects, form: StripeForm, id: string) => Promise<SandboxAnswer>,
  ): StandInRoute {
    return {
      method: 'POST',
      path,
      answer: async (request) => {
        this.requireApiKey(request);
        return this.change(request, (objects, form) => work(objects, form, idOf(request)));
      },
    };
  }

  private async change(
    { method, url, headers, body }: StandInRequest,
    work: (objects: SandboxObjects, form: StripeForm) => Promise<SandboxAnswer>,
  ): Promise<SandboxAnswer> {
    const form = parseStripeForm(isRecord(body) ? body : {});
    if (!form) throw invalidRequest('The request body is not in the form encoding that this API takes.');
    const key = headers['idempotency-key'];
    const answer = await this.store.call(
      {
        idempotencyKey: typeof key === 'string' && key !== '' ? key : undefined,
        content: JSON.stringify([method, url, headers['authorization'] ?? null, body ?? null]),
      },
      (objects) => work(objects, form),
    );
    this.delivery.nudge();
    return answer;
  }

  private async list(kind: keyof SandboxKinds, { query }: StandInRequest): Promise<SandboxAnswer> {
    const form = parseStripeForm(query) ?? {};
    const paymentIntent = formText(form, 'payment_intent');
    if (!paymentIntent) throw invalidRequest('The sandbox lists by payment_intent.', { param: 'payment_intent' });
    const page = { paymentIntent, startingAfter: formText(form, 'starting_after'), limit: limitOf(form) };
    return { status: 200, body: await this.store.list(kind, page) };
  }

  private requireSecret(request: StandInRequest, secret: string | undefined, shown: string | undefined): void {
    if (secret !== undefined && shown !== undefined && same(secret, shown)) return;
    this.requireApiKey(request);
  }

  private requireApiKey({ headers }: StandInRequest): void {
    const { authorization } = headers;
    const shown = /^Bearer (\S+)$/.exec(typeof authorization === 'string' ? authorization : '')?.[1];
    if (shown !== undefined && same(this.options.apiKey, shown)) return;
    throw new SandboxStripeError(401, {
      type: 'invalid_request_error',
      message: 'You did not provide a valid API key or client secret.',
    });
  }
}

/**
 * The transport of Stripe's client while the stand-in serves. It sends the same requests to this server, whose port is
 * known only once it listens.
 */
export function createStandInClient(server: { readonly current: ServerAddress | undefined }): Stripe.HttpClient {
  // An idle connection to our own server would keep it from closing.
  const inner = Stripe.createNodeHttpClient(new Agent({ keepAlive: false }));
  return {
    getClientName: () => 'nova-sandbox',
    makeRequest: async (_host, _port, path, method, headers, body, _protocol, timeoutMs) => {
      const at = server.current;
      if (!at) throw new Error('the server is not listening yet');
      const ownPath = `${STAND_IN_PATH}${path}`;
      return inner.makeRequest(at.host, String(at.port), ownPath, method, headers, body, 'http', timeoutMs);
    },
  };
}

const idOf = ({ params }: StandInRequest): string => params.id ?? '';

function found(kind: keyof SandboxKinds, request: StandInRequest, body: object | undefined): SandboxAnswer {
  if (!body) throw noSuch(kind, idOf(request));
  return { status: 200, body };
}

const limitOf = (form: StripeForm): number => Math.min(Math.max(Number(formText(form, 'limit') ?? 10) || 10, 1), 100);

const same = (expected: string, shown: string): boolean => {
  const [a, b] = [Buffer.from(expected), Buffer.from(shown)];
  return a.length === b.length && timingSafeEqual(a, b);
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
