import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { hasDemoData } from '../identity/account-changes.js';
import { InjectPool } from '../platform/database/database.module.js';
import { inTransaction } from '../platform/database/in-transaction.js';
import { reversedNova } from './pricing.js';

/**
 * `returned`: paid for a closed account and refunded. `unusable`: paid, but not what we asked for; an operator must
 * look.
 */
export type PaymentState = 'open' | 'credited' | 'returned' | 'abandoned' | 'unusable';

export interface Payment {
  readonly paymentIntentId: string;
  readonly userId: string;
  /** Minor units of Nova. */
  readonly nova: bigint;
  readonly chargedCents: number;
  readonly livemode: boolean;
  readonly state: PaymentState;
  readonly eventId: string | null;
  readonly eventRevision: number | null;
}

export interface Reversal {
  readonly reversalId: string;
  readonly paymentIntentId: string;
  readonly reason: 'refund' | 'dispute';
  /**
   * Minor units of Nova. Fixed when the reversal is first seen, so that every repeat asks the ledger for the same
   * amount.
   */
  readonly nova: bigint;
  /** `reinstated`: the member got it back, so it no longer counts as returned. */
  readonly state: 'open' | 'reversed' | 'reinstated';
}

/** If neither a webhook nor the confirm call comes within this time, the reconciler asks the provider. */
const FIRST_CHECK_SECONDS = 60;
const LEASE_SECONDS = 60;

/** The rows of `payment` and `payment_reversal`. */
@Injectable()
export class PaymentStore {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /** Stores the payment; an existing row stays unchanged. */
  async remember(
    payment: Pick<Payment, 'paymentIntentId' | 'userId' | 'nova' | 'chargedCents' | 'livemode'>,
  ): Promise<void> {
    await this.pool.query(
      `insert into payment (payment_intent_id, user_id, nova_minor, charged_cents, livemode, next_check_at)
       values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6)) on conflict do nothing`,
      [
        payment.paymentIntentId,
        payment.userId,
        payment.nova,
        payment.chargedCents,
        payment.livemode,
        FIRST_CHECK_SECONDS,
      ],
    );
  }

  async find(paymentIntentId: string): Promise<Payment | undefined> {
    const { rows } = await this.pool.query<PaymentRow>(`${SELECT_PAYMENT} where payment_intent_id = $1`, [
      paymentIntentId,
    ]);
    return rows[0] && toPayment(rows[0]);
  }

  async markCredited(
    paymentIntentId: string,
    event: { readonly id: string; readonly revision: number },
  ): Promise<void> {
    await this.pool.query(
      `update payment set state = 'credited', event_id = $2, event_revision = $3, credited_at = now()
       where payment_intent_id = $1 and state <> 'credited'`,
      [paymentIntentId, event.id, event.revision],
    );
  }

  async mark(paymentIntentId: string, state: 'returned' | 'abandoned' | 'unusable'): Promise<void> {
    await this.pool.query(`update payment set state = $2 where payment_intent_id = $1 and state <> 'credited'`, [
      paymentIntentId,
      state,
    ]);
  }

  /**
   * Fixes how much each of these reversals takes from the purchase, in the given order, and returns those that are not
   * yet done. Concurrent callers take turns on the payment's row, so that together they never take more than was
   * bought.
   */
  async planReversals(
    paymentIntentId: string,
    returns: readonly { readonly id: string; readonly cents: number; readonly reason: 'refund' | 'dispute' }[],
  ): Promise<readonly Reversal[]> {
    return inTransaction(this.pool, async (client) => {
      const locked = await client.query<PaymentRow>(`${SELECT_PAYMENT} where payment_intent_id = $1 for update`, [
        paymentIntentId,
      ]);
      const payment = locked.rows[0] && toPayment(locked.rows[0]);
      if (!payment) throw new Error(`payment ${paymentIntentId} has no row`);
      const known = await client.query<ReversalRow>('select * from payment_reversal where payment_intent_id = $1', [
        paymentIntentId,
      ]);
      const planned = known.rows.map(toReversal);
      const standing = known.rows.filter(({ state }) => state !== 'reinstated');
      let returnedCents = standing.reduce((sum, row) => sum + row.cents, 0);
      let nova = standing.reduce((sum, row) => sum + BigInt(row.nova_minor), 0n);
      for (const { id, cents, reason } of returns) {
        if (planned.some((reversal) => reversal.reversalId === id)) continue;
        returnedCents += cents;
        const total = reversedNova({ purchased: payment.nova, chargedCents: payment.chargedCents, returnedCents });
        const reversal: Reversal = { reversalId: id, paymentIntentId, reason, nova: total - nova, state: 'open' };
        nova = total;
        await client.query(
          `insert into payment_reversal (reversal_id, payment_intent_id, reason, cents, nova_minor) values ($1, $2, $3, $4, $5)`,
          [id, paymentIntentId, reason, cents, reversal.nova],
        );
        planned.push(reversal);
      }
      // If this process ends before they are done, the reconciler finds them.
      await client.query(
        'update payment set next_check_at = now() + make_interval(secs => $2) where payment_intent_id = $1',
        [paymentIntentId, FIRST_CHECK_SECONDS],
      );
      return planned.filter((reversal) => reversal.state === 'open');
    });
  }

  async findReversal(reversalId: string): Promise<Reversal | undefined> {
    const { rows } = await this.pool.query<ReversalRow>('select * from payment_reversal where reversal_id = $1', [
      reversalId,
    ]);
    return rows[0] && toReversal(rows[0]);
  }

  /** @param eventId null if all of the purchase was reversed before, so that the ledger was not asked */
  async finishReversal(reversalId: string, eventId: string | null): Promise<void> {
    await this.pool.query(`update payment_reversal set state = 'reversed', event_id = $2 where reversal_id = $1`, [
      reversalId,
      eventId,
    ]);
  }

  /** The member got back what this reversal took. */
  async markReinstated(reversalId: string): Promise<void> {
    await this.pool.query(`update payment_reversal set state = 'reinstated' where reversal_id = $1`, [reversalId]);
  }

  /** Payments that are due for a check with the provider; other processes skip them for a while. */
  async takeDue(limit: number): Promise<readonly { readonly paymentIntentId: string; readonly ageSeconds: number }[]> {
    const { rows } = await this.pool.query<{ payment_intent_id: string; age_seconds: number }>(
      `with candidate as (
         select payment_intent_id from payment where state = 'open' and next_check_at <= now()
         union
         select payment_intent_id from payment_reversal r join payment p using (payment_intent_id)
         where r.state = 'open' and p.next_check_at <= now()
         limit $1
       ), due as (
         select p.payment_intent_id from payment p join candidate using (payment_intent_id)
         where p.next_check_at <= now() for update of p skip locked
       )
       update payment p set next_check_at = now() + make_interval(secs => $2)
       from due where p.payment_intent_id = due.payment_intent_id
       returning p.payment_intent_id, extract(epoch from now() - p.created_at)::float8 as age_seconds`,
      [limit, LEASE_SECONDS],
    );
    return rows.map((row) => ({ paymentIntentId: row.payment_intent_id, ageSeconds: row.age_seconds }));
  }

  async checkAgainIn(paymentIntentId: string, seconds: number): Promise<void> {
    await this.pool.query(
      'update payment set next_check_at = now() + make_interval(secs => $2) where payment_intent_id = $1',
      [paymentIntentId, seconds],
    );
  }

  /** Whether a payment was credited in this mode: real money and sandbox money never share a journal. */
  async hasCredited(mode: { readonly livemode: boolean }): Promise<boolean> {
    const { rows } = await this.pool.query<{ found: boolean }>(
      `select exists (select 1 from payment where livemode = $1 and state = 'credited') as found`,
      [mode.livemode],
    );
    return rows[0]?.found ?? false;
  }

  /** Whether demo members bought Nova here: that is not real money either, and it has no payment. */
  hasDemoPurchases(): Promise<boolean> {
    return hasDemoData(this.pool);
  }
}

const SELECT_PAYMENT = 'select * from payment';

interface PaymentRow {
  readonly payment_intent_id: string;
  readonly user_id: string;
  readonly nova_minor: string;
  readonly charged_cents: number;
  readonly livemode: boolean;
  readonly state: PaymentState;
  readonly event_id: string | null;
  readonly event_revision: string | null;
}

interface ReversalRow {
  readonly reversal_id: string;
  readonly payment_intent_id: string;
  readonly reason: 'refund' | 'dispute';
  readonly cents: number;
  readonly nova_minor: string;
  readonly state: Reversal['state'];
}

const toPayment = (row: PaymentRow): Payment => ({
  paymentIntentId: row.payment_intent_id,
  userId: row.user_id,
  nova: BigInt(row.nova_minor),
  chargedCents: row.charged_cents,
  livemode: row.livemode,
  state: row.state,
  eventId: row.event_id,
  eventRevision: row.event_revision === null ? null : Number(row.event_revision),
});

const toReversal = (row: ReversalRow): Reversal => ({
  reversalId: row.reversal_id,
  paymentIntentId: row.payment_intent_id,
  reason: row.reason,
  nova: BigInt(row.nova_minor),
  state: row.state,
});
