import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { encodeLedgerEvent, LEDGER_STREAM } from '@app/domain';
import { chainHash, eventIdOf, hashOf, journalEventAt, printEnvelope, revisionOfEventId } from '@app/ledger';
import { RECONCILIATION_LOCK } from '../../apps/api/src/payments/reconciliation/reconciliation-runs.js';
import { Reconciling } from '../../apps/api/src/payments/reconciliation/reconciling.js';
import { CONFIG, type Config } from '../../apps/api/src/platform/config.js';
import { inTurn } from '../../apps/api/src/platform/database/sole-owner.js';
import type { Journal } from '../../apps/api/src/platform/journal/journal.js';
import { JOURNAL } from '../../apps/api/src/platform/journal/injected-journal.js';
import type { OpenLedger } from '../../apps/api/src/platform/ledger/open-ledger.js';
import { OPEN_LEDGER } from '../../apps/api/src/platform/ledger/injected-ledger.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { breachesOf } from '../support/breaches.js';
import { eventually } from '../support/eventually.js';
import { meeting } from '../support/meeting.js';
import { awayFromMidnight } from '../support/midnight.js';
import { signInAdmin, stripeForm } from '../support/money.js';

interface Line {
  id: string;
  side: string;
  kind: string;
  status: string;
  code: string | null;
  cents: number;
  feeCents: number;
  eventId: string | null;
  paymentIntentId: string | null;
  explanation: { by: string; reason: string } | null;
}

/** A day on which nothing moved: such a run only checks what earlier ones left open. */
const LONG_AGO = { from: '2026-01-01', to: '2026-01-01' };
const RUN_MS_MAX = 60_000;

interface Look {
  readonly id: string;
  readonly state: string;
}

describe('reconciliation with the payment provider', () => {
  let api: TestApi;
  let admin: TestMember;
  let secrets: Config['secrets'];

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
    ({ secrets } = api.nova.app.get<Config>(CONFIG));
  });
  afterAll(() => api?.close());

  const asStripe = () => ({ authorization: `Bearer ${secrets.sandboxApiKey}` });
  const asProvider = (path: string, fields: Record<string, string> = {}) =>
    stripeForm(api.browser(), path, fields, asStripe());
  const buy = async (member: TestMember, { card = 'pm_card_visa', credit = true } = {}): Promise<string> => {
    const created = await member.browser.post('/api/nova/create-payment-intent', { amount: 125_000 });
    const { paymentIntentId, clientSecret } = created.body;
    const fields = { payment_method: card, client_secret: clientSecret };
    await stripeForm(member.browser, `payment_intents/${paymentIntentId}/confirm`, fields);
    if (credit) await member.browser.post('/api/nova/confirm-purchase', { paymentIntentId });
    return paymentIntentId;
  };
  const disputeOf = async (paymentIntent: string): Promise<string> =>
    (await api.browser().get(`/sandbox/stripe/v1/disputes?payment_intent=${paymentIntent}`, asStripe())).body.data[0]
      .id;
  const win = async (paymentIntent: string) =>
    asProvider(`disputes/${await disputeOf(paymentIntent)}`, { 'evidence[uncategorized_text]': 'winning_evidence' });
  const allDelivered = () =>
    eventually(
      async () => (await api.database.pool.query('select from sandbox.event where delivered_at is null')).rowCount,
      (left) => left === 0,
    );
  const run = async (range: object = {}) => {
    const answer = await admin.browser.post('/api/admin/reconciliation/runs', range);
    expect(answer.status).toBe(201);
    // A longer run continues after its answer.
    const found = await eventually(
      async () => (await runsSoFar()).find(({ id }) => id === answer.body.id),
      (looked) => looked?.state !== 'running',
      RUN_MS_MAX,
    );
    expect(found?.state).toBe('done');
    return found!;
  };
  const runsSoFar = async (): Promise<(Record<'grossCents' | 'feeCents' | 'netCents', number> & Look)[]> =>
    (await admin.browser.get('/api/admin/reconciliation/runs?limit=100')).body.runs;
  const lines = async (status = 'all'): Promise<Line[]> =>
    (await admin.browser.get(`/api/admin/reconciliation/lines?status=${status}&limit=100`)).body.lines;
  const linesOf = async (paymentIntentId: string) =>
    (await lines())
      .filter((line) => line.paymentIntentId === paymentIntentId)
      .map(({ kind, status, code, cents }) => [kind, status, code, cents])
      .toSorted(([a], [b]) => String(a).localeCompare(String(b)));
  const sandbox = (sql: string, values: unknown[]) => api.database.pool.query(sql, values);
  /** No webhooks are sent from now on: the server learns only by asking. */
  const loseWebhooks = () =>
    api.database.pool.query(`
      create function sandbox.put_off() returns trigger language plpgsql as
        $$ begin new.next_attempt_at := now() + interval '1 day'; return new; end $$;
      create trigger put_off before insert on sandbox.event for each row execute function sandbox.put_off()`);
  /** With a checkpoint of a newer version, this server no longer feeds the index of keys. */
  const feedKeys = (isFed: boolean) =>
    api.database.pool.query(
      `update read.checkpoint set version = version + $1, owner = null, epoch = epoch + 1, lease_until = '-infinity'
       where name = 'key_index'`,
      [isFed ? -1 : 1],
    );
  const buyWhileKeysStandStill = async (): Promise<string> => {
    await feedKeys(false);
    return buy(await api.member());
  };
  const events = async (subject: string): Promise<string[]> =>
    (
      await api.database.pool.query<{ type: string }>(
        `select e.type from journal.events e join journal.streams s on s.id = e.stream where s.name = $1 order by e.revision`,
        [`reconciliation-${subject}`],
      )
    ).rows.map(({ type }) => type);

  it('matches payments and refunds with their events, and explains disputes and fees', async () => {
    const ada = await api.member();
    const paid = await buy(ada);
    const refunded = await buy(ada);
    await asProvider('refunds', { payment_intent: refunded, amount: '2500' });
    const [open, lost, won] = [
      await buy(ada, { card: 'pm_card_createDispute' }),
      await buy(ada, { card: 'pm_card_createDispute' }),
      await buy(ada, { card: 'pm_card_createDispute' }),
    ];
    await asProvider(`disputes/${await disputeOf(lost)}/close`);
    await win(won);
    await allDelivered();
    const summary = await run();
    expect(summary).toMatchObject({ by: 'Rhea', flagged: 0, feeCents: 5 * 320 + 3 * 1_500 });
    expect(summary.grossCents).toBe(5 * 10_000 - 2_500 - 3 * 10_000 + 10_000);
    expect(summary.netCents).toBe(summary.grossCents - summary.feeCents);
    expect(await linesOf(paid)).toEqual([['payment', 'matched', null, 10_000]]);
    expect(await linesOf(refunded)).toEqual([
      ['payment', 'matched', null, 10_000],
      ['refund', 'matched', null, -2_500],
    ]);
    expect(await linesOf(open)).toEqual([
      ['dispute', 'explained', 'DISPUTE_OPEN', -10_000],
      ['payment', 'matched', null, 10_000],
    ]);
    expect(await linesOf(lost)).toContainEqual(['dispute', 'matched', null, -10_000]);
    expect(await linesOf(won)).toEqual([
      ['dispute', 'explained', 'DISPUTE_WON', -10_000],
      ['dispute-won', 'explained', 'DISPUTE_WON', 10_000],
      ['payment', 'matched', null, 10_000],
    ]);
    const [payment] = (await lines('matched')).filter(({ paymentIntentId }) => paymentIntentId === paid);
    const event = await admin.browser.get(`/api/admin/events/${payment?.eventId}`);
    expect(event.body).toMatchObject({ type: 'NovaPurchased', cause: paid });
    await asProvider(`disputes/${await disputeOf(open)}/close`);
    await allDelivered();
    expect(await run(LONG_AGO)).toMatchObject({ grossCents: 0 });
    expect(await linesOf(open)).toContainEqual(['dispute', 'matched', null, -10_000]);
  });

  it('keeps a difference flagged, look after look, that only the ledger knows', async () => {
    const vanished = await buy(await api.member());
    await asProvider('refunds', { payment_intent: vanished, amount: '2500' });
    await allDelivered();
    await sandbox('delete from sandbox.object where payment_intent = $1', [vanished]);
    for (const range of [{}, {}, LONG_AGO]) {
      await run(range);
      expect((await linesOf(vanished)).map(([kind, status, code]) => [kind, status, code])).toEqual([
        ['payment', 'flagged', 'NOT_AT_PROVIDER'],
        ['refund', 'flagged', 'NOT_AT_PROVIDER'],
      ]);
    }
  });

  it('looks again at all that earlier looks left open, however much that is', async () => {
    await sandbox(
      `insert into reconciliation_line (subject, side, kind, cents, fee_cents, happened_at, status, code, run_id)
       select 'txn_open_' || n, 'provider', 'fee', -1, 0, '2026-01-02', 'flagged', 'UNKNOWN_KIND', gen_random_uuid()
       from generate_series(1, 450) n`,
      [],
    );
    await run(LONG_AGO);
    const left = await api.database.pool.query(
      `select from reconciliation_line where subject like 'txn_open_%' and code <> 'FEE'`,
    );
    expect(left.rowCount).toBe(0);
    await sandbox(`delete from reconciliation_line where subject like 'txn_open_%'`, []);
  });

  it('flags what one side has and the other has not, says so in events, and settles what is mended', async () => {
    const [bob, paused] = [await api.member(), await api.member()];
    const won = await buy(paused, { card: 'pm_card_createDispute' });
    await allDelivered();
    await loseWebhooks();
    await win(won);
    const missing = await buy(bob, { credit: false });
    await sandbox(`update payment set next_check_at = now() + interval '1 day' where payment_intent_id = $1`, [
      missing,
    ]);
    const forged = await buy(bob);
    await sandbox(
      `update sandbox.object set body = jsonb_set(body, '{amount}', '9999') where kind = 'balance_transaction' and payment_intent = $1`,
      [forged],
    );
    const vanished = await buy(bob);
    await sandbox('delete from sandbox.object where payment_intent = $1', [vanished]);
    const foreign = (await asProvider('payment_intents', { amount: '700', currency: 'usd' })).body.id;
    await asProvider(`payment_intents/${foreign}/confirm`, { payment_method: 'pm_card_visa' });
    await run();
    expect(await linesOf(missing)).toEqual([['payment', 'explained', 'IN_TRANSIT', 10_000]]);
    expect(await linesOf(forged)).toEqual([['payment', 'flagged', 'AMOUNT_DIFFERS', 9_999]]);
    expect(await linesOf(vanished)).toEqual([['payment', 'flagged', 'NOT_AT_PROVIDER', 10_000]]);
    expect(await linesOf(foreign)).toEqual([['payment', 'flagged', 'NOT_OURS', 700]]);

    expect(await linesOf(won)).toContainEqual(['dispute-won', 'explained', 'IN_TRANSIT', 10_000]);

    // Two hours later it no longer counts as in transit.
    await sandbox(
      `update reconciliation_line set happened_at = happened_at - interval '2 hours' where payment_intent_id = any($1)`,
      [[missing, won]],
    );
    await run(LONG_AGO);
    expect(await linesOf(missing)).toEqual([['payment', 'flagged', 'NOT_CREDITED', 10_000]]);
    expect(await linesOf(won)).toContainEqual(['dispute-won', 'flagged', 'NOT_UNFROZEN', 10_000]);
    expect((await admin.browser.post(`/api/admin/users/${paused.id}/lift-freeze`)).status).toBe(201);
    await run(LONG_AGO);
    expect(await linesOf(won)).toContainEqual(['dispute-won', 'explained', 'DISPUTE_WON', 10_000]);
    const flagged = (await lines('flagged')).find(({ paymentIntentId }) => paymentIntentId === missing);
    expect(await events(flagged?.id ?? '')).toEqual(['DifferenceFlagged']);
    await bob.browser.post('/api/nova/confirm-purchase', { paymentIntentId: missing });
    await eventually(
      async () => {
        await run(LONG_AGO);
        return (await linesOf(missing))[0]?.[1];
      },
      (status) => status === 'matched',
    );
    expect(await events(flagged?.id ?? '')).toEqual(['DifferenceFlagged', 'DifferenceSettled']);
  });

  it('takes an admin’s explanation, with a reason that the audit shows, and keeps it', async () => {
    const line = (await lines('flagged')).find(({ code }) => code === 'NOT_OURS');
    const path = `/api/admin/reconciliation/lines/${line?.id}/explain`;
    expect((await admin.browser.post(path, { reason: '  ' })).status).toBe(400);
    const answer = await admin.browser.post(path, { reason: 'Sold at the fair <b>by hand</b>' });
    expect(answer.body).toMatchObject({
      status: 'explained',
      code: 'BY_ADMIN',
      explanation: { by: 'Rhea', reason: 'Sold at the fair <b>by hand</b>' },
    });
    expect((await admin.browser.post(path, { reason: 'Again' })).body.code).toBe('NOT_FLAGGED');
    await run();
    expect((await lines('explained')).find(({ id }) => id === line?.id)?.code).toBe('BY_ADMIN');
    const audit = (await admin.browser.get('/api/admin/audit?action=DifferenceExplained')).body.entries;
    expect(audit[0]).toMatchObject({ targetId: line?.id, reason: 'Sold at the fair <b>by hand</b>' });
  });

  it('takes a difference that comes back for a new one, and another difference than the explained one too', async () => {
    const line = (await lines('flagged')).find(({ code }) => code === 'AMOUNT_DIFFERS');
    const id = line?.id ?? '';
    const explain = () => admin.browser.post(`/api/admin/reconciliation/lines/${id}/explain`, { reason: 'Rounded' });
    const becomes = (change: object) =>
      sandbox('update sandbox.object set body = body || $2 where id = $1', [id, change]);
    const found = async () => {
      await run();
      const [now] = (await lines()).filter((each) => each.id === id);
      return [now?.code, now?.explanation === null];
    };
    expect((await explain()).status).toBe(200);
    expect(await found()).toEqual(['BY_ADMIN', false]);
    await becomes({ amount: 10_000 });
    expect(await found()).toEqual([null, true]);
    await becomes({ amount: 9_999 });
    expect(await found()).toEqual(['AMOUNT_DIFFERS', true]);
    expect(await events(id)).toEqual(['DifferenceFlagged', 'DifferenceSettled', 'DifferenceFlagged']);

    expect((await explain()).status).toBe(200);
    await becomes({ reporting_category: 'odd' });
    expect(await found()).toEqual(['UNKNOWN_KIND', true]);
    expect((await events(id)).slice(3)).toEqual(['DifferenceSettled', 'DifferenceFlagged']);
  });

  it('tells Prometheus how many nobody explained', async () => {
    const { total } = (await admin.browser.get('/api/admin/reconciliation/lines?status=flagged')).body.pagination;
    expect(total).toBeGreaterThan(0);
    expect((await api.browser().get('/metrics')).body).toContain(`\nnova_reconciliation_flagged ${total}\n`);
  });

  it('takes one explanation of two that are given at once', async () => {
    const line = (await lines('flagged')).find(({ code }) => code === 'NOT_AT_PROVIDER');
    const { lines: kept } = api.nova.app.get(Reconciling);
    const [find, both] = [kept.find.bind(kept), meeting(2)];
    const looks = jest.spyOn(kept, 'find').mockImplementation(async (subject) => {
      const found = await find(subject);
      await both();
      return found;
    });
    const explain = (reason: string) =>
      admin.browser.post(`/api/admin/reconciliation/lines/${line?.id}/explain`, { reason });
    const answers = await Promise.all([explain('Mine'), explain('Yours')]);
    looks.mockRestore();
    expect(answers.map(({ status, body }) => `${status} ${body.code}`).toSorted()).toEqual([
      '200 BY_ADMIN',
      '409 NOT_FLAGGED',
    ]);
    const taken = answers.find(({ status }) => status === 200)?.body.explanation.reason;
    const { entries } = (await admin.browser.get('/api/admin/audit?action=DifferenceExplained')).body;
    const ofLine = entries.filter(({ targetId }: { targetId: string }) => targetId === line?.id);
    expect(ofLine.map((entry: { reason: string }) => entry.reason)).toEqual([taken]);
    const { rowCount } = await api.database.pool.query(`select from admin_reason where reason in ('Mine', 'Yours')`);
    expect(rowCount).toBe(1);
  });

  it('runs once a day by itself, whichever server does it', async () => {
    await awayFromMidnight();
    const reconciling = api.nova.app.get(Reconciling);
    await Promise.allSettled([reconciling.lookAtYesterday(), reconciling.lookAtYesterday()]);
    await reconciling.lookAtYesterday();
    // On a slow machine the server's own run has begun in the meantime.
    const daily = await eventually(
      async () =>
        (await admin.browser.get('/api/admin/reconciliation/runs?limit=100')).body.runs.filter(
          ({ by }: { by: string | null }) => by === null,
        ),
      ([last]) => last?.state !== 'running',
    );
    expect(daily).toHaveLength(1);
    expect(daily[0]).toMatchObject({ state: 'done', until: expect.stringMatching(/T00:00:00.000Z$/) });
  });

  it('runs anew where the server that was at it is gone, and not beside one that is at it', async () => {
    const reconciling = api.nova.app.get(Reconciling);
    const states = async (): Promise<string[]> =>
      (await admin.browser.get('/api/admin/reconciliation/runs?limit=100')).body.runs
        .filter(({ by }: { by: string | null }) => by === null)
        .map(({ state }: { state: string }) => state);
    // As the last of all: on a slow machine the server's own came before those of other tests.
    await sandbox(`update reconciliation_run set finished_at = null, started_at = now() where actor = 'process'`, []);
    await inTurn(api.database.pool, RECONCILIATION_LOCK, async () => {
      await reconciling.lookAtYesterday();
      expect(await states()).toEqual(['running']);
    });
    expect(await states()).toEqual(['failed']);
    await reconciling.lookAtYesterday();
    expect(await states()).toEqual(['done', 'failed']);
  });

  it('is tried again an hour after it failed', async () => {
    const reconciling = api.nova.app.get(Reconciling);
    const failed = async (minutesAgo: number): Promise<number> => {
      await sandbox(
        `update reconciliation_run set error = 'no answer', started_at = now() - make_interval(mins => $1)
         where actor = 'process'`,
        [minutesAgo],
      );
      await reconciling.lookAtYesterday();
      const later = `select from reconciliation_run where actor = 'process' and error is null`;
      return (await api.database.pool.query(later)).rowCount ?? 0;
    };
    expect([await failed(55), await failed(61)]).toEqual([0, 1]);
  });

  it('leaves no day out after days on which none came to its end', async () => {
    const moved = `until_at = until_at - interval '30 days' where actor = 'process'`;
    await sandbox(`update reconciliation_run set ${moved}`, []);
    await sandbox(
      `insert into reconciliation_run (id, actor, from_at, until_at, started_at, finished_at, error)
       select $1, actor, from_at, until_at + interval '29 days', now() - interval '1 day', now(), 'no answer'
       from reconciliation_run where actor = 'process' limit 1`,
      [randomUUID()],
    );
    await api.nova.app.get(Reconciling).lookAtYesterday();
    const { runs } = (await admin.browser.get('/api/admin/reconciliation/runs?limit=1')).body;
    expect(Date.parse(runs[0].until) - Date.parse(runs[0].from)).toBe(30 * 86_400_000);
  });

  it('tells what the daily job did from what was done in the terminal', async () => {
    await sandbox(
      `insert into reconciliation_run (id, actor, from_at, until_at, finished_at) values ($1, 'terminal', now(), now(), now())`,
      [randomUUID()],
    );
    const { runs } = (await admin.browser.get('/api/admin/reconciliation/runs?limit=100')).body;
    expect(runs[0]).toMatchObject({ actor: 'terminal', by: null });
    expect(new Set(runs.map(({ actor }: { actor: string }) => actor))).toEqual(
      new Set(['terminal', 'process', 'admin']),
    );
  });

  it.each([
    ['that ends before it begins', { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }],
    ['that is too long', { from: '2025-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }],
    ['in the future', { to: '2999-01-01' }],
    ['that is none', { from: 'x' }],
  ])('refuses a range %s', async (_, range) => {
    expect((await admin.browser.post('/api/admin/reconciliation/runs', range)).status).toBe(400);
  });

  it.each([randomUUID(), 'txn_none', '%27%3B--', '%00', 'a%2Fb', 'x'.repeat(150)])('has no line %.20s', async (id) => {
    expect((await admin.browser.post(`/api/admin/reconciliation/lines/${id}/explain`, { reason: 'x' })).status).toBe(
      404,
    );
  });

  it('waits for the read models that it finds events by', async () => {
    const paid = await buyWhileKeysStandStill();
    await Promise.all([run(), pause(500).then(() => feedKeys(true))]);
    expect(await linesOf(paid)).toEqual([['payment', 'matched', null, 10_000]]);
  });

  it('finds what was written a moment ago, where journal time is ahead of the server’s', async () => {
    const { clock } = api.nova.app.get<OpenLedger>(OPEN_LEDGER);
    const now = jest.spyOn(clock, 'now').mockImplementation(() => Date.now() + 900);
    const vanished = await buy(await api.member());
    now.mockRestore();
    await sandbox('delete from sandbox.object where payment_intent = $1', [vanished]);
    await run();
    expect(await linesOf(vanished)).toEqual([['payment', 'flagged', 'NOT_AT_PROVIDER', 10_000]]);
  });

  it('is for admins alone', async () => {
    const member = await api.member();
    expect((await member.browser.get('/api/admin/reconciliation/lines')).body.code).toBe('ADMIN_ONLY');
    expect((await api.browser().get('/sandbox/stripe/v1/balance_transactions')).status).toBe(401);
  });

  it('finds a second event for one payment, whose hash is right, and so does verify', async () => {
    const paid = await buy(await api.member());
    const { store, projections } = api.nova.app.get<Journal>(JOURNAL);
    await run();
    const [matched] = (await lines('matched')).filter(({ paymentIntentId }) => paymentIntentId === paid);
    const first = await journalEventAt(store, revisionOfEventId(matched?.eventId ?? '') ?? -1);
    const last = await store.head(LEDGER_STREAM);
    if (first?.event.type !== 'NovaPurchased' || !last) throw new Error('nothing was bought');
    const { key: _, ...event } = { ...first.event, at: Date.now() + 1_000, nonce: 'of-a-forger' };
    const [revision, data] = [last.revision + 1, encodeLedgerEvent(event)];
    const hash = chainHash(hashOf(last.metadata), revision, event.type, data);
    const forged = { id: eventIdOf(hash, revision), type: event.type, data, metadata: printEnvelope({ hash }) };
    await store.append(LEDGER_STREAM, [forged], last.revision);
    await projections.waitFor(['ledger_entries', 'key_index', 'statements'], revision, 20_000);
    for (const range of [{}, {}, LONG_AGO]) {
      await run(range);
      const found = await linesOf(paid);
      expect(found).toHaveLength(2);
      expect(found).toContainEqual(['payment', 'matched', null, 10_000]);
      expect(found).toContainEqual(['payment', 'flagged', 'REPEATED', 10_000]);
    }
    expect(await breachesOf(api)).toContainEqual(
      `revision ${revision}: NovaPurchased repeats revision ${first.revision}: payment ${paid} took effect twice`,
    );
  });
});
