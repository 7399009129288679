import { verify } from '../../apps/api/src/finance/verify.js';
import type { Journal } from '../../apps/api/src/platform/journal/journal.js';
import { JOURNAL } from '../../apps/api/src/platform/journal/injected-journal.js';
import { startTestApi, type TestAnswer, type TestApi, type TestMember } from '../support/api.js';
import {
  authorize,
  registerApplication,
  settled,
  type TestApplication,
  type TestToken,
} from '../support/applications.js';
import { eventually } from '../support/eventually.js';
import { awayFromMidnight } from '../support/midnight.js';
import { grantNova, novaBalance, signInAdmin } from '../support/money.js';

const UNKNOWN = '018f0000-0000-7000-8000-000000000000';

const walletPath = ({ clientId }: TestApplication): string => `/api/oauth/application/${clientId}/wallet`;
const move = (app: TestApplication, direction: 'fund' | 'withdraw', amount: unknown, key?: string) =>
  app.developer.browser.post(
    `${walletPath(app)}/${direction}`,
    { amount },
    key === undefined ? undefined : { 'idempotency-key': key },
  );

describe('wallets of applications', () => {
  let api: TestApi;
  let admin: TestMember;
  let dev: TestMember;
  let ada: TestMember;
  let app: TestApplication;
  let token: TestToken;

  beforeAll(async () => {
    await awayFromMidnight();
    ({ api, admin } = await signInAdmin(startTestApi));
    dev = await api.member({ displayName: 'Dev' });
    ada = await api.member({ displayName: 'Ada' });
    for (const { id } of [dev, ada]) await grantNova(admin, id, 5_000);
    app = await registerApplication(dev, 'Chess <Club> קלוב');
    token = await authorize(api, ada, app);
  });
  afterAll(async () => {
    try {
      const { store } = api.nova.app.get<Journal>(JOURNAL);
      const { pool, url: connectionString } = api.database;
      const found: string[] = [];
      for await (const { breaches } of verify({ store, pool, connectionString })) found.push(...breaches);
      expect(found).toEqual([]);
    } finally {
      await api?.close();
    }
  });

  const wallet = async (of: TestApplication) => {
    await settled(api);
    return (await of.developer.browser.get(walletPath(of))).body;
  };

  async function refused(run: () => Promise<TestAnswer>, status: number, code: string): Promise<void> {
    const standing = async () => [await novaBalance(dev), await wallet(app)];
    const before = await standing();
    const answer = await run();
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await standing()).toEqual(before);
  }

  it('are empty at first, filled and emptied by the developer', async () => {
    const totals = { spent: 0, paid: 0, funded: 0, withdrawn: 0 };
    expect(await wallet(app)).toEqual({ balance: 0, purchased: 0, earned: 0, totals, livemode: true });
    const filled = await move(app, 'fund', 100.5);
    expect(filled.status).toBe(201);
    expect(filled.body).toEqual({
      message: 'Put 100.50 Nova into the wallet of Chess <Club> קלוב.',
      balance: 100.5,
      novaBalance: 4_899.5,
      transactionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      projected: expect.any(Boolean),
      livemode: true,
    });
    const emptied = await move(app, 'withdraw', 40);
    expect(emptied.body).toMatchObject({ balance: 60.5, novaBalance: 4_939.5 });
    expect(await wallet(app)).toEqual({
      balance: 60.5,
      purchased: 0,
      earned: 60.5,
      totals: { ...totals, funded: 100.5, withdrawn: 40 },
      livemode: true,
    });
  });

  it('take a key once, and refuse it with another amount or for another application', async () => {
    const key = '018f0000-0000-7000-8000-0000000000cd';
    const before = await wallet(app);
    const answers = await Promise.all(Array.from({ length: 5 }, () => move(app, 'fund', 10, key)));
    for (const { status, body } of answers) {
      expect([status, body.transactionId]).toEqual([201, answers[0]?.body.transactionId]);
    }
    expect((await wallet(app)).balance).toBe(before.balance + 10);
    await refused(() => move(app, 'fund', 11, key), 422, 'IDEMPOTENCY_KEY_REUSED');
    const other = await registerApplication(dev);
    await refused(() => move(other, 'fund', 10, key), 422, 'IDEMPOTENCY_KEY_REUSED');
    // The way back is another call with its own keys.
    await move(other, 'fund', 10);
    expect((await move(other, 'withdraw', 10, key)).status).toBe(201);
  });

  it.each([0, -5, 1.001, '5', null, undefined, 1e300])('never move %p', async (amount) => {
    await refused(() => move(app, 'fund', amount), 400, 'INVALID_AMOUNT');
    await refused(() => move(app, 'withdraw', amount), 400, 'INVALID_AMOUNT');
  });

  it('never move more than there is', async () => {
    await refused(() => move(app, 'fund', 1_000_000), 400, 'INSUFFICIENT_NOVA');
    await refused(() => move(app, 'withdraw', 1_000_000), 400, 'APP_INSUFFICIENT_NOVA');
  });

  it('are nobody else’s', async () => {
    for (const path of [walletPath(app), `${walletPath(app)}/statement`]) {
      const answer = await ada.browser.get(path);
      expect([answer.status, answer.body.code]).toEqual([404, 'APPLICATION_NOT_FOUND']);
      expect((await api.browser().get(path)).status).toBe(401);
    }
    for (const direction of ['fund', 'withdraw']) {
      const path = `${walletPath(app)}/${direction}`;
      await refused(() => ada.browser.post(path, { amount: 1 }), 404, 'APPLICATION_NOT_FOUND');
      const foreign = { origin: 'https://elsewhere.example' };
      await refused(() => dev.browser.post(path, { amount: 1 }, foreign), 403, 'FOREIGN_ORIGIN');
    }
    for (const clientId of [UNKNOWN, 'x', '%00', 'x'.repeat(150)]) {
      const answer = await dev.browser.get(`/api/oauth/application/${clientId}/wallet`);
      expect(answer.status).toBe(404);
    }
  });

  it('have a statement: what members spent and got, what the developer moved, by pages', async () => {
    const spent = await token.post('/api/tokens/spend', { amount: 15, description: 'An opening book' });
    const paid = await token.post('/api/tokens/earn', { amount: 5 });
    await settled(api);
    const first = (await dev.browser.get(`${walletPath(app)}/statement?limit=2`)).body;
    const member = { id: ada.id, displayName: 'Ada', profileImageUrl: null };
    expect(first.entries).toEqual([
      {
        id: paid.body.transactionId,
        type: 'earn',
        amount: 5,
        member,
        description: null,
        createdAt: expect.any(String),
      },
      {
        id: spent.body.transactionId,
        type: 'spend',
        amount: 15,
        member,
        description: 'An opening book',
        createdAt: expect.any(String),
      },
    ]);
    const next = (await dev.browser.get(`${walletPath(app)}/statement?limit=2&cursor=${first.nextCursor}`)).body;
    expect(next.entries.map(({ type, amount }: { type: string; amount: number }) => [type, amount])).toEqual([
      ['fund', 10],
      ['withdraw', 40],
    ]);
    expect((await dev.browser.get(`${walletPath(app)}/statement?cursor=x`)).status).toBe(400);
  });

  it('show in the member’s wallet what each application did', async () => {
    await token.post('/api/tokens/transfer', { recipientId: dev.id, amount: 1_000 });
    await settled(api);
    const { applications } = (await ada.browser.get('/api/wallet/applications')).body;
    expect(applications).toEqual([
      {
        clientId: app.clientId,
        name: app.name,
        logoUrl: null,
        spent: 15,
        transferred: 1_000,
        earned: 5,
        spentToday: 1_015,
        dailyLimit: 5_000,
        lastUsedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ]);
    // The developer filled the wallet and received a gift: that is not a use of the application.
    expect((await dev.browser.get('/api/wallet/applications')).body).toEqual({ applications: [] });
  });

  it('are named in statements, in events, in the pages of admins and their export', async () => {
    const rows = (await ada.browser.get('/api/nova/transactions?limit=4')).body.transactions;
    const told = rows.map(({ type, description }: { type: string; description: string }) => [type, description]);
    expect(told).toEqual([
      ['gift_send', `Gift to Dev through ${app.name}`],
      ['app_earn', `Received from ${app.name}`],
      ['app_spend', `Spent at ${app.name}`],
      ['admin_grant', 'Nova added by an admin'],
    ]);
    const event = (await ada.browser.get(`/api/nova/transactions/${rows[2].id}`)).body;
    expect(event).toMatchObject({
      description: `Ada spent 15 Nova at ${app.name}`,
      actor: { kind: 'app', id: app.clientId, displayName: app.name },
      note: 'An opening book',
      cause: null,
    });
    const devs = (await dev.browser.get('/api/nova/transactions?limit=100')).body.transactions;
    expect(devs.map(({ description }: { description: string }) => description)).toEqual(
      expect.arrayContaining([
        `Gift from Ada through ${app.name}`,
        `Funded the wallet of ${app.name}`,
        `Withdrawn from the wallet of ${app.name}`,
      ]),
    );
    const listed = await admin.browser.get(`/api/admin/transactions?userId=${ada.id}&type=app_spend`);
    expect(listed.body.transactions[0].description).toBe(`Spent at ${app.name}`);
    const csv = await admin.browser.get(`/api/admin/transactions.csv?userId=${ada.id}&type=app_spend`);
    expect(csv.body).toContain(`Spent at ${app.name}`);
    await api.database.pool.query('update oauth_applications set deleted_at = now() where client_id = $1', [
      app.clientId,
    ]);
    const [again] = (await ada.browser.get('/api/nova/transactions?limit=1')).body.transactions;
    expect(again.description).toBe(`Gift to Dev through ${app.name}`);
    const { applications } = (await ada.browser.get('/api/wallet/applications')).body;
    expect(applications[0]).toMatchObject({ name: app.name, dailyLimit: null, spent: 15 });
    await api.database.pool.query('update oauth_applications set deleted_at = null where client_id = $1', [
      app.clientId,
    ]);
  });

  it('tell what an application wrote with a gift to its sender, not to who got it', async () => {
    const gift = await token.post('/api/tokens/transfer', {
      recipientId: dev.id,
      amount: 1_000,
      description: 'Thanks',
    });
    const path = `/api/nova/transactions/${gift.body.transactionId}`;
    await settled(api);
    expect((await ada.browser.get(path)).body.note).toBe('Thanks');
    expect((await dev.browser.get(path)).body.note).toBeNull();
    expect((await admin.browser.get(`/api/admin/events/${gift.body.transactionId}`)).body.note).toBe('Thanks');
  });

  it('are emptied to the developer when their account is deleted, and words go with the member’s', async () => {
    const maker = await api.member({ displayName: 'Maker' });
    await grantNova(admin, maker.id, 100);
    const made = await registerApplication(maker, 'Made');
    await move(made, 'fund', 60);
    const guest = await api.member();
    await grantNova(admin, guest.id, 10);
    const guests = await authorize(api, guest, made);
    await guests.post('/api/tokens/spend', { amount: 10, description: 'Something personal' });
    for (const { id } of [maker, guest]) {
      expect((await admin.browser.delete(`/api/admin/users/${id}`)).status).toBe(200);
    }
    const { pool } = api.database;
    await eventually(
      async () => (await pool.query('select from account_closings')).rowCount,
      (left) => left === 0,
    );
    await eventually(
      async () => (await pool.query('select from movement_notes where user_id = $1', [guest.id])).rowCount,
      (left) => left === 0,
    );
    await settled(api);
    const { rows } = await pool.query<{ account: string; balance: string }>(
      `select account, balance::text from read.account_balance where account like $1 order by account`,
      [`app:${made.clientId}:%`],
    );
    expect(rows.filter(({ balance }) => balance !== '0')).toEqual([]);
    const closed = await admin.browser.get(`/api/admin/transactions?userId=${maker.id}&limit=100`);
    expect(
      closed.body.transactions.map(({ type, amount }: { type: string; amount: number }) => [type, amount]),
    ).toEqual([
      ['account_closed', -110],
      ['app_wallet_withdraw', 70],
      ['app_wallet_fund', -60],
      ['admin_grant', 100],
    ]);
    expect((await guests.get('/api/oauth/token-balances')).status).toBe(401);
  });
});
