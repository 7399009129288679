import { ApiProperty } from '@nestjs/swagger';

/** `POST /api/nova/create-payment-intent`, the answer. */
export class PaymentIntentDto {
  @ApiProperty({ description: "What the card form confirms the payment with; a secret of this member's browser." })
  clientSecret: string;

  @ApiProperty({ example: 'pi_3Q0PsE2eZvKYlo2C' })
  paymentIntentId: string;

  @ApiProperty({ description: 'Whole Nova that will be credited.', example: 1250 })
  amount: number;

  @ApiProperty({ description: 'What the card is charged, in US cents, rounded up to the cent.', example: 100 })
  chargedCents: number;

  @ApiProperty({ description: 'True while no Stripe key is set: no card is charged, and test cards are taken.' })
  sandbox: boolean;

  @ApiProperty({ type: String, nullable: true, description: "Stripe's publishable key, or null in the sandbox." })
  publishableKey: string | null;
}

/** `POST /api/nova/confirm-purchase`, the answer. */
export class ConfirmedPurchaseDto {
  @ApiProperty({ description: 'Nova that were credited.', example: 1250 })
  amount: number;

  @ApiProperty({ description: "The member's Nova balance after it." })
  novaBalance: number;

  @ApiProperty({ description: "The journal's event." })
  eventId: string;

  @ApiProperty({ description: 'False when lists and balances do not show it yet.' })
  projected: boolean;
}

/** `POST /api/webhooks/stripe`, the answer. */
export class WebhookReceivedDto {
  @ApiProperty({ example: true })
  received: boolean;
}
