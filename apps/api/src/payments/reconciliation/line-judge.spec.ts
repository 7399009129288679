import type { LedgerEvent } from '@app/domain';
import type Stripe from 'stripe';
import type { Payment, PaymentState } from '../payment-store.js';
import { LineJudge } from './line-judge.js';
import { toProviderLine, type LineKind, type ProviderLine } from './provider-lines.js';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 0, 31, 12);

const stamp = { at: NOW - HOUR_MS, actor: 'stripe', entries: [] };
/** 125,000 Nova for 100 dollars. */
const purchased = {
  ...stamp,
  type: 'NovaPurchased',
  userId: 'ann',
  amount: 12_500_000n,
  paymentIntentId: 'pi_1',
  chargedCents: 10_000,
  livemode: false,
} as const satisfies LedgerEvent;
const reversed = (reason: 'refund' | 'dispute', amount: bigint): LedgerEvent => ({
  ...stamp,
  type: 'PurchaseReversed',
  userId: 'ann',
  amount,
  shortfall: 0n,
  paymentIntentId: 'pi_1',
  reversalId: reason === 'refund' ? 're_1' : 'dp_1',
  reason,
});
const frozen: LedgerEvent = { ...stamp, type: 'SpendingFrozen', userId: 'ann', disputeId: 'dp_1' };

interface Known {
  /** Events by their keys; the purchase is one of them unless overridden. */
  readonly events?: Readonly<Record<string, LedgerEvent | undefined>>;
  /** The provider's payment `pi_1`; undefined if it knows none. */
  readonly intent?: Partial<Stripe.PaymentIntent> | undefined;
  /** The settlement's state of the payment. */
  readonly payment?: PaymentState;
  readonly dispute?: Stripe.Dispute.Status;
  /** The provider's current status of the refund `re_1`. */
  readonly refund?: string;
  /** Nova that the settlement reverses for it, in minor units. */
  readonly planned?: bigint;
  /** Whether the ledger would lift the pause for the dispute. */
  readonly isFrozen?: boolean;
  /** Whether the member's account is closed. */
  readonly isClosed?: boolean;
}

function judge(given: Known): LineJudge {
  const { events = {}, payment, dispute, refund, planned, isFrozen = false, isClosed = false } = given;
  const intent = 'intent' in given ? given.intent : { id: 'pi_1' };
  const known: Readonly<Record<string, LedgerEvent | undefined>> = { 'stripe:pi_1': purchased, ...events };
  return new LineJudge({
    gateway: {
      findIntent: () => Promise.resolve(intent as Stripe.PaymentIntent | undefined),
      refundsOf: () => Promise.resolve(refund === undefined ? [] : [{ id: 're_1', status: refund } as Stripe.Refund]),
      findDispute: (id) => Promise.resolve(dispute && ({ id, status: dispute } as Stripe.Dispute)),
    },
    payments: {
      find: () => Promise.resolve(payment && ({ state: payment, userId: 'ann' } as Payment)),
      findReversal: () =>
        Promise.resolve(
          planned === undefined
            ? undefined
            : { reversalId: 're_1', paymentIntentId: 'pi_1', reason: 'refund', nova: planned, state: 'reversed' },
        ),
    },
    events: { underKey: (key) => Promise.resolve(known[key] && { id: `event of ${key}`, event: known[key] }) },
    ledger: {
      execute: () =>
        Promise.resolve(
          isFrozen
            ? { status: 'accepted', events: [], revision: 9, repeated: false }
            : {
                status: 'refused',
                rejection: { code: isClosed ? 'ACCOUNT_CLOSED' : 'NOT_FROZEN', message: '' },
                revision: 9,
              },
        ),
    },
    now: () => NOW,
  });
}

const line = (kind: LineKind, cents: number, ageMs = 2 * HOUR_MS): ProviderLine => ({
  subject: 'txn_1',
  kind,
  providerId: kind.startsWith('refund') ? 're_1' : 'dp_1',
  paymentIntentId: 'pi_1',
  cents,
  feeCents: 0,
  at: new Date(NOW - ageMs),
});

describe('what is said of payments that the ledger does not have', () => {
  const of = (known: Known, ageMs?: number) =>
    judge({ events: { 'stripe:pi_1': undefined }, ...known }).ofProvider(line('payment', 10_000, ageMs));

  it.each([
    ['returned', 'explained', 'RETURNED'],
    ['unusable', 'flagged', 'AMOUNT_DIFFERS'],
    ['open', 'flagged', 'NOT_CREDITED'],
  ] as const)('depends on what became of one that is %s', async (payment, status, code) => {
    expect(await of({ payment })).toMatchObject({ status, code });
  });

  it('is that it may be on its way for an hour, and that others are not ours', async () => {
    const intent = { metadata: { userId: 'ann' } };
    expect(await of({ intent }, HOUR_MS / 2)).toMatchObject({ status: 'explained', code: 'IN_TRANSIT' });
    expect(await of({ intent })).toMatchObject({ status: 'flagged', code: 'NOT_CREDITED' });
    expect(await of({ intent: { metadata: {} } }, HOUR_MS / 2)).toMatchObject({ status: 'flagged', code: 'NOT_OURS' });
  });
});

describe('what is said of payments that the ledger has', () => {
  const of = (known: Known, cents = 10_000) => judge(known).ofProvider(line('payment', cents));
  const found = { eventId: 'event of stripe:pi_1' };

  it('compares the cents, the Nova that they are for, and who got them', async () => {
    expect(await of({})).toMatchObject({ status: 'matched', code: null, ...found });
    expect(await of({ payment: 'credited' })).toMatchObject({ status: 'matched', ...found });
    expect(await of({}, 9_999)).toMatchObject({ code: 'AMOUNT_DIFFERS', ...found });
    const more = { 'stripe:pi_1': { ...purchased, amount: 12_500_001n } };
    expect(await of({ events: more })).toMatchObject({ status: 'flagged', code: 'AMOUNT_DIFFERS', ...found });
    const another = { 'stripe:pi_1': { ...purchased, userId: 'eve' } };
    expect(await of({ events: another, payment: 'credited' })).toMatchObject({ code: 'OTHER_MEMBER', ...found });
  });
});

describe('what is said of events whose movement was not looked at', () => {
  const id = 'event of stripe:pi_1';
  const of = (event: LedgerEvent, known: Known, eventId = id) =>
    judge(known).ofLedger({ id: eventId, revision: 4, event } as Parameters<LineJudge['ofLedger']>[0]);
  const explanation = { status: 'explained', code: 'OTHER_DAY', eventId: id };
  const difference = { status: 'flagged', code: 'NOT_AT_PROVIDER', eventId: id };
  const paid = { status: 'succeeded', amount_received: 10_000 } as const;

  it.each([
    ['so', paid, explanation],
    ['less', { ...paid, amount_received: 9_999 }, difference],
    ['not yet', { ...paid, status: 'processing' }, difference],
    ['nothing', undefined, difference],
  ] as const)('of a purchase where the provider was paid %s', async (_, intent, verdict) => {
    expect(await of(purchased, { intent })).toMatchObject(verdict);
  });

  it.each([
    ['succeeded', explanation],
    ['failed', difference],
    [undefined, difference],
  ])('of a refund that is %s there', async (refund, verdict) => {
    expect(await of(reversed('refund', 12_500_000n), { ...(refund && { refund }) })).toMatchObject(verdict);
  });

  it.each([
    ['lost', explanation],
    ['won', difference],
    [undefined, difference],
  ] as const)('of a dispute that is %s there', async (dispute, verdict) => {
    expect(await of(reversed('dispute', 12_500_000n), { ...(dispute && { dispute }) })).toMatchObject(verdict);
  });

  it('of a second one for a movement that has an event of its own: it is no other day’s', async () => {
    const repeated = { status: 'flagged', code: 'REPEATED', eventId: 'e2' };
    expect(await of(purchased, { intent: paid }, 'e2')).toMatchObject(repeated);
    const [refund, dispute] = [reversed('refund', 12_500_000n), reversed('dispute', 12_500_000n)];
    const events = { 'stripe:refund:re_1': refund, 'stripe:dispute:dp_1:lost': dispute };
    expect(await of(refund, { events, refund: 'succeeded' }, 'e2')).toMatchObject(repeated);
    expect(await of(dispute, { events, dispute: 'lost' }, 'e2')).toMatchObject(repeated);
  });

  it('of a purchase that brought more Nova than its charge is for', async () => {
    const richer = { ...purchased, amount: 125_000_000n };
    expect(await of(richer, { intent: paid, events: { 'stripe:pi_1': richer } })).toMatchObject(difference);
  });

  it('of demo data, for which nobody paid', async () => {
    const demo = { ...purchased, cause: 'demo' };
    expect(await of(demo, { intent: undefined })).toMatchObject({ status: 'explained', code: 'DEMO' });
  });
});

describe('what is said of refunds and disputes', () => {
  it.each([
    ['a whole refund', 'refund', -10_000, 12_500_000n, 'matched', null],
    ['a part', 'refund', -2_500, 3_125_000n, 'matched', null],
    ['more than went back', 'refund', -2_500, 3_250_000n, 'flagged', 'AMOUNT_DIFFERS'],
    ['less than went back', 'refund', -2_500, 1n, 'flagged', 'AMOUNT_DIFFERS'],
    ['a lost dispute', 'dispute', -10_000, 12_500_000n, 'matched', null],
    ['a part of a lost dispute', 'dispute', -10_000, 5_000_000n, 'flagged', 'AMOUNT_DIFFERS'],
  ] as const)('compares the amount: %s', async (_, kind, cents, amount, status, code) => {
    const key = kind === 'refund' ? 'stripe:refund:re_1' : 'stripe:dispute:dp_1:lost';
    const found = judge({ events: { [key]: reversed(kind, amount) }, dispute: 'lost' });
    expect(await found.ofProvider(line(kind, cents))).toMatchObject({ status, code, eventId: `event of ${key}` });
  });

  it.each([
    [1_166n, 'matched'],
    [1_167n, 'matched'],
    [1_168n, 'flagged'],
  ] as const)('lets a part be rounded, so that all parts are the whole: %s', async (amount, status) => {
    const events = {
      'stripe:pi_1': { ...purchased, amount: 7_000n, chargedCents: 6 },
      'stripe:refund:re_1': reversed('refund', amount),
    };
    expect(await judge({ events }).ofProvider(line('refund', -1))).toMatchObject({ status });
  });

  const OPENED = 'stripe:dispute:dp_1:opened';
  const LOST = 'stripe:dispute:dp_1:lost';

  it('explains a refund of what was given back because the account was closed', async () => {
    const returned = judge({ payment: 'returned', refund: 'succeeded' });
    expect(await returned.ofProvider(line('refund', -10_000))).toMatchObject({ status: 'explained', code: 'RETURNED' });
  });

  it('flags a refund that failed of what was to be given back because the account was closed', async () => {
    const owed = judge({ payment: 'returned', refund: 'failed' });
    expect(await owed.ofProvider(line('refund-failed', 10_000))).toMatchObject({
      status: 'flagged',
      code: 'NOT_RETURNED',
    });
    const givenBack = judge({ payment: 'returned', refund: 'succeeded' });
    expect(await givenBack.ofProvider(line('refund-failed', 10_000))).toMatchObject({ code: 'REFUND_FAILED' });
  });

  it('flags a dispute that was won of a payment for a closed account, until it is refunded', async () => {
    const owed = judge({ payment: 'returned', dispute: 'won', isClosed: true });
    expect(await owed.ofProvider(line('dispute-won', 10_000, HOUR_MS / 2))).toMatchObject({ code: 'IN_TRANSIT' });
    expect(await owed.ofProvider(line('dispute-won', 10_000))).toMatchObject({
      status: 'flagged',
      code: 'NOT_RETURNED',
    });
    const givenBack = judge({ payment: 'returned', dispute: 'won', refund: 'succeeded', isClosed: true });
    expect(await givenBack.ofProvider(line('dispute-won', 10_000))).toMatchObject({ code: 'DISPUTE_WON' });
  });

  it('flags a dispute whose member spends on, once the news had time to come', async () => {
    const open = judge({ dispute: 'needs_response' });
    expect(await open.ofProvider(line('dispute', -10_000, HOUR_MS / 2))).toMatchObject({ code: 'IN_TRANSIT' });
    expect(await open.ofProvider(line('dispute', -10_000))).toMatchObject({ status: 'flagged', code: 'NOT_FROZEN' });
  });

  it.each(['credited', 'returned'] as const)(
    'explains a dispute of a payment, %s, of a closed account',
    async (payment) => {
      const closed = judge({ dispute: 'needs_response', payment, isClosed: true });
      expect(await closed.ofProvider(line('dispute', -10_000))).toMatchObject({
        status: 'explained',
        code: 'DISPUTE_OPEN',
      });
      const open = judge({ dispute: 'needs_response', payment });
      expect(await open.ofProvider(line('dispute', -10_000))).toMatchObject({ status: 'flagged', code: 'NOT_FROZEN' });
    },
  );

  it('explains a dispute that was won and whose pause is over', async () => {
    const won = judge({ events: { [OPENED]: frozen }, dispute: 'won' });
    expect(await won.ofProvider(line('dispute', -10_000))).toMatchObject({ status: 'explained', code: 'DISPUTE_WON' });
    expect(await won.ofProvider(line('dispute-won', 10_000))).toMatchObject({
      status: 'explained',
      code: 'DISPUTE_WON',
    });
  });

  it('flags a dispute that was won while the member stays paused, once the news had time to come', async () => {
    const won = judge({ events: { [OPENED]: frozen }, dispute: 'won', isFrozen: true });
    expect(await won.ofProvider(line('dispute-won', 10_000, HOUR_MS / 2))).toMatchObject({
      status: 'explained',
      code: 'IN_TRANSIT',
    });
    expect(await won.ofProvider(line('dispute-won', 10_000))).toMatchObject({
      status: 'flagged',
      code: 'NOT_UNFROZEN',
      eventId: `event of ${OPENED}`,
    });
  });

  it('flags what was given back after the ledger took the Nova back, and only that', async () => {
    const events = { [OPENED]: frozen, [LOST]: reversed('dispute', 12_500_000n) };
    const appealed = judge({ events, dispute: 'won' });
    expect(await appealed.ofProvider(line('dispute', -10_000))).toMatchObject({ status: 'matched' });
    expect(await appealed.ofProvider(line('dispute-won', 10_000))).toMatchObject({
      status: 'flagged',
      code: 'NOT_GIVEN_BACK',
      eventId: `event of ${LOST}`,
    });
  });

  it('matches what was given back by both sides', async () => {
    const reinstated = { type: 'PurchaseReinstated' } as LedgerEvent;
    const key = 'stripe:refund:re_1';
    const events = { [key]: reversed('refund', 3_125_000n), 'reinstatement:re_1': reinstated };
    expect(await judge({ refund: 'failed', events }).ofProvider(line('refund-failed', 2_500))).toMatchObject({
      status: 'matched',
      eventId: 'event of reinstatement:re_1',
    });
  });

  it('flags money that went back a second time, for which no Nova was left to take', async () => {
    const twice = judge({ refund: 'succeeded', planned: 0n });
    expect(await twice.ofProvider(line('refund', -10_000))).toMatchObject({
      status: 'flagged',
      code: 'AMOUNT_DIFFERS',
    });
  });

  it('explains a refund that failed, unless the ledger took the Nova back for it', async () => {
    const explanation = { status: 'explained', code: 'REFUND_FAILED' };
    for (const refund of ['failed', 'canceled']) {
      const failed = judge({ refund });
      expect(await failed.ofProvider(line('refund', -2_500))).toMatchObject(explanation);
      expect(await failed.ofProvider(line('refund-failed', 2_500))).toMatchObject(explanation);
    }
    const key = 'stripe:refund:re_1';
    const late = judge({ refund: 'failed', events: { [key]: reversed('refund', 3_125_000n) } });
    expect(await late.ofProvider(line('refund', -2_500))).toMatchObject({ status: 'matched' });
    expect(await late.ofProvider(line('refund-failed', 2_500))).toMatchObject({
      status: 'flagged',
      code: 'NOT_GIVEN_BACK',
      eventId: `event of ${key}`,
    });
    expect(await judge({ refund: 'succeeded' }).ofProvider(line('refund', -2_500))).toMatchObject({
      status: 'flagged',
      code: 'NOT_REVERSED',
    });
  });
});

describe('a movement at the provider', () => {
  const movement = (more: object) =>
    toProviderLine({
      id: 'txn_1',
      amount: 2_500,
      fee: 3,
      currency: 'usd',
      created: NOW / 1_000,
      reporting_category: 'refund_failure',
      source: { id: 're_1', payment_intent: 'pi_1' },
      ...more,
    } as Stripe.BalanceTransaction);

  it('is known by its kind, and what is behind it', () => {
    expect(movement({})).toEqual({ ...line('refund-failed', 2_500, 0), feeCents: 3 });
  });

  it.each(['charge', 'payout', 'fee'])('of another currency is none of dollars: %s', async (reporting_category) => {
    const foreign = movement({ reporting_category, currency: 'eur' });
    expect(foreign).toMatchObject({ cents: 0, feeCents: 0, paymentIntentId: 'pi_1' });
    expect(await judge({}).ofProvider(foreign)).toMatchObject({ status: 'flagged', code: 'OTHER_CURRENCY' });
  });
});
