import { Injectable, Logger } from '@nestjs/common';
import { reasonOf } from '../platform/errors/explained.js';
import { inRounds } from '../platform/rounds.js';
import { PaymentStore } from './payment-store.js';
import { Payments } from './payments.js';
import type { Settlement } from './purchase-settlement.js';

const SWEEP_EVERY_MS = 15_000;
const BATCH = 25;
/** After this time an unpaid intent is no longer polled; a webhook still counts. */
const ABANDONED_AFTER_SECONDS = 3 * 24 * 3_600;
const CHECK_AGAIN_SECONDS_MIN = 60;

/**
 * Finds payments whose webhook and confirm call were both lost: asks the provider about every open payment, less and
 * less often, and finishes reversals that a crash interrupted.
 */
@Injectable()
export class PaymentReconciler {
  private readonly logger = new Logger(PaymentReconciler.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly payments: Payments,
    private readonly store: PaymentStore,
  ) {}

  start(): void {
    this.running = inRounds(() => this.sweep(), {
      firstAfterMs: SWEEP_EVERY_MS,
      everyMs: SWEEP_EVERY_MS,
      signal: this.stopping.signal,
      onFailure: (error) => this.logger.warn({ err: error }, 'the sweep of payments failed; the next round retries'),
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Checks one batch of due payments. Returns how many it checked. */
  async sweep(): Promise<number> {
    const { settlement } = this.payments.open();
    const due = await this.store.takeDue(BATCH);
    for (const { paymentIntentId, ageSeconds } of due) {
      try {
        await this.plan(paymentIntentId, ageSeconds, await settlement.settle(paymentIntentId, undefined));
      } catch (error) {
        this.logger.warn(`payment ${paymentIntentId} could not be settled: ${reasonOf(error)}`);
      }
    }
    return due.length;
  }

  private async plan(paymentIntentId: string, ageSeconds: number, settlement: Settlement): Promise<void> {
    if (settlement.kind === 'unusable') return this.store.mark(paymentIntentId, 'unusable');
    if (settlement.kind !== 'unpaid') return;
    const { status } = settlement.intent;
    // A bank takes days over some payments: only the bank can say that they failed.
    if (status === 'canceled' || (status !== 'processing' && ageSeconds > ABANDONED_AFTER_SECONDS)) {
      return this.store.mark(paymentIntentId, 'abandoned');
    }
    return this.store.checkAgainIn(paymentIntentId, Math.max(CHECK_AGAIN_SECONDS_MIN, ageSeconds));
  }
}
