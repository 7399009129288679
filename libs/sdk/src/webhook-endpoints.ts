import type { HttpCall } from './http.js';
import { pages } from './pages.js';
import type { components } from './schema.js';

type Schemas = components['schemas'];

export type WebhookEndpoint = Schemas['WebhookDto'];
export type NewWebhookEndpoint = Schemas['NewWebhookDto'];
export type WebhookEndpointChanges = Schemas['WebhookChangesDto'];
/** Shown this once. */
export type NewWebhookSecret = Schemas['NewSecretDto'];
export type RotatedWebhookSecret = Schemas['RotatedSecretDto'];
export type WebhookDelivery = Schemas['DeliveryDto'];
export type QueuedDelivery = Schemas['QueuedDeliveryDto'];

interface Options {
  readonly signal?: AbortSignal;
}

/** The addresses at which an application is told what happens, and what was sent there. */
export class WebhookEndpoints {
  constructor(
    private readonly clientId: string,
    /** Makes a call in the application's own name. */
    private readonly own: <T>(call: HttpCall) => Promise<T>,
  ) {}

  /** Oldest first. */
  async list(options: Options = {}): Promise<WebhookEndpoint[]> {
    const { webhooks } = await this.send<Schemas['WebhooksDto']>({ method: 'GET', path: '' }, options);
    return webhooks;
  }

  /** Keep the secret of the answer: it is shown this once. */
  create(endpoint: NewWebhookEndpoint, options: Options = {}): Promise<NewWebhookSecret> {
    return this.send({ method: 'POST', path: '', json: endpoint }, options);
  }

  /** Another address, other events, or off and on; what is absent stays. */
  change(id: string, changes: WebhookEndpointChanges, options: Options = {}): Promise<WebhookEndpoint> {
    return this.send({ method: 'PATCH', path: `/${encodeURIComponent(id)}`, json: changes }, options);
  }

  /** With all its deliveries. */
  delete(id: string, options: Options = {}): Promise<void> {
    return this.send({ method: 'DELETE', path: `/${encodeURIComponent(id)}` }, options);
  }

  /** The secret before stays valid for a day: verify with both meanwhile. */
  rotateSecret(id: string, options: Options = {}): Promise<RotatedWebhookSecret> {
    return this.send({ method: 'POST', path: `/${encodeURIComponent(id)}/rotate-secret` }, options);
  }

  /** Sends a `webhook.test`. */
  test(id: string, options: Options = {}): Promise<QueuedDelivery> {
    return this.send({ method: 'POST', path: `/${encodeURIComponent(id)}/test` }, options);
  }

  /** What was sent, newest first, with every attempt. */
  deliveries(
    id: string,
    { pageSize, signal }: Options & { readonly pageSize?: number } = {},
  ): AsyncGenerator<WebhookDelivery> {
    const path = `/${encodeURIComponent(id)}/deliveries`;
    return pages(async (cursor) => {
      const call = { method: 'GET', path, query: { cursor, limit: pageSize } } as const;
      const { deliveries, nextCursor } = await this.send<Schemas['DeliveriesDto']>(call, signal ? { signal } : {});
      return [deliveries, nextCursor];
    });
  }

  /** Sends one delivery again, with its id and its sequence. */
  redeliver(id: string, deliveryId: string, options: Options = {}): Promise<QueuedDelivery> {
    const path = `/${encodeURIComponent(id)}/deliveries/${encodeURIComponent(deliveryId)}/redeliver`;
    return this.send({ method: 'POST', path }, options);
  }

  /** Sends again what was queued since then, as far as it is kept. @returns how many */
  async replay(id: string, from: Date, options: Options = {}): Promise<number> {
    const json = { from: from.toISOString() };
    const path = `/${encodeURIComponent(id)}/replay`;
    const { count } = await this.send<Schemas['ReplayedDto']>({ method: 'POST', path, json }, options);
    return count;
  }

  private send<T>(call: HttpCall, options: Options): Promise<T> {
    const path = `/api/oauth/application/${encodeURIComponent(this.clientId)}/webhooks${call.path}`;
    return this.own<T>({ ...call, path, ...options });
  }
}
