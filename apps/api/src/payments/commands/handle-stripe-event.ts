import { Logger } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type Stripe from 'stripe';
import { Payments } from '../payments.js';

/** An event of the provider, its signature checked. */
export class HandleStripeEvent extends Command<void> {
  constructor(readonly event: Stripe.Event) {
    super();
  }
}

/**
 * An event only says what to look at: what counts is what the provider says now. So repeats and disorder do no harm
 * (`architecture.md`; `ledger.md`, Keys).
 */
@CommandHandler(HandleStripeEvent)
export class HandleStripeEventHandler implements ICommandHandler<HandleStripeEvent> {
  private readonly logger = new Logger(HandleStripeEventHandler.name);

  constructor(private readonly payments: Payments) {}

  /** @throws AppError 503 when it cannot be done now: the provider sends it again */
  async execute({ event }: HandleStripeEvent): Promise<void> {
    const { settlement, mode } = this.payments.open();
    if (event.livemode !== (mode.kind === 'stripe' && mode.livemode)) {
      this.logger.warn(`event ${event.id} is of the other mode and was left alone`);
      return;
    }
    const subject = subjectOf(event);
    if (subject?.kind === 'payment') await settlement.settle(subject.id);
    if (subject?.kind === 'dispute') await settlement.settleDispute(subject.id);
  }
}

function subjectOf(event: Stripe.Event): Subject | undefined {
  if (event.type === 'payment_intent.succeeded') return { kind: 'payment', id: event.data.object.id };
  if (event.type === 'charge.refunded' || event.type === 'refund.created' || event.type === 'refund.updated') {
    return paymentOf(event.data.object.payment_intent);
  }
  if (
    event.type === 'charge.dispute.created' ||
    event.type === 'charge.dispute.updated' ||
    event.type === 'charge.dispute.closed' ||
    event.type === 'charge.dispute.funds_withdrawn' ||
    event.type === 'charge.dispute.funds_reinstated'
  ) {
    return { kind: 'dispute', id: event.data.object.id };
  }
  return undefined;
}

interface Subject {
  readonly kind: 'payment' | 'dispute';
  readonly id: string;
}

function paymentOf(reference: string | { readonly id: string } | null): Subject | undefined {
  if (reference === null) return undefined;
  return { kind: 'payment', id: typeof reference === 'string' ? reference : reference.id };
}
