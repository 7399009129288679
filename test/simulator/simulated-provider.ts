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
  dispute: Dispute | undefined;
}

export interface Dispute {
  readonly id: string;
  readonly intentId: string;
  readonly cents: number;
  status: 'needs_response' | 'won' | 'lost';
}

const TIMEOUT_MS = 3_000;

/** The provider of payments: what it knows of each payment, behind a network that may lose calls and answers. */
export class SimulatedProvider {
  readonly intents = new Map<string, Intent>();
  /** What moved the balance, oldest first. */
  readonly movements: Stripe.BalanceTransaction[] = [];

  constructor(
    private readonly world: World,
    private readonly faults: Faults,
    private readonly wallMs: () => number,
  ) {}

  pay(id: string): void {
    const intent = this.intents.get(id);
    if (!intent || intent.paidAtMs !== undefined) return;
    intent.paidAtMs = this.world.nowMs;
    this.move('charge', intent.cents, { id: `ch_${id}`, payment_intent: id });
  }

  /** What is left of a payment goes back, or a part of it; nothing while it is disputed, or after that was lost. */
  refund(id: string, cents = Infinity): void {
    const intent = this.intents.get(id);
    if (intent?.paidAtMs === undefined) return;
    if (intent.dispute !== undefined && intent.dispute.status !== 'won') return;
    const left = intent.cents - returned(intent);
    if (left <= 0) return;
    const refund = { id: `re_${id}_${intent.refunds.length}`, cents: Math.min(left, cents) };
    intent.refunds.push(refund);
    this.move('refund', -refund.cents, { id: refund.id, payment_intent: id });
  }

  /** The payer's bank asks for what is left of a payment. */
  dispute(id: string): Dispute | undefined {
    const intent = this.intents.get(id);
    if (intent?.paidAtMs === undefined) return undefined;
    const cents = intent.cents - returned(intent);
    if (cents <= 0 || intent.dispute !== undefined) return intent.dispute;
    intent.dispute = { id: `du_${id}`, intentId: id, cents, status: 'needs_response' };
    this.move('dispute', -cents, { id: intent.dispute.id, payment_intent: id });
    return intent.dispute;
  }

  decide(dispute: Dispute, status: 'won' | 'lost'): void {
    dispute.status = status;
    const { id, intentId, cents } = dispute;
    if (status === 'won') this.move('dispute_reversal', cents, { id, payment_intent: intentId });
  }

  private move(
    category: string,
    amount: number,
    source: { readonly id: string; readonly payment_intent: string },
  ): void {
    this.movements.push({
      id: `txn_${this.movements.length}`,
      reporting_category: category,
      type: category,
      currency: 'usd',
      amount,
      fee: 0,
      created: Math.floor(this.wallMs() / 1_000),
      source,
    } as unknown as Stripe.BalanceTransaction);
  }

  /** As a server sees the provider. */
  gatewayOf(process: SimulatedProcess) {
    const { PaymentProviderUnavailable } = process.load(
      'apps/api/src/payments/payment-gateway.ts',
    ) as typeof import('../../apps/api/src/payments/payment-gateway.js');
    const { movements } = this;
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
      findDispute: (id: string) =>
        ask(() => {
          const intent = [...this.intents.values()].find(({ dispute }) => dispute?.id === id);
          return (
            intent?.dispute &&
            ({
              id,
              payment_intent: intent.id,
              status: intent.dispute.status,
              amount: intent.dispute.cents,
            } as Stripe.Dispute)
          );
        }),
      refundsOf: (id: string) =>
        ask(() =>
          (this.intents.get(id)?.refunds ?? []).map(
            (refund) => ({ id: refund.id, amount: refund.cents, status: 'succeeded' }) as Stripe.Refund,
          ),
        ),
      refundAll: (id: string) => ask(() => this.refund(id)),
      balanceTransactions: async function* (this: void, from: Date, until: Date) {
        const isIn = ({ created }: Stripe.BalanceTransaction): boolean =>
          created * 1_000 >= from.getTime() && created * 1_000 < until.getTime();
        yield* await ask(() => movements.filter(isIn).toReversed());
      },
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
      dispute: undefined,
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

/** What went back to the payer, in cents. */
export const returned = ({ refunds, dispute }: Intent): number =>
  refunds.reduce((sum, { cents }) => sum + cents, dispute?.status === 'lost' ? dispute.cents : 0);

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
