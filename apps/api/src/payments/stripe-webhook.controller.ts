import { Controller, Headers, HttpCode, Post, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../platform/auth/access.js';
import { HandleStripeEvent } from './commands/handle-stripe-event.js';
import { Payments } from './payments.js';
import { WebhookReceivedDto } from './payments.dto.js';

@ApiTags('Payments')
@Controller('api/webhooks')
export class StripeWebhookController {
  constructor(
    private readonly payments: Payments,
    private readonly commands: CommandBus,
  ) {}

  /** Answers 2xx once what the event says is in the journal; the provider repeats everything else. */
  @ApiOperation({ summary: "Stripe's webhooks, proved by their signature" })
  @ApiOkResponse({ type: WebhookReceivedDto })
  @Public()
  @HttpCode(200)
  @Post('stripe')
  async receive(
    @Req() request: FastifyRequest,
    @Headers('stripe-signature') signature: string | undefined,
  ): Promise<WebhookReceivedDto> {
    const { gateway } = this.payments.open();
    const event = gateway.readEvent(request.signedBody ?? Buffer.alloc(0), signature ?? '');
    await this.commands.execute(new HandleStripeEvent(event, request.id));
    return { received: true };
  }
}
