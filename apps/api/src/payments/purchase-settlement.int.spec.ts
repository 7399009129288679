import { randomUUID } from 'node:crypto';
import { LEDGER_STREAM } from '@app/domain';
import { MemoryEventStore } from '@app/event-store';
import { type CommandRequest, journalEventOf, type LedgerWriter } from '@app/ledger';
import type Stripe from 'stripe';
import { startWriter } from '../../../../libs/ledger/src/testing/writers.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { HandleStripeEvent, HandleStripeEventHandler } from './commands/handle-stripe-event.js';
import { PAYMENTS_SCHEMA_SQL } from './migrations.js';
import type { PaymentGateway } from './payment-gateway.js';
import { PaymentStore } from './payment-store.js';
import { Payments } from './payments.js';
import { PurchaseSettlement } from './purchase-settlement.js';
import { PaymentReconciler } from './reconciler.js';

const ID = 'pi_1';
const DISPUTE = 'dp_1';

/** The provider's current answers, which tests change. */
interface Provider {
  intent: Partial<Stripe.PaymentIntent>;
  refunds: Partial<Stripe.Refund>[];
  /** The dispute's status, one for each look; the last one stays. */
  disputeStatuses: string[];
}

describe('settlement of what the provider says', () => {
  let database: TestDatabase;
  let store: PaymentStore;
  let journal: MemoryEventStore;
  let ledger: LedgerWriter;
  let ada: string;
  let provider: Provider;
  let payments: Payments;
  let settlement: PurchaseSettlement;

  beforeAll(async () => {
    database = await createTestDatabase('settlement');
    await database.pool.query(PAYMENTS_SCHEMA_SQL);
    store = new PaymentStore(database.pool);
  });
  afterAll(() => database.drop());

  beforeEach(async () => {
    await database.pool.query('truncate payment, payment_reversal');
    journal = new MemoryEventStore();
    ledger = await startWriter({ store: journal });
    ada = crypto.randomUUID();
    const metadata = { userId: ada, amount: '1250' };
    const intent = {
      id: ID,
      status: 'succeeded' as const,
      currency: 'usd',
      amount_received: 100,
      livemode: false,
      metadata,
    };
    provider = { intent, refunds: [], disputeStatuses: [] };
    const gateway = gatewayTo(provider);
    settlement = new PurchaseSettlement(gateway, store, ledger);
    payments = new Payments({ gateway, settlement, mode: { kind: 'sandbox' } });
  });
  afterEach(() => ledger.stop());

  const execute = (command: CommandRequest['command']) => ledger.execute({ command, actor: 'process' });
  const revision = () => ledger.revision;
  const newestEvent = async () => {
    const head = await journal.head(LEDGER_STREAM);
    return head && journalEventOf(head).event;
  };
  const isFrozen = async () =>
    (
      await ledger.execute({
        command: { type: 'UnfreezeSpending', userId: ada, disputeId: DISPUTE },
        actor: 'process',
        dryRun: true,
      })
    ).status === 'accepted';
  const stateOf = async () => (await store.find(ID))?.state;
  const openReversals = async () =>
    (await database.pool.query(`select from payment_reversal where state = 'open'`)).rowCount;

  it('credits neither another amount nor another currency than was asked for', async () => {
    for (const wrong of [{ amount_received: 99 }, { currency: 'eur' }]) {
      Object.assign(provider.intent, { amount_received: 100, currency: 'usd' }, wrong);
      expect(await settlement.settle(ID, undefined)).toEqual({ kind: 'unusable' });
      expect([revision(), await stateOf()]).toEqual([-1, 'unusable']);
    }
  });

  it.each([
    {},
    { amount: '1250' },
    { userId: 'ann' },
    ...['0', '01250', '1e3', '-5', '1250.5', ''].map((amount) => ({ amount, userId: 'ann' })),
  ])('credits nothing for a payment that is not ours: %j', async (metadata) => {
    provider.intent.metadata = metadata as Record<string, string>;
    expect(await settlement.settle(ID, undefined)).toEqual({ kind: 'unusable' });
    expect([revision(), await stateOf()]).toEqual([-1, undefined]);
  });

  it('reverses refunds that succeeded, and no others', async () => {
    provider.refunds = [
      { id: 're_1', status: 'pending', amount: 40 },
      { id: 're_2', status: 'failed', amount: 40 },
    ];
    await settlement.settle(ID, undefined);
    const credited = revision();
    provider.refunds.push({ id: 're_3', status: 'succeeded', amount: 40 });
    await settlement.settle(ID, undefined);
    expect(revision()).toBe(credited + 1);
    expect(await store.findReversal('re_3')).toMatchObject({ state: 'reversed', nova: 50_000n });
    expect(await store.findReversal('re_1')).toBeUndefined();
  });

  it('books what goes back after the account was closed as lost: its Nova is gone', async () => {
    await settlement.settle(ID, undefined);
    await execute({ type: 'CloseAccount', userId: ada });
    await execute({ type: 'FinishClosingAccount', userId: ada });
    provider.refunds = [{ id: 're_1', status: 'succeeded', amount: 40 }];
    await settlement.settle(ID, undefined);
    expect(await store.findReversal('re_1')).toMatchObject({ state: 'reversed' });
    expect(await newestEvent()).toMatchObject({ type: 'PurchaseReversed', amount: 50_000n, shortfall: 50_000n });
  });

  it.each([
    ['needs_response', 'won'],
    ['under_review', 'prevented'],
    ['appeal_needs_response', 'won'],
    ['appeal_under_review', 'won'],
  ])('pauses a member while a dispute is %s, until it is %s', async (start, end) => {
    provider.disputeStatuses = [start];
    await settlement.settleDispute(DISPUTE, undefined);
    expect(await isFrozen()).toBe(true);
    provider.disputeStatuses = [end];
    await settlement.settleDispute(DISPUTE, undefined);
    expect(await isFrozen()).toBe(false);
  });

  it('pauses whose dispute is lost before it was heard of', async () => {
    provider.disputeStatuses = ['lost'];
    await settlement.settleDispute(DISPUTE, undefined);
    expect(await isFrozen()).toBe(true);
    expect(await store.findReversal(DISPUTE)).toMatchObject({ state: 'reversed', nova: 125_000n });
  });

  it('is done with a dispute for which no Nova is left to take', async () => {
    provider.refunds = [{ id: 're_1', status: 'succeeded', amount: 100 }];
    provider.disputeStatuses = ['lost'];
    await settlement.settleDispute(DISPUTE, undefined);
    expect(await store.findReversal(DISPUTE)).toMatchObject({ state: 'reversed', nova: 0n });
  });

  it.each(['won', 'lost'])('is done with a dispute of a closed account that is %s', async (end) => {
    await settlement.settle(ID, undefined);
    await execute({ type: 'CloseAccount', userId: ada });
    await execute({ type: 'FinishClosingAccount', userId: ada });
    provider.disputeStatuses = ['needs_response', end];
    await settlement.settleDispute(DISPUTE, undefined);
    expect((await store.findReversal(DISPUTE))?.state).toBe(end === 'lost' ? 'reversed' : undefined);
  });

  it('pauses nobody for an inquiry', async () => {
    provider.disputeStatuses = ['warning_needs_response'];
    await settlement.settleDispute(DISPUTE, undefined);
    expect(await isFrozen()).toBe(false);
  });

  it('looks at a dispute again that changed while it was being applied', async () => {
    provider.disputeStatuses = ['under_review', 'won'];
    await settlement.settleDispute(DISPUTE, undefined);
    expect(await isFrozen()).toBe(false);
  });

  const tell = (event: object) =>
    new HandleStripeEventHandler(payments).execute(
      new HandleStripeEvent({ id: 'evt_1', livemode: false, ...event } as unknown as Stripe.Event, randomUUID()),
    );

  it('leaves an event of the other mode alone', async () => {
    const event = { type: 'payment_intent.succeeded', data: { object: { id: ID } } };
    await tell({ ...event, livemode: true });
    expect(revision()).toBe(-1);
    await tell(event);
    expect(await stateOf()).toBe('credited');
  });

  it.each(['charge.refunded', 'refund.created', 'refund.updated'])('hears of a refund by %s', async (type) => {
    for (const [id, payment_intent] of [
      ['re_1', ID],
      ['re_2', { id: ID }],
    ] as const) {
      provider.refunds.push({ id, status: 'succeeded', amount: 40 });
      await tell({ type, data: { object: { id, payment_intent } } });
      expect(await store.findReversal(id)).toMatchObject({ state: 'reversed' });
    }
    await tell({ type, data: { object: { id: 're_3', payment_intent: null } } });
  });

  it.each(['created', 'updated', 'closed', 'funds_withdrawn', 'funds_reinstated'])(
    'hears of a dispute by charge.dispute.%s',
    async (what) => {
      provider.disputeStatuses = ['needs_response'];
      await tell({ type: `charge.dispute.${what}`, data: { object: { id: DISPUTE } } });
      expect(await isFrozen()).toBe(true);
    },
  );

  describe('by the reconciler', () => {
    const DAYS = 24 * 3_600;
    const sweep = async () => {
      await database.pool.query('update payment set next_check_at = now()');
      await new PaymentReconciler(payments, store).sweep();
    };
    const remember = async (ageSeconds: number) => {
      await store.remember({ paymentIntentId: ID, userId: ada, nova: 125_000n, chargedCents: 100, livemode: false });
      await database.pool.query(`update payment set created_at = now() - make_interval(secs => $1)`, [ageSeconds]);
    };

    it.each([
      ['requires_payment_method', 2 * DAYS, 'open'],
      ['requires_payment_method', 4 * DAYS, 'abandoned'],
      ['canceled', 60, 'abandoned'],
      ['processing', 4 * DAYS, 'open'],
      ['processing', 40 * DAYS, 'open'],
    ] as const)('an intent that is %s after %d seconds is %s', async (status, ageSeconds, state) => {
      provider.intent.status = status;
      await remember(ageSeconds);
      await sweep();
      expect(await stateOf()).toBe(state);
    });

    it('asks less and less often', async () => {
      provider.intent.status = 'requires_payment_method';
      await remember(DAYS);
      await sweep();
      const { rows } = await database.pool.query<{ hours: number }>(
        'select extract(epoch from next_check_at - now())::float8 / 3600 as hours from payment',
      );
      expect(rows[0]?.hours).toBeGreaterThan(23);
    });

    it('asks no more about a payment that is not the one that was asked for', async () => {
      provider.intent.metadata = {};
      await remember(60);
      await sweep();
      expect(await stateOf()).toBe('unusable');
    });

    it('settles the others where one cannot be', async () => {
      await remember(60);
      const other = { paymentIntentId: 'pi_0', userId: ada, nova: 1n, chargedCents: 1, livemode: false };
      await store.remember(other);
      await store.remember({ ...other, paymentIntentId: 'pi_2' });
      const settle = settlement.settle.bind(settlement);
      jest
        .spyOn(settlement, 'settle')
        .mockImplementation((id) => (id === ID ? settle(id, undefined) : Promise.reject(new Error('no answer'))));
      await sweep();
      expect(await stateOf()).toBe('credited');
    });

    it('finishes a reversal that a crash left half-way', async () => {
      await settlement.settle(ID, undefined);
      provider.refunds = [{ id: 're_1', status: 'succeeded', amount: 100 }];
      await store.planReversals(ID, [{ id: 're_1', cents: 100, reason: 'refund' }]);
      const credited = revision();
      await sweep();
      expect([revision(), await openReversals()]).toEqual([credited + 1, 0]);
    });
  });
});

function gatewayTo(provider: Provider): PaymentGateway {
  const gateway: Partial<PaymentGateway> = {
    findIntent: async () => provider.intent as Stripe.PaymentIntent,
    refundsOf: async () => provider.refunds as Stripe.Refund[],
    findDispute: async (id) => {
      const [status, ...later] = provider.disputeStatuses;
      if (later.length > 0) provider.disputeStatuses = later;
      return { id, status, payment_intent: ID, amount: 100 } as unknown as Stripe.Dispute;
    },
  };
  return gateway as PaymentGateway;
}
