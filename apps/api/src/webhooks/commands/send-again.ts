import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AppError } from '../../platform/errors/app-error.js';
import { readDayOrMoment } from '../../platform/day-or-moment.js';
import { RateLimits } from '../../platform/rate-limit/rate-limits.js';
import { type EndpointOf, WebhookEndpoints } from '../webhook-endpoints.js';
import type { QueuedDeliveryDto, ReplayedDto } from '../webhooks.dto.js';
import { OwnApplications } from '../../oauth/own-applications.js';

/** A delivery that tells of nothing, to try an endpoint out. */
export class TestWebhook extends Command<QueuedDeliveryDto> {
  constructor(
    readonly ownerId: string,
    readonly endpoint: EndpointOf,
  ) {
    super();
  }
}

@CommandHandler(TestWebhook)
export class TestWebhookHandler implements ICommandHandler<TestWebhook> {
  constructor(
    private readonly applications: OwnApplications,
    private readonly endpoints: WebhookEndpoints,
    private readonly limits: RateLimits,
  ) {}

  /** @throws AppError 404, 409 `WEBHOOK_OFF`, 429 */
  async execute({ ownerId, endpoint }: TestWebhook): Promise<QueuedDeliveryDto> {
    await this.applications.find({ ownerId, clientId: endpoint.clientId });
    await this.limits.webhookSends.take(ownerId);
    return this.endpoints.test(endpoint);
  }
}

/** One delivery once more. */
export class RedeliverWebhook extends Command<QueuedDeliveryDto> {
  constructor(
    readonly ownerId: string,
    readonly endpoint: EndpointOf,
    readonly deliveryId: string,
  ) {
    super();
  }
}

@CommandHandler(RedeliverWebhook)
export class RedeliverWebhookHandler implements ICommandHandler<RedeliverWebhook> {
  constructor(
    private readonly applications: OwnApplications,
    private readonly endpoints: WebhookEndpoints,
    private readonly limits: RateLimits,
  ) {}

  /** @throws AppError 404, 429 */
  async execute({ ownerId, endpoint, deliveryId }: RedeliverWebhook): Promise<QueuedDeliveryDto> {
    await this.applications.find({ ownerId, clientId: endpoint.clientId });
    await this.limits.webhookSends.take(ownerId);
    await this.endpoints.redeliver(endpoint, deliveryId);
    return { id: deliveryId };
  }
}

/** All deliveries since a time once more. */
export class ReplayWebhook extends Command<ReplayedDto> {
  constructor(
    readonly ownerId: string,
    readonly endpoint: EndpointOf,
    readonly from: string,
  ) {
    super();
  }
}

@CommandHandler(ReplayWebhook)
export class ReplayWebhookHandler implements ICommandHandler<ReplayWebhook> {
  constructor(
    private readonly applications: OwnApplications,
    private readonly endpoints: WebhookEndpoints,
    private readonly limits: RateLimits,
  ) {}

  /** @throws AppError 400 `INVALID_DATE`, 404, 429 */
  async execute({ ownerId, endpoint, from }: ReplayWebhook): Promise<ReplayedDto> {
    await this.applications.find({ ownerId, clientId: endpoint.clientId });
    const since = readDayOrMoment(from)?.start;
    if (!since) throw new AppError(400, 'INVALID_DATE', 'from must be a date such as 2026-01-31.');
    await this.limits.webhookReplays.take(ownerId);
    return { count: await this.endpoints.replay(endpoint, since) };
  }
}
