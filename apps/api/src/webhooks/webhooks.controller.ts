import { Body, Controller, Delete, Get, Header, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { ClientIdParam } from '../oauth/client-id.js';
import { CurrentDeveloper, type Developer, NeedsDeveloper } from '../oauth/needs-application.js';
import { NeedsFreshProof, NeedsSession } from '../platform/auth/access.js';
import { IdParam } from '../platform/id-param.js';
import { CursorPageDto } from '../wallet/paging.dto.js';
import { AddWebhook, ChangeWebhook, DeleteWebhook, RotateWebhookSecret } from './commands/change-webhooks.js';
import { RedeliverWebhook, ReplayWebhook, TestWebhook } from './commands/send-again.js';
import { OwnApplications } from '../oauth/own-applications.js';
import { WebhookEndpoints } from './webhook-endpoints.js';
import { toDeliveryDto, toWebhookDto } from './webhook-view.js';
import {
  DeliveriesDto,
  NewSecretDto,
  NewWebhookDto,
  QueuedDeliveryDto,
  ReplayDto,
  ReplayedDto,
  RotatedSecretDto,
  WebhookChangesDto,
  WebhookDto,
  WebhooksDto,
} from './webhooks.dto.js';

const WHAT = 'This webhook';

/** Webhooks of a developer's own application, for both of them (rules webhooks-7, webhooks-8). */
@ApiTags('Webhooks')
@NeedsSession()
@NeedsDeveloper('webhooks')
@ApiNotFoundResponse({ description: 'There is no such application of yours, or it has no such webhook.' })
@Controller('api/oauth/application/:clientId/webhooks')
export class WebhooksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly applications: OwnApplications,
    private readonly endpoints: WebhookEndpoints,
  ) {}

  @ApiOperation({ summary: 'The webhooks of an application of yours, oldest first' })
  @ApiOkResponse({ type: WebhooksDto })
  @Get()
  async list(@CurrentDeveloper() { id }: Developer, @ClientIdParam('clientId') clientId: string): Promise<WebhooksDto> {
    await this.applications.find({ ownerId: id, clientId });
    return { webhooks: (await this.endpoints.ofApplication(clientId)).map(toWebhookDto) };
  }

  @ApiOperation({ summary: 'Add a webhook; its secret is answered this once' })
  @ApiCreatedResponse({ type: NewSecretDto })
  @ApiBadRequestResponse({ description: 'The address cannot be used, or an event is unknown.' })
  @ApiConflictResponse({ description: 'The application has as many webhooks as there may be: `WEBHOOK_LIMIT`.' })
  @Header('cache-control', 'no-store')
  @NeedsFreshProof()
  @Post()
  add(
    @CurrentDeveloper() { id }: Developer,
    @ClientIdParam('clientId') clientId: string,
    @Body() webhook: NewWebhookDto,
  ): Promise<NewSecretDto> {
    return this.commands.execute(new AddWebhook(id, clientId, webhook));
  }

  @ApiOperation({ summary: 'Change the address or the events, or switch it off and on' })
  @ApiOkResponse({ type: WebhookDto })
  @ApiBadRequestResponse({ description: 'The address cannot be used, or an event is unknown.' })
  @ApiForbiddenResponse({ description: 'For another address a member with a passkey must use it first.' })
  @Patch(':id')
  change(
    @CurrentDeveloper() developer: Developer,
    @ClientIdParam('clientId') clientId: string,
    @IdParam('id', WHAT) id: string,
    @Body() changes: WebhookChangesDto,
  ): Promise<WebhookDto> {
    return this.commands.execute(new ChangeWebhook(developer, clientId, id, changes));
  }

  @ApiOperation({ summary: 'Delete a webhook with its deliveries' })
  @ApiNoContentResponse()
  @HttpCode(204)
  @Delete(':id')
  delete(
    @CurrentDeveloper() { id: ownerId }: Developer,
    @ClientIdParam('clientId') clientId: string,
    @IdParam('id', WHAT) id: string,
  ): Promise<void> {
    return this.commands.execute(new DeleteWebhook(ownerId, clientId, id));
  }

  @ApiOperation({ summary: 'Make a new secret, answered this once; the one before stays valid for a day' })
  @ApiCreatedResponse({ type: RotatedSecretDto })
  @Header('cache-control', 'no-store')
  @NeedsFreshProof()
  @Post(':id/rotate-secret')
  rotateSecret(
    @CurrentDeveloper() { id: ownerId }: Developer,
    @ClientIdParam('clientId') clientId: string,
    @IdParam('id', WHAT) id: string,
  ): Promise<RotatedSecretDto> {
    return this.commands.execute(new RotateWebhookSecret(ownerId, clientId, id));
  }

  @ApiOperation({ summary: 'Send a delivery of type webhook.test' })
  @ApiCreatedResponse({ type: QueuedDeliveryDto })
  @ApiConflictResponse({ description: 'It is switched off: `WEBHOOK_OFF`.' })
  @Post(':id/test')
  test(
    @CurrentDeveloper() { id: ownerId }: Developer,
    @ClientIdParam('clientId') clientId: string,
    @IdParam('id', WHAT) id: string,
  ): Promise<QueuedDeliveryDto> {
    return this.commands.execute(new TestWebhook(ownerId, { clientId, id }));
  }

  @ApiOperation({ summary: 'What was sent, with every attempt and its answer; newest first' })
  @ApiOkResponse({ type: DeliveriesDto })
  @Get(':id/deliveries')
  async deliveries(
    @CurrentDeveloper() { id: ownerId }: Developer,
    @ClientIdParam('clientId') clientId: string,
    @IdParam('id', WHAT) id: string,
    @Query() page: CursorPageDto,
  ): Promise<DeliveriesDto> {
    await this.applications.find({ ownerId, clientId });
    const { deliveries, nextCursor } = await this.endpoints.deliveries({ clientId, id }, page);
    return { deliveries: deliveries.map(toDeliveryDto), nextCursor };
  }

  @ApiOperation({ summary: 'Send a delivery again, with the same id and sequence' })
  @ApiCreatedResponse({ type: QueuedDeliveryDto })
  @Post(':id/deliveries/:deliveryId/redeliver')
  redeliver(
    @CurrentDeveloper() { id: ownerId }: Developer,
    @ClientIdParam('clientId') clientId: string,
    @IdParam('id', WHAT) id: string,
    @IdParam('deliveryId', 'This delivery') deliveryId: string,
  ): Promise<QueuedDeliveryDto> {
    return this.commands.execute(new RedeliverWebhook(ownerId, { clientId, id }, deliveryId));
  }

  @ApiOperation({ summary: 'Send again what was queued since a time, as far as it is kept' })
  @ApiCreatedResponse({ type: ReplayedDto })
  @ApiBadRequestResponse({ description: '`from` is no time.' })
  @Post(':id/replay')
  replay(
    @CurrentDeveloper() { id: ownerId }: Developer,
    @ClientIdParam('clientId') clientId: string,
    @IdParam('id', WHAT) id: string,
    @Body() { from }: ReplayDto,
  ): Promise<ReplayedDto> {
    return this.commands.execute(new ReplayWebhook(ownerId, { clientId, id }, from));
  }
}
