import { Logger } from '@nestjs/common';
import { reasonOf } from '../platform/errors/explained.js';
import type { PaymentStore } from './payment-store.js';
import type { Payments } from './payments.js';
import type { Settlement } from './purchase-settlement.js';

const SWEEP_EVERY_MS = 15_000;
const BATCH = 25;
/** An intent that nobody paid for so long is not asked about any more; a webhook would still be heard. */
const ABANDONED_AFTER_SECONDS = 3 * 24 * 3_600;
const CHECK_AGAIN_SECONDS_MIN = 60;

/**
 * Finds payments whose webhook and confirm call were both lost: asks the provider about every payment that is still open,
 * less and less often, and finishes reversals that a crash left half-way.
 */
export class PaymentReconciler {
  private readonly logger = new Logger(PaymentReconciler.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> | undefined;
  private stopped = true;

  constructor(
    private readonly payments: Payments,
    private readonly store: PaymentStore,
  ) {}

  start(): void {
    this.stopped = false;
    this.schedule();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Asks about what is due, one batch. Returns how many payments it looked at. */
  async sweep(): Promise<number> {
    const { settlement } = this.payments.open();
    const due = await this.store.takeDue(BATCH);
    for (const { paymentIntentId, ageSeconds } of due) {
      try {
        await this.plan(paymentIntentId, ageSeconds, await settlement.settle(paymentIntentId));
      } catch (error) {
        this.logger.warn(`payment ${paymentIntentId} could not be settled: ${reasonOf(error)}`);
      }
    }
    return due.length;
  }

  private async plan(paymentIntentId: string, ageSeconds: number, settlement: Settlement): Promise<void> {
    if (settlement.kind === 'unusable') return this.store.mark(paymentIntentId, 'unusable');
    if (settlement.kind !== 'unpaid') return;
    if (settlement.intent.status === 'canceled' || ageSeconds > ABANDONED_AFTER_SECONDS) {
      return this.store.mark(paymentIntentId, 'abandoned');
    }
    return this.store.checkAgainIn(paymentIntentId, Math.max(CHECK_AGAIN_SECONDS_MIN, ageSeconds));
  }

  private schedule(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.sweep()
        .catch((error: unknown) => this.logger.warn(`the sweep of payments failed: ${String(error)}`))
        .finally(() => this.schedule());
    }, SWEEP_EVERY_MS);
    this.timer.unref();
  }
}
