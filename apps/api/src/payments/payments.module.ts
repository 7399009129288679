import type { Ledger } from '@app/ledger';
import type { StripeStandIn } from '@app/stripe-stand-in';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Pool } from 'pg';
import { type Config, CONFIG } from '../platform/config.js';
import { PG_POOL } from '../platform/database/database.module.js';
import { LEDGER } from '../platform/ledger/injected-ledger.js';
import { WalletModule } from '../wallet/wallet.module.js';
import { ConfirmPurchaseHandler } from './commands/confirm-purchase.js';
import { CreatePaymentIntentHandler } from './commands/create-payment-intent.js';
import { HandleStripeEventHandler } from './commands/handle-stripe-event.js';
import { connectToProvider, openStandIn, OwnAddress } from './payment-connection.js';
import { PaymentStore } from './payment-store.js';
import { PaymentsController } from './payments.controller.js';
import { Payments } from './payments.js';
import { PurchaseSettlement } from './purchase-settlement.js';
import { PaymentReconciler } from './reconciler.js';
import { StripeWebhookController } from './stripe-webhook.controller.js';

/** The stand-in for Stripe, which the application mounts; undefined if it may not run. */
export const STRIPE_STAND_IN = Symbol('StripeStandIn');

/** Starts and stops background work, and keeps real and sandbox money out of one journal. */
@Injectable()
class PaymentsLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly payments: Payments,
    private readonly store: PaymentStore,
    @Inject(STRIPE_STAND_IN) private readonly standIn: StripeStandIn | undefined,
    private readonly reconciler: PaymentReconciler,
  ) {}

  /** @throws Error a live key on a journal with sandbox purchases: the start must fail (rule wallet-20) */
  async onApplicationBootstrap(): Promise<void> {
    const { mode } = this.payments;
    if (!mode) return this.payments.close('neither Stripe keys nor the sandbox are allowed by the configuration');
    const livemode = mode.kind === 'stripe' && mode.livemode;
    const demo = livemode && (await this.store.hasDemoPurchases());
    if (demo || (await this.store.hasCredited({ livemode: !livemode }))) {
      if (livemode) {
        throw new Error(
          'STRIPE_SECRET_KEY is a live key, but this journal holds purchases of the sandbox: use another installation.',
        );
      }
      return this.payments.close(
        'this journal holds purchases with real money, and STRIPE_SECRET_KEY is not a live key',
      );
    }
    this.standIn?.start();
    this.reconciler.start();
  }

  /**
   * Runs while the server still answers: work in progress calls this same server, and would otherwise delay its end.
   */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.standIn?.stop(), this.reconciler.stop()]);
  }
}

/** Card payments: Stripe, or the stand-in (rule wallet-20). */
@Module({
  imports: [WalletModule],
  controllers: [PaymentsController, StripeWebhookController],
  providers: [
    OwnAddress,
    CreatePaymentIntentHandler,
    ConfirmPurchaseHandler,
    HandleStripeEventHandler,
    PaymentStore,
    PaymentReconciler,
    PaymentsLifecycle,
    {
      provide: Payments,
      inject: [CONFIG, OwnAddress, PaymentStore, LEDGER],
      useFactory: (config: Config, address: OwnAddress, store: PaymentStore, ledger: Ledger) => {
        const connected = connectToProvider(config, address);
        if (!connected) return new Payments(undefined);
        return new Payments({ ...connected, settlement: new PurchaseSettlement(connected.gateway, store, ledger) });
      },
    },
    {
      provide: STRIPE_STAND_IN,
      inject: [CONFIG, PG_POOL, OwnAddress],
      useFactory: (config: Config, pool: Pool, address: OwnAddress) => openStandIn(config, pool, address),
    },
  ],
  exports: [Payments, PaymentStore],
})
export class PaymentsModule {}
