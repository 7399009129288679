import type Stripe from 'stripe';
import type { Faults } from './faults.js';
import type { SimulatedProcess } from './simulated-process.js';
import type { World } from './world.js';

export interface Intent {
  readonly id: string;
  readonly userId: string;
  readonly cents: number;
  readonly wholeNova: number;
  readonly key: string | undefined;
  paidAtMs: number | undefined;
  readonly refunds: { readonly id: string; readonly cents: number }[];
}

const TIMEOUT_MS = 3_000;

/** The provider of payments: what it knows of each payment, behind a network that may lose calls and answers. */
export class SimulatedProvider {
  readonly intents = new Map<string, Intent>();

  constructor(
    private readonly world: World,
    private readonly faults: Faults,
  ) {}

  pay(id: string): void {
    const intent = this.intents.get(id);
    if (intent) intent.paidAtMs ??= this.world.nowMs;
  }

  /** What is left of a payment goes back, or a part of it. */
  refund(id: string, cents = Infinity): void {
    const intent = this.intents.get(id);
    if (intent?.paidAtMs === undefined) return;
    const left = intent.cents - refunded(intent);
    if (left > 0) intent.refunds.push({ id: `re_${id}_${intent.refunds.length}`, cents: Math.min(left, cents) });
  }

  /** As a server sees the provider. */
  gatewayOf(process: SimulatedProcess) {
    const { PaymentProviderUnavailable } = process.load(
      'apps/api/src/payments/payment-gateway.ts',
    ) as typeof import('../../apps/api/src/payments/payment-gateway.js');
    const ask = <T>(effect: () => T): Promise<T> =>
      this.call(process, effect, () => new PaymentProviderUnavailable(new Error('timed out')));
    type Purchase = Parameters<
      import('../../apps/api/src/payments/payment-gateway.js').PaymentGateway['createIntent']
    >[0];
    return {
      createIntent: (purchase: Purchase) => ask(() => asStripe(this.create(purchase))),
      findIntent: (id: string) =>
        ask(() => {
          const intent = this.intents.get(id);
          return intent && asStripe(intent);
        }),
      findDispute: () => Promise.resolve(undefined),
      refundsOf: (id: string) =>
        ask(() =>
          (this.intents.get(id)?.refunds ?? []).map(
            (refund) => ({ id: refund.id, amount: refund.cents, status: 'succeeded' }) as Stripe.Refund,
          ),
        ),
      refundAll: (id: string) => ask(() => this.refund(id)),
    };
  }

  private create({
    userId,
    wholeNova,
    chargedCents,
    idempotencyKey,
  }: {
    readonly userId: string;
    readonly wholeNova: number;
    readonly chargedCents: number;
    readonly idempotencyKey: string | undefined;
  }): Intent {
    const made =
      idempotencyKey === undefined ? undefined : [...this.intents.values()].find(({ key }) => key === idempotencyKey);
    if (made) return made;
    const intent: Intent = {
      id: `pi_${this.intents.size}`,
      userId,
      cents: chargedCents,
      wholeNova,
      key: idempotencyKey,
      paidAtMs: undefined,
      refunds: [],
    };
    this.intents.set(intent.id, intent);
    return intent;
  }

  private call<T>(process: SimulatedProcess, effect: () => T, lost: () => Error): Promise<T> {
    const { world, faults } = this;
    return new Promise((resolve, reject) => {
      const givingUp = world.after(TIMEOUT_MS, () => reject(lost()), process);
      const delay = (): number => 1 + world.random.next() * (faults.strikes('slow message', 'provider') ? 2_000 : 20);
      if (faults.strikes('lost request', 'provider')) return;
      world.after(delay(), () => {
        const value = effect();
        if (faults.strikes('lost answer', 'provider')) return;
        const deliver = (): void => {
          givingUp.run = undefined;
          resolve(value);
        };
        world.after(delay(), deliver, process);
      });
    });
  }
}

export const refunded = ({ refunds }: Intent): number => refunds.reduce((sum, { cents }) => sum + cents, 0);

const asStripe = ({ id, userId, cents, wholeNova, paidAtMs }: Intent): Stripe.PaymentIntent =>
  ({
    id,
    client_secret: `${id}_secret`,
    currency: 'usd',
    livemode: false,
    status: paidAtMs === undefined ? 'requires_payment_method' : 'succeeded',
    amount_received: paidAtMs === undefined ? 0 : cents,
    metadata: { userId, amount: String(wholeNova) },
  }) as unknown as Stripe.PaymentIntent;
