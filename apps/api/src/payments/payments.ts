import { hash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { AppError } from '../platform/errors/app-error.js';
import type { PaymentGateway } from './payment-gateway.js';
import type { PurchaseSettlement } from './purchase-settlement.js';

export type PaymentMode =
  | { readonly kind: 'stripe'; readonly publishableKey: string; readonly livemode: boolean }
  | { readonly kind: 'sandbox' };

export interface OpenPayments {
  readonly gateway: PaymentGateway;
  readonly settlement: PurchaseSettlement;
  readonly mode: PaymentMode;
}

/** The configured card payments: Stripe, the stand-in, or none. */
export class Payments {
  private readonly logger = new Logger(Payments.name);
  private refusal: string | undefined;

  constructor(private readonly parts: OpenPayments | undefined) {}

  /** @throws AppError 503 no payments are taken here */
  open(): OpenPayments {
    if (this.parts && this.refusal === undefined) return this.parts;
    throw new AppError(503, 'PAYMENTS_UNAVAILABLE', 'Card payments are not set up on this server.');
  }

  get isOpen(): boolean {
    return this.parts !== undefined && this.refusal === undefined;
  }

  get mode(): PaymentMode | undefined {
    return this.parts?.mode;
  }

  close(reason: string): void {
    this.refusal = reason;
    this.logger.error(`no card payments are taken: ${reason}`);
  }

  /** A member's key in a form that differs from every other member's, within the provider's 255 characters. */
  providerKey(userId: string, key: string): string {
    return hash('sha256', `member:${userId}:nova.create-payment-intent\n${key}`, 'hex');
  }
}
