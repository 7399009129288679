import { eventually } from '../../../../test/support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { whileTableStands } from '../../../../test/support/standing-table.js';
import { PAYMENTS_SCHEMA_SQL } from './migrations.js';
import { PaymentStore } from './payment-store.js';

describe('the rows of payments', () => {
  let database: TestDatabase;
  let store: PaymentStore;
  const purchase = { paymentIntentId: 'pi_1', userId: 'u1', nova: 125_100n, chargedCents: 101, livemode: false };

  beforeAll(async () => {
    database = await createTestDatabase('payments');
    await database.pool.query(PAYMENTS_SCHEMA_SQL);
    store = new PaymentStore(database.pool);
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    await database.pool.query('truncate payment, payment_reversal');
    await store.remember(purchase);
  });

  it('keeps the first row of a payment', async () => {
    await store.remember({ ...purchase, nova: 1n });
    expect(await store.find('pi_1')).toMatchObject({ nova: 125_100n, state: 'open' });
    expect(await store.find('pi_none')).toBeUndefined();
  });

  it('stays credited whatever is learnt later', async () => {
    await store.markCredited('pi_1', { id: 'e1', revision: 7 });
    await store.mark('pi_1', 'abandoned');
    await store.markCredited('pi_1', { id: 'e2', revision: 9 });
    expect(await store.find('pi_1')).toMatchObject({ state: 'credited', eventId: 'e1', eventRevision: 7 });
    expect(await store.hasCredited({ livemode: false })).toBe(true);
    expect(await store.hasCredited({ livemode: true })).toBe(false);
  });

  it('takes exactly the purchase back, however it is cut and however often it is told', async () => {
    const parts = [1, 33, 50, 17].map((cents, index) => ({ id: `re_${index}`, cents, reason: 'refund' as const }));
    // In another order each time, and by several callers at once.
    await Promise.all([
      store.planReversals('pi_1', parts.slice(2)),
      store.planReversals('pi_1', parts.slice(0, 3)),
      store.planReversals('pi_1', parts.toReversed()),
    ]);
    const planned = await store.planReversals('pi_1', parts);
    expect(planned).toHaveLength(4);
    expect(planned.reduce((sum, reversal) => sum + reversal.nova, 0n)).toBe(125_100n);
    await store.finishReversal('re_0', 'e1');
    expect(await store.planReversals('pi_1', parts)).toHaveLength(3);
  });

  it('plans one after the other what is told at the same moment, so that together it is no more than was bought', async () => {
    const plan = (id: string) => store.planReversals('pi_1', [{ id, cents: 101, reason: 'refund' }]);
    const waiting = async () =>
      (
        await database.pool.query(`select from pg_locks where not granted
          and pid in (select pid from pg_stat_activity where datname = current_database())`)
      ).rowCount;
    const planned = await whileTableStands(database.pool, 'payment_reversal', async () => {
      const both = ['re_1', 're_2'].map(plan);
      await eventually(waiting, (count) => count === 2);
      return both;
    });
    await Promise.all(planned);
    const total = await database.pool.query('select sum(nova_minor)::text as total from payment_reversal');
    expect(total.rows).toEqual([{ total: '125100' }]);
  });

  it('never takes more than was bought when a dispute follows a refund', async () => {
    const planned = await store.planReversals('pi_1', [
      { id: 're_1', cents: 60, reason: 'refund' },
      { id: 'dp_1', cents: 101, reason: 'dispute' },
    ]);
    expect(planned.reduce((sum, reversal) => sum + reversal.nova, 0n)).toBe(125_100n);
  });

  it('hands what is due to one asker only', async () => {
    await database.pool.query(`update payment set next_check_at = now() - interval '1 second'`);
    const taken = await Promise.all([store.takeDue(10), store.takeDue(10)]);
    expect(taken.flat().map(({ paymentIntentId }) => paymentIntentId)).toEqual(['pi_1']);
    expect(await store.takeDue(10)).toEqual([]);
  });

  it('passes over what another asker is just taking', async () => {
    await database.pool.query(`update payment set next_check_at = now() - interval '1 second'`);
    const other = await database.pool.connect();
    try {
      await other.query('begin; select from payment for update');
      expect(await store.takeDue(10)).toEqual([]);
    } finally {
      await other.query('rollback');
      other.release();
    }
    expect(await store.takeDue(10)).toHaveLength(1);
  });

  it('asks again about a credited payment with an unfinished reversal', async () => {
    await store.markCredited('pi_1', { id: 'e1', revision: 7 });
    await store.planReversals('pi_1', [{ id: 're_1', cents: 60, reason: 'refund' }]);
    await database.pool.query(`update payment set next_check_at = now() - interval '1 second'`);
    expect(await store.takeDue(10)).toHaveLength(1);
    expect(await store.takeDue(10)).toHaveLength(0);
  });
});
