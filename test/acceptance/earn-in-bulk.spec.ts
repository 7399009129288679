import { registerApplication, authorize, settled, type TestApplication } from '../support/applications.js';
import { startTestApi, type TestAnswer, type TestApi, type TestMember } from '../support/api.js';
import { breachesOf } from '../support/breaches.js';
import { grantNova, novaBalance, signInAdmin } from '../support/money.js';

const BULK = '/api/tokens/earn/bulk';

interface Item {
  readonly userId: unknown;
  readonly amount: unknown;
  readonly description?: unknown;
}

describe('an application in its own name', () => {
  let api: TestApi;
  let dev: TestMember;
  let members: TestMember[];
  let app: TestApplication;

  beforeAll(async () => {
    const started = await signInAdmin(startTestApi);
    api = started.api;
    dev = await api.member({ displayName: 'Dev' });
    members = await Promise.all(['Ada', 'Bob', 'Cy'].map((displayName) => api.member({ displayName })));
    app = await registerApplication(dev);
    await grantNova(started.admin, dev.id, 2_000);
    await dev.browser.post(`/api/oauth/application/${app.clientId}/wallet/fund`, { amount: 1_000 });
    for (const member of members.slice(0, 2)) await authorize(api, member, app);
    await settled(api);
  });
  afterAll(async () => {
    try {
      expect(await breachesOf(api)).toEqual([]);
    } finally {
      await api?.close();
    }
  });

  const basic = (clientId = app.clientId, secret = app.clientSecret) => ({
    authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
  });
  const pay = (items: readonly Item[], key?: string, credentials = basic()): Promise<TestAnswer> =>
    api.browser().send('POST', BULK, {
      body: { items },
      headers: { ...credentials, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    });
  const read = async (path: string): Promise<TestAnswer> => {
    await settled(api);
    return api.browser().get(path, basic());
  };
  const standing = async () => {
    await settled(api);
    const balances = await Promise.all(members.map(novaBalance));
    return [(await read('/api/tokens/wallet')).body.balance, ...balances];
  };
  const notes = async () =>
    Number((await api.database.pool.query('select count(*) from movement_notes')).rows[0].count);
  const [ada, bob, cy] = [0, 1, 2].map((index) => () => members[index]?.id ?? '') as [
    () => string,
    () => string,
    () => string,
  ];

  it('pays many members at once, once for each key', async () => {
    const [wallet = 0, ofAda = 0, ofBob = 0, ofCy = 0] = await standing();
    const items = [
      { userId: ada(), amount: 10, description: 'First prize' },
      { userId: bob().toUpperCase(), amount: 5.25 },
      { userId: ada(), amount: 0.01, description: 'A draw' },
    ];
    const answer = await pay(items, 'round-1');
    expect(answer).toMatchObject({
      status: 201,
      body: { total: 15.26, message: 'Paid 15.26 Nova to members in 3 payments.' },
    });
    expect(answer.body.items.map(({ userId, amount }: Item) => [userId, amount])).toEqual([
      [ada(), 10],
      [bob(), 5.25],
      [ada(), 0.01],
    ]);
    expect(new Set(answer.body.items.map(({ transactionId }: { transactionId: string }) => transactionId)).size).toBe(
      3,
    );
    const after = [wallet - 15.26, ofAda + 10.01, ofBob + 5.25, ofCy];
    expect(await standing()).toEqual(after.map((amount) => expect.closeTo(amount, 5)));
    const kept = await notes();
    expect((await pay(items, 'round-1')).body.items).toEqual(answer.body.items);
    expect([await notes(), await standing()]).toEqual([kept, after.map((amount) => expect.closeTo(amount, 5))]);
    const { entries } = (await read('/api/tokens/wallet/statement?limit=3')).body;
    expect(
      entries.map(({ type, amount, description }: Item & { type: string }) => [type, amount, description]),
    ).toEqual([
      ['earn', 0.01, 'A draw'],
      ['earn', 5.25, null],
      ['earn', 10, 'First prize'],
    ]);
  });

  it('pays 500 members at once, with words for each', async () => {
    const items = Array.from({ length: 500 }, (_, n) => ({
      userId: n % 2 === 0 ? ada() : bob(),
      amount: 0.01,
      description: `${n} ${'ü'.repeat(195)}`,
    }));
    expect(await pay(items, 'round-500')).toMatchObject({ status: 201, body: { total: 5 } });
    expect(await pay([...items, ...items.slice(0, 1)])).toMatchObject({ status: 400 });
  });

  describe('pays nobody', () => {
    const one = (more: Partial<Item> = {}): Item => ({ userId: ada(), amount: 1, ...more });
    const CASES: readonly (readonly [string, () => readonly Item[], number, string])[] = [
      ['where one has not consented', () => [one(), one({ userId: cy() })], 403, 'CONSENT_MISSING'],
      [
        'where one does not exist',
        () => [one({ userId: '018f0000-0000-7000-8000-000000000000' })],
        403,
        'CONSENT_MISSING',
      ],
      ['beyond the wallet', () => [one({ amount: 600 }), one({ amount: 600 })], 400, 'APP_INSUFFICIENT_NOVA'],
      ['without an amount', () => [one(), one({ amount: 0 })], 400, 'INVALID_AMOUNT'],
      ['where an id is none', () => [one({ userId: 'a:b' })], 400, 'INVALID_MEMBER'],
      ['with words that are too long', () => [one({ description: 'x'.repeat(201) })], 400, 'INVALID_DESCRIPTION'],
      ['without items', () => [], 400, 'VALIDATION_FAILED'],
      [
        'where other words came with the key',
        () => [one({ description: 'other words' })],
        422,
        'IDEMPOTENCY_KEY_REUSED',
      ],
    ];
    it.each(CASES)('%s', async (_, items, status, code) => {
      const key = code === 'IDEMPOTENCY_KEY_REUSED' ? 'words' : undefined;
      if (key !== undefined) await pay([one({ description: 'words' })], key);
      const before = [await notes(), await standing()];
      const answer = await pay(items(), key);
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect([await notes(), await standing()]).toEqual(before);
    });

    it('once a member has taken the consent back', async () => {
      await members[1]?.browser.post('/api/oauth/revoke', { client_id: app.clientId });
      const answer = await pay([one(), { userId: bob(), amount: 1 }]);
      expect(answer).toMatchObject({ status: 403, body: { code: 'CONSENT_MISSING', items: [1] } });
    });

    it('without the secret of the application', async () => {
      const other = await registerApplication(dev, 'Other');
      const isPublic = (
        await dev.browser.post('/api/oauth/register-app', {
          name: 'Open',
          isPublic: true,
          redirectUris: ['https://open.example.com/'],
          scopes: ['openid', 'nova'],
        })
      ).body;
      for (const credentials of [
        {},
        basic(app.clientId, 'nova_secret_wrong'),
        basic(app.clientId, other.clientSecret),
        basic(isPublic.clientId, ''),
        basic('nobody', app.clientSecret),
        { authorization: 'Basic ???' },
      ]) {
        const answer = await pay([one()], undefined, credentials as ReturnType<typeof basic>);
        expect([answer.status, answer.body.code]).toEqual([401, 'INVALID_CLIENT']);
        expect(answer.headers.get('www-authenticate')).toBe('Basic realm="Nova"');
      }
      const ofMember = (await authorize(api, members[0] as TestMember, app)).value;
      const asMember = await pay([one()], undefined, { authorization: `Bearer ${ofMember}` });
      expect([asMember.status, asMember.body.code]).toEqual([401, 'INVALID_TOKEN']);
      const asDeveloper = await dev.browser.post(BULK, { items: [one()] });
      expect([asDeveloper.status, asDeveloper.body.code]).toEqual([401, 'INVALID_CLIENT']);
    });
  });
});
