import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import type Stripe from 'stripe';
import type { Call } from '../../platform/current-call.js';
import { AppError, notFound } from '../../platform/errors/app-error.js';
import { KeyUses } from '../../platform/key-uses/key-uses.js';
import { toNova } from '../../wallet/nova-amount.js';
import { ReadModels } from '../../wallet/read-models.js';
import { PaymentStore } from '../payment-store.js';
import type { ConfirmedPurchaseDto } from '../payments.dto.js';
import { Payments } from '../payments.js';
import type { Settlement } from '../purchase-settlement.js';

const PAYMENT_INTENT_ID_MAX = 64;

/** `POST /api/nova/confirm-purchase` (rule wallet-13). */
export class ConfirmPurchaseDto {
  @ApiProperty({ example: 'pi_3Q0PsE2eZvKYlo2C', maxLength: PAYMENT_INTENT_ID_MAX })
  @MaxLength(PAYMENT_INTENT_ID_MAX, { message: 'The payment id is too long.' })
  @IsString({ message: 'The payment id is missing.' })
  paymentIntentId: string;
}

export class ConfirmPurchase extends Command<ConfirmedPurchaseDto> {
  constructor(
    readonly userId: string,
    readonly paymentIntentId: string,
    readonly call: Call,
  ) {
    super();
  }
}

/** Credits a payment that the provider confirms. This call and the webhook may both come; the first one credits. */
@CommandHandler(ConfirmPurchase)
export class ConfirmPurchaseHandler implements ICommandHandler<ConfirmPurchase> {
  constructor(
    private readonly keys: KeyUses,
    private readonly payments: Payments,
    private readonly store: PaymentStore,
    private readonly readModels: ReadModels,
  ) {}

  /**
   * @throws AppError 404 not this member's payment, 402 `CARD_DECLINED`, 409 `PAYMENT_NOT_COMPLETE`, 403 account closed,
   * 422 key reused
   */
  async execute({ userId, paymentIntentId, call }: ConfirmPurchase): Promise<ConfirmedPurchaseDto> {
    const { payment, event, balance } = await this.keys.guard(
      { scope: `member:${userId}:nova.confirm-purchase`, key: call.idempotencyKey, body: [paymentIntentId] },
      () => this.credit(userId, paymentIntentId, call.requestId),
    );
    const { projected } = await this.readModels.caughtUp(event.revision);
    return {
      amount: toNova(payment.nova),
      novaBalance: toNova(balance ?? (await this.readModels.novaBalance(userId))),
      eventId: event.id,
      projected,
    };
  }

  private async credit(userId: string, paymentIntentId: string, requestId: string): Promise<Credited> {
    const { gateway, settlement } = this.payments.open();
    const known = await this.store.find(paymentIntentId);
    if (known && known.userId !== userId) throw notFound('This payment');
    const intent = /^pi_\w+$/.test(paymentIntentId) ? await gateway.findIntent(paymentIntentId) : undefined;
    if (!intent || intent.metadata['userId'] !== userId) throw notFound('This payment');
    return expectCredited(await settlement.credit(intent, requestId));
  }
}

type Credited = Extract<Settlement, { kind: 'credited' }>;

function expectCredited(settlement: Settlement): Credited {
  if (settlement.kind === 'credited') return settlement;
  if (settlement.kind === 'unpaid') throw unpaidError(settlement.intent);
  if (settlement.kind === 'returned') {
    throw new AppError(
      403,
      'ACCOUNT_CLOSED',
      'This account is closed. Nothing was credited, and you get the payment back.',
    );
  }
  throw new AppError(409, 'PAYMENT_NOT_USABLE', 'This payment does not match the request. Please contact support.');
}

function unpaidError({ last_payment_error: refusal, status }: Stripe.PaymentIntent): AppError {
  if (status !== 'requires_payment_method' || !refusal) {
    return new AppError(409, 'PAYMENT_NOT_COMPLETE', 'This payment is not complete yet.', { extra: { status } });
  }
  const extra = { declineCode: refusal.decline_code ?? refusal.code ?? null };
  return new AppError(402, 'CARD_DECLINED', refusal.message ?? 'Your card was declined.', { extra });
}
