import { Logger } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type Stripe from 'stripe';
import { AppError } from '../../platform/errors/app-error.js';
import { Payments } from '../payments.js';

/** An event of the provider, its signature checked. */
export class HandleStripeEvent extends Command<void> {
  constructor(
    readonly signed: Stripe.Event,
    readonly requestId: string,
  ) {
    super();
  }
}

/**
 * An event only says what to check. The provider's current state counts, so repeated and unordered events do no harm
 * (rules wallet-14, ledger-27).
 */
@CommandHandler(HandleStripeEvent)
export class HandleStripeEventHandler implements ICommandHandler<HandleStripeEvent> {
  private readonly logger = new Logger(HandleStripeEventHandler.name);

  constructor(private readonly payments: Payments) {}

  /** @throws AppError 400 `UNREADABLE_EVENT`, 503 if it cannot be done now: the provider sends it again */
  async execute({ signed, requestId }: HandleStripeEvent): Promise<void> {
    const event = readEvent(signed);
    const { settlement, mode } = this.payments.open();
    if (event.livemode !== (mode.kind === 'stripe' && mode.livemode)) {
      this.logger.warn(`event ${event.id} is of the other mode and was ignored`);
      return;
    }
    const subject = subjectOf(event);
    if (subject?.kind === 'payment') await settlement.settle(subject.id, requestId);
    if (subject?.kind === 'dispute') await settlement.settleDispute(subject.id, requestId);
  }
}

interface Subject {
  readonly kind: 'payment' | 'dispute';
  readonly id: string;
}

const PAYMENT = 'payment_intent.succeeded';
const REFUNDS: ReadonlySet<string> = new Set(['charge.refunded', 'refund.created', 'refund.updated']);
const DISPUTES: ReadonlySet<string> = new Set(
  ['created', 'updated', 'closed', 'funds_withdrawn', 'funds_reinstated'].map((what) => `charge.dispute.${what}`),
);

/** @throws AppError 400 the event is signed, but lacks what its type demands */
function subjectOf({ type, object }: SignedEvent): Subject | undefined {
  if (type === PAYMENT) return { kind: 'payment', id: idOf(object) };
  if (DISPUTES.has(type)) return { kind: 'dispute', id: idOf(object) };
  if (!REFUNDS.has(type)) return undefined;
  const { payment_intent: reference } = asRecord(object);
  if (reference === null) return undefined;
  return { kind: 'payment', id: typeof reference === 'string' ? reference : idOf(reference) };
}

interface SignedEvent {
  readonly id: string;
  readonly type: string;
  readonly livemode: boolean;
  readonly object: unknown;
}

/** The signature proves the sender, not the shape: the event is still validated. */
function readEvent(signed: unknown): SignedEvent {
  const { id, type, livemode, data } = asRecord(signed);
  if (typeof id !== 'string' || typeof type !== 'string' || typeof livemode !== 'boolean') throw unreadableEvent();
  // Events of types that are not used here may hold anything.
  const object: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'object') : undefined;
  return { id, type, livemode, object };
}

function idOf(object: unknown): string {
  const { id } = asRecord(object);
  if (typeof id !== 'string' || id === '' || id.length > ID_MAX) throw unreadableEvent();
  return id;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw unreadableEvent();
  return { ...value };
}

/** Longer than any of the provider's ids. */
const ID_MAX = 255;

const unreadableEvent = (): AppError => new AppError(400, 'UNREADABLE_EVENT', 'This event does not match its type.');
