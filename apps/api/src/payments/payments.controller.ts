import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { type Call, CurrentCall } from '../platform/current-call.js';
import { ConfirmPurchase, ConfirmPurchaseDto } from './commands/confirm-purchase.js';
import { CreatePaymentIntent, CreatePaymentIntentDto } from './commands/create-payment-intent.js';
import { ConfirmedPurchaseDto, PaymentIntentDto } from './payments.dto.js';

/** Top-ups by card (rule wallet-13). */
@ApiTags('Payments')
@NeedsSession()
@Controller('api/nova')
export class PaymentsController {
  constructor(private readonly commands: CommandBus) {}

  @ApiOperation({ summary: 'Set a card payment up for so many Nova' })
  @ApiCreatedResponse({ type: PaymentIntentDto })
  @Post('create-payment-intent')
  create(
    @CurrentUser() member: SignedInMember,
    @Body() { amount }: CreatePaymentIntentDto,
    @CurrentCall() call: Call,
  ): Promise<PaymentIntentDto> {
    return this.commands.execute(new CreatePaymentIntent(member.id, amount, call));
  }

  /** By the payment's id, once however often it is called: a webhook that came first changes nothing in the answer. */
  @ApiOperation({ summary: 'Credit a payment that the card form confirmed' })
  @ApiOkResponse({ type: ConfirmedPurchaseDto })
  @ApiResponse({ status: 402, description: 'The card was declined: `CARD_DECLINED`.' })
  @ApiResponse({ status: 409, description: 'The payment is not complete: `PAYMENT_NOT_COMPLETE`.' })
  @HttpCode(200)
  @Post('confirm-purchase')
  confirm(
    @CurrentUser() member: SignedInMember,
    @Body() { paymentIntentId }: ConfirmPurchaseDto,
    @CurrentCall() call: Call,
  ): Promise<ConfirmedPurchaseDto> {
    return this.commands.execute(new ConfirmPurchase(member.id, paymentIntentId, call));
  }
}
