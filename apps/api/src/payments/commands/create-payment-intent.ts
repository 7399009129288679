import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { MINOR_UNITS, TOP_UP_MAX_NOVA, TOP_UP_MESSAGES, TOP_UP_MIN_NOVA } from '@app/domain';
import { IsInt, Max, Min } from 'class-validator';
import type { Call } from '../../platform/current-call.js';
import { PaymentStore } from '../payment-store.js';
import type { PaymentIntentDto } from '../payments.dto.js';
import { Payments } from '../payments.js';
import { chargeCents } from '../pricing.js';

/** `POST /api/nova/create-payment-intent` (rule wallet-11). */
export class CreatePaymentIntentDto {
  @ApiProperty({
    type: 'integer',
    minimum: TOP_UP_MIN_NOVA,
    maximum: TOP_UP_MAX_NOVA,
    description: 'Whole Nova.',
    example: 1250,
  })
  @Max(TOP_UP_MAX_NOVA, { message: TOP_UP_MESSAGES.aboveMaximum, context: { code: 'INVALID_AMOUNT' } })
  @Min(TOP_UP_MIN_NOVA, { message: TOP_UP_MESSAGES.belowMinimum, context: { code: 'INVALID_AMOUNT' } })
  @IsInt({ message: 'The amount must be a whole number of Nova Points.', context: { code: 'INVALID_AMOUNT' } })
  amount: number;
}

export class CreatePaymentIntent extends Command<PaymentIntentDto> {
  constructor(
    readonly userId: string,
    readonly wholeNova: number,
    readonly call: Call,
  ) {
    super();
  }
}

/** Sets up a payment at the provider. No Nova moves before it is paid. */
@CommandHandler(CreatePaymentIntent)
export class CreatePaymentIntentHandler implements ICommandHandler<CreatePaymentIntent> {
  constructor(
    private readonly payments: Payments,
    private readonly store: PaymentStore,
  ) {}

  /** @throws AppError 422 key reused, 503 the provider does not answer or is not configured */
  async execute({ userId, wholeNova, call }: CreatePaymentIntent): Promise<PaymentIntentDto> {
    const { idempotencyKey } = call;
    const { gateway, mode } = this.payments.open();
    const chargedCents = chargeCents(wholeNova);
    const intent = await gateway.createIntent({
      userId,
      wholeNova,
      chargedCents,
      idempotencyKey: idempotencyKey === undefined ? undefined : this.payments.providerKey(userId, idempotencyKey),
    });
    if (!intent.client_secret) throw new Error(`payment ${intent.id} came without a client secret`);
    await this.store.remember({
      paymentIntentId: intent.id,
      userId,
      nova: BigInt(wholeNova) * MINOR_UNITS.NOVA,
      chargedCents,
      livemode: intent.livemode,
    });
    return {
      clientSecret: intent.client_secret,
      paymentIntentId: intent.id,
      amount: wholeNova,
      chargedCents,
      sandbox: mode.kind === 'sandbox',
      publishableKey: mode.kind === 'stripe' ? mode.publishableKey : null,
    };
  }
}
