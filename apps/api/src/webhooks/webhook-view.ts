import type { Delivery, Endpoint } from './webhook-endpoints.js';
import type { DeliveryDto, WebhookDto } from './webhooks.dto.js';

export const toWebhookDto = (endpoint: Endpoint): WebhookDto => ({
  ...endpoint,
  events: [...endpoint.events],
  isOn: endpoint.offReason === null,
  offAt: endpoint.offAt?.toISOString() ?? null,
  failingSince: endpoint.failingSince?.toISOString() ?? null,
  previousUntil: endpoint.previousUntil?.toISOString() ?? null,
  droppedAt: endpoint.droppedAt?.toISOString() ?? null,
  createdAt: endpoint.createdAt.toISOString(),
});

export const toDeliveryDto = ({ outcome, nextAt, createdAt, attempts, ...delivery }: Delivery): DeliveryDto => ({
  ...delivery,
  status: outcome ?? 'waiting',
  nextAt: nextAt?.toISOString() ?? null,
  attempts: [...attempts],
  createdAt: createdAt.toISOString(),
});
