import { startTestApi, type TestAnswer, type TestApi, type TestMember } from '../support/api.js';
import { breachesOf } from '../support/breaches.js';
import { authorize, registerApplication, settled, type TestApplication, TestToken } from '../support/applications.js';
import { awayFromMidnight } from '../support/midnight.js';
import { grantNova, novaBalance, signInAdmin } from '../support/money.js';

const BALANCES = '/api/oauth/token-balances';
const NOBODY = '018f0000-0000-7000-8000-000000000000';

beforeEach(awayFromMidnight);

describe('the token API', () => {
  let api: TestApi;
  let admin: TestMember;
  let dev: TestMember;
  let ada: TestMember;
  let bob: TestMember;
  let app: TestApplication;
  let token: TestToken;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
    [dev, ada, bob] = await Promise.all([
      api.member({ displayName: 'Dev' }),
      api.member({ displayName: 'Ada' }),
      api.member({ displayName: 'Bob' }),
    ]);
    app = await registerApplication(dev);
    for (const { id } of [dev, ada]) await grantNova(admin, id, 20_000);
    token = await authorize(api, ada, app);
  });
  afterAll(async () => {
    try {
      expect(await breachesOf(api)).toEqual([]);
    } finally {
      await api?.close();
    }
  });

  const balanceOf = async (member: TestMember): Promise<number> => {
    await settled(api);
    return novaBalance(member);
  };
  const wallet = async (of = app): Promise<number> => {
    await settled(api);
    return (await of.developer.browser.get(`/api/oauth/application/${of.clientId}/wallet`)).body.balance;
  };
  const fund = (amount: unknown, of = app, key?: string) =>
    of.developer.browser.post(
      `/api/oauth/application/${of.clientId}/wallet/fund`,
      { amount },
      key === undefined ? undefined : { 'idempotency-key': key },
    );
  const standing = async () =>
    JSON.stringify([await balanceOf(ada), await balanceOf(bob), await balanceOf(dev), await wallet()]);
  /** Refused, and nothing moved. */
  async function refused(run: () => Promise<TestAnswer>, status: number, code: string): Promise<TestAnswer> {
    const before = await standing();
    const answer = await run();
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body).toMatchObject({ statusCode: status, message: expect.stringMatching(/^[A-Z].*\.$/) });
    expect(await standing()).toBe(before);
    return answer;
  }

  describe('shows balances', () => {
    it('as far as the scopes of the token go', async () => {
      const nova = {
        balance: 20_000,
        purchased: 0,
        earned: 20_000,
        dailyLimit: 5_000,
        spentToday: 0,
        leftToday: 5_000,
      };
      expect((await token.get(BALANCES)).body).toEqual({ userId: ada.id, nova, livemode: true });
      const other = await registerApplication(dev, 'Other');
      const all = await authorize(api, ada, other, {
        scopes: ['openid', 'nova', 'karma', 'influence'],
        dailyLimit: 12.5,
      });
      expect((await all.get(BALANCES)).body).toEqual({
        livemode: true,
        userId: ada.id,
        nova: { ...nova, dailyLimit: 12.5, leftToday: 12.5 },
        karma: { balance: 0 },
        influence: { points: 0, rating: 5 },
      });
      const karma = await authorize(api, ada, await registerApplication(dev), { scopes: ['openid', 'karma'] });
      expect((await karma.get(BALANCES)).body).toEqual({ userId: ada.id, karma: { balance: 0 }, livemode: true });
    });

    it('to no token without any of these scopes', async () => {
      const profile = await authorize(api, ada, await registerApplication(dev), { scopes: ['openid', 'profile'] });
      const answer = await profile.get(BALANCES);
      expect([answer.status, answer.body.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    });
  });

  describe('refuses tokens that do not count, moving nothing', () => {
    const calls: readonly [string, string, unknown][] = [
      ['GET', BALANCES, undefined],
      ['POST', '/api/tokens/spend', { amount: 1 }],
      ['POST', '/api/tokens/earn', { amount: 1 }],
      ['POST', '/api/tokens/transfer', { recipientId: NOBODY, amount: 1_000 }],
      ['GET', '/api/tokens/transactions', undefined],
    ];
    const challenge = (answer: TestAnswer): string | null => answer.headers.get('www-authenticate');

    it.each(calls)('%s %s: none, unknown, malformed, a cookie in its place', async (method, path, body) => {
      const send = (headers: Record<string, string>) => api.browser().send(method, path, { headers, body });
      const none = await refused(() => send({}), 401, 'INVALID_TOKEN');
      expect(challenge(none)).toBe('Bearer');
      for (const authorization of [
        'Bearer nobody-has-this-token',
        'Bearer',
        'Bearer ',
        `Bearer ${token.value}x`,
        `Bearer ${token.value} ${token.value}`,
        `Basic ${token.value}`,
        token.value,
        `Bearer ${'x'.repeat(3_000)}`,
      ]) {
        const answer = await refused(() => send({ authorization }), 401, 'INVALID_TOKEN');
        expect(challenge(answer)).toBe('Bearer error="invalid_token"');
      }
      await refused(() => ada.browser.send(method, path, { body }), 401, 'INVALID_TOKEN');
    });

    it('in the address or the body', async () => {
      await refused(() => api.browser().get(`${BALANCES}?access_token=${token.value}`), 401, 'INVALID_TOKEN');
      const body = { amount: 1, access_token: token.value };
      await refused(() => api.browser().post('/api/tokens/spend', body), 401, 'INVALID_TOKEN');
    });

    it.each(calls.slice(1))('%s %s: without scope nova', async (method, path, body) => {
      const other = await registerApplication(dev);
      const karma = await authorize(api, ada, other, { scopes: ['openid', 'karma', 'influence'] });
      const answer = await refused(() => karma.send(method, path, body), 403, 'INSUFFICIENT_SCOPE');
      expect(challenge(answer)).toBe('Bearer error="insufficient_scope", scope="nova"');
    });

    const endings: readonly [string, (of: TestApplication) => Promise<unknown>][] = [
      ['revoked by the member', ({ clientId }) => ada.browser.post('/api/oauth/revoke', { client_id: clientId })],
      [
        'of an application that is not active',
        ({ clientId }) =>
          dev.browser.send('PATCH', `/api/oauth/application/${clientId}`, { body: { isActive: false } }),
      ],
      ['of a deleted application', ({ clientId }) => dev.browser.delete(`/api/oauth/application/${clientId}`)],
      [
        'that expired',
        ({ clientId }) =>
          api.database.pool.query(
            `update oauth_payloads set expires_at = now() where model = 'AccessToken' and client_id = $1`,
            [clientId],
          ),
      ],
      [
        'whose grant expired',
        ({ clientId }) =>
          api.database.pool.query(
            `update oauth_payloads set expires_at = now() where model = 'Grant'
             and id in (select grant_id from oauth_payloads where client_id = $1)`,
            [clientId],
          ),
      ],
    ];
    it.each(endings)('%s', async (_, end) => {
      const other = await registerApplication(dev);
      const its = await authorize(api, ada, other);
      expect((await its.get(BALANCES)).status).toBe(200);
      await end(other);
      for (const [method, path, body] of calls) {
        await refused(() => its.send(method, path, body), 401, 'INVALID_TOKEN');
      }
    });

    it.each(['member', 'developer'] as const)('of a %s whose account was closed', async (whose) => {
      const people = { member: await api.member(), developer: await api.member() };
      const its = await authorize(api, people.member, await registerApplication(people.developer));
      expect((await its.get(BALANCES)).status).toBe(200);
      await api.database.pool.query('update accounts set closed_at = now() where id = $1', [people[whose].id]);
      await refused(() => its.get(BALANCES), 401, 'INVALID_TOKEN');
    });

    it('unless the application is switched on again', async () => {
      const other = await registerApplication(dev);
      const its = await authorize(api, ada, other);
      const path = `/api/oauth/application/${other.clientId}`;
      for (const isActive of [false, true]) {
        expect((await dev.browser.send('PATCH', path, { body: { isActive } })).status).toBe(200);
        expect((await its.get(BALANCES)).status).toBe(isActive ? 200 : 401);
      }
    });

    it('where a session is needed', async () => {
      for (const path of ['/api/nova/balance', '/api/wallet/applications', '/api/auth/user']) {
        const answer = await token.get(path);
        expect(answer.status).toBe(401);
      }
      const gift = await token.post('/api/gifts/send', { recipientId: bob.id, amount: 1_000 });
      expect(gift.status).toBe(401);
      const its = await token.get(`/api/oauth/application/${app.clientId}/wallet`);
      expect(its.status).toBe(401);
    });
  });

  describe('spends', () => {
    it('the member’s Nova into the application’s wallet', async () => {
      const [before, held] = [await balanceOf(ada), await wallet()];
      const answer = await token.post('/api/tokens/spend', { amount: 25.5, description: ' A <b>theme</b> ' });
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        livemode: true,
        message: 'Spent 25.50 Nova.',
        transactionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        amount: 25.5,
        novaBalance: before - 25.5,
        leftToday: 5_000 - 25.5,
        projected: expect.any(Boolean),
      });
      expect([await balanceOf(ada), await wallet()]).toEqual([before - 25.5, held + 25.5]);
      const { nova } = (await token.get(BALANCES)).body;
      expect(nova).toMatchObject({ balance: before - 25.5, spentToday: 25.5, leftToday: 4_974.5 });
      const [listed] = (await token.get('/api/tokens/transactions?limit=1')).body.transactions;
      expect(listed).toEqual({
        id: answer.body.transactionId,
        type: 'spend',
        amount: 25.5,
        description: 'A <b>theme</b>',
        createdAt: expect.any(String),
      });
    });

    it.each([
      ['nothing', 0],
      ['less than nothing', -1],
      ['three decimals', 1.001],
      ['more than a gift may be', 1_000_000.01],
      ['text', '5'],
      ['null', null],
      ['no amount', undefined],
      ['a list', [5]],
      ['beyond doubles', 1e300],
    ])('never %s', async (_, amount) => {
      await refused(() => token.post('/api/tokens/spend', { amount }), 400, 'INVALID_AMOUNT');
      await refused(() => token.post('/api/tokens/earn', { amount }), 400, 'INVALID_AMOUNT');
    });

    it('with a description of 200 characters at most, and no other fields', async () => {
      const spend = (body: unknown) => () => token.post('/api/tokens/spend', body);
      for (const description of ['x'.repeat(201), 7, {}, 'a\u0000b', '\ud800']) {
        await refused(spend({ amount: 1, description }), 400, 'INVALID_DESCRIPTION');
      }
      await refused(spend({ amount: 1, userId: bob.id }), 400, 'UNKNOWN_FIELD');
      for (const description of ['😀'.repeat(200), '', null, undefined]) {
        expect((await token.post('/api/tokens/spend', { amount: 0.01, description })).status).toBe(201);
      }
    });

    it('not beyond the balance, and leaves no words of what did not happen', async () => {
      const poor = await api.member();
      await grantNova(admin, poor.id, 10);
      const its = await authorize(api, poor, app);
      const answer = await refused(
        () => its.post('/api/tokens/spend', { amount: 10.01, description: 'Too much' }),
        400,
        'INSUFFICIENT_NOVA',
      );
      expect(answer.body.available).toBe(10);
      expect(await balanceOf(poor)).toBe(10);
      const { rowCount } = await api.database.pool.query('select from movement_notes where user_id = $1', [poor.id]);
      expect(rowCount).toBe(0);
    });

    it('not at the member’s own application', async () => {
      const own = await authorize(api, dev, app);
      await refused(() => own.post('/api/tokens/spend', { amount: 1 }), 403, 'OWN_APPLICATION');
    });

    it('not while the member’s spending is paused', async () => {
      const frozen = await api.member();
      await grantNova(admin, frozen.id, 100);
      const its = await authorize(api, frozen, app);
      const { LEDGER } = await import('../../apps/api/src/platform/ledger/injected-ledger.js');
      const ledger = api.nova.app.get(LEDGER);
      await ledger.execute({
        command: { type: 'FreezeSpending', userId: frozen.id, disputeId: 'dp' },
        actor: 'stripe',
      });
      await refused(() => its.post('/api/tokens/spend', { amount: 1 }), 403, 'SPENDING_FROZEN');
      const gift = () => its.post('/api/tokens/transfer', { recipientId: bob.id, amount: 1_000 });
      await refused(gift, 403, 'SPENDING_FROZEN');
      expect(await balanceOf(frozen)).toBe(100);
    });

    it('up to the daily limit of the consent, whatever comes at once', async () => {
      const carl = await api.member();
      await grantNova(admin, carl.id, 10_000);
      const its = await authorize(api, carl, app, { dailyLimit: 100 });
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => its.post('/api/tokens/spend', { amount: 30 })),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
      const late = answers.filter(({ status }) => status === 403);
      expect(late).toHaveLength(17);
      for (const { body } of late) expect(body).toMatchObject({ code: 'DAILY_LIMIT', available: 10 });
      expect(await balanceOf(carl)).toBe(9_910);
      expect((await its.get(BALANCES)).body.nova).toMatchObject({ spentToday: 90, leftToday: 10 });
      await refused(() => its.post('/api/tokens/transfer', { recipientId: bob.id, amount: 1_000 }), 403, 'DAILY_LIMIT');
      // Lowered below the amount spent: the rest is zero, not negative.
      const lowered = await authorize(api, carl, app, { dailyLimit: 50 });
      expect((await lowered.get(BALANCES)).body.nova).toMatchObject({ dailyLimit: 50, spentToday: 90, leftToday: 0 });
      await refused(() => lowered.post('/api/tokens/spend', { amount: 0.01 }), 403, 'DAILY_LIMIT');
    });
  });

  describe('with an idempotency key', () => {
    const KEY = '018f0000-0000-7000-8000-0000000000ab';

    it('moves once, also when the repeats come at once, and answers as the first time', async () => {
      const before = await balanceOf(ada);
      const body = { amount: 5, description: 'Once' };
      const answers = await Promise.all(Array.from({ length: 8 }, () => token.post('/api/tokens/spend', body, KEY)));
      for (const answer of answers) {
        expect(answer.status).toBe(201);
        expect(answer.body).toMatchObject({ transactionId: answers[0]?.body.transactionId, amount: 5 });
      }
      expect(await balanceOf(ada)).toBe(before - 5);
      const notes = await api.database.pool.query(`select from movement_notes where note = 'Once'`);
      expect(notes.rowCount).toBe(1);
    });

    it('refuses another body: the amount, the description, none', async () => {
      for (const body of [{ amount: 6, description: 'Once' }, { amount: 5, description: 'Twice' }, { amount: 5 }]) {
        await refused(() => token.post('/api/tokens/spend', body, KEY), 422, 'IDEMPOTENCY_KEY_REUSED');
      }
      const notes = await api.database.pool.query(`select from movement_notes where note = 'Twice'`);
      expect(notes.rowCount).toBe(0);
    });

    it('takes the repeat also after the member changed the daily limit', async () => {
      const before = await balanceOf(ada);
      for (const dailyLimit of [4_000, 5_000]) {
        const path = `/api/oauth/consents/${app.clientId}`;
        expect((await ada.browser.send('PATCH', path, { body: { dailyLimit } })).status).toBe(200);
        const again = await token.post('/api/tokens/spend', { amount: 5, description: 'Once' }, KEY);
        expect(again.status).toBe(201);
        const { nova } = (await token.get(BALANCES)).body;
        expect(nova.dailyLimit).toBe(dailyLimit);
        expect(again.body.leftToday).toBe(nova.leftToday);
      }
      expect(await balanceOf(ada)).toBe(before);
    });

    it('keeps calls, members and applications apart', async () => {
      const [before, held] = [await balanceOf(ada), await wallet()];
      expect((await token.post('/api/tokens/earn', { amount: 5, description: 'Once' }, KEY)).status).toBe(201);
      const other = await authorize(api, ada, await registerApplication(dev, 'Other'));
      expect((await other.post('/api/tokens/spend', { amount: 7 }, KEY)).status).toBe(201);
      const eve = await api.member();
      await grantNova(admin, eve.id, 100);
      expect((await (await authorize(api, eve, app)).post('/api/tokens/spend', { amount: 9 }, KEY)).status).toBe(201);
      expect([await balanceOf(ada), await wallet()]).toEqual([before + 5 - 7, held - 5 + 9]);
    });
  });

  describe('pays', () => {
    it('the member from the wallet, and not more than it holds', async () => {
      expect((await fund(50)).status).toBe(201);
      const [before, held] = [await balanceOf(ada), await wallet()];
      const answer = await token.post('/api/tokens/earn', { amount: 20, description: 'A prize' });
      expect(answer.body).toMatchObject({
        message: 'Paid 20 Nova to the member.',
        amount: 20,
        novaBalance: before + 20,
      });
      expect(answer.body).not.toHaveProperty('leftToday');
      expect([await balanceOf(ada), await wallet()]).toEqual([before + 20, held - 20]);
      const amount = Math.round((held - 20) * 100 + 1) / 100;
      await refused(() => token.post('/api/tokens/earn', { amount }), 400, 'APP_INSUFFICIENT_NOVA');
      const empty = await authorize(api, ada, await registerApplication(dev));
      await refused(() => empty.post('/api/tokens/earn', { amount: 1 }), 400, 'APP_INSUFFICIENT_NOVA');
    });
  });

  describe('transfers', () => {
    it('as a gift of the member: half to the recipient', async () => {
      const [adas, bobs] = [await balanceOf(ada), await balanceOf(bob)];
      const body = { recipientId: bob.id, amount: 1_000.01, description: 'For the game' };
      const answer = await token.post('/api/tokens/transfer', body);
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({
        message: 'Sent 1,000.01 Nova to Bob.',
        gift: { recipientId: bob.id, recipientShare: 500.01, influenceShare: 500 },
        projected: expect.any(Boolean),
      });
      expect([await balanceOf(ada), await balanceOf(bob)]).toEqual([adas - 1_000.01, bobs + 500.01]);
      const [sent] = (await ada.browser.get('/api/gifts/history?limit=1')).body.gifts;
      expect(sent.id).toBe(answer.body.transactionId);
      const [listed] = (await token.get('/api/tokens/transactions?limit=1')).body.transactions;
      expect(listed).toMatchObject({ type: 'transfer', recipientId: bob.id, description: 'For the game' });
    });

    it.each([
      ['below the least gift', () => ({ recipientId: bob.id, amount: 999.99 }), 400, 'INVALID_AMOUNT'],
      ['above the most', () => ({ recipientId: bob.id, amount: 1_000_000.01 }), 400, 'INVALID_AMOUNT'],
      ['to oneself', () => ({ recipientId: ada.id, amount: 1_000 }), 400, 'SELF_PAYMENT'],
      ['to nobody', () => ({ recipientId: NOBODY, amount: 1_000 }), 404, 'RECIPIENT_NOT_FOUND'],
      ['to what is no id', () => ({ recipientId: 'a:b', amount: 1_000 }), 404, 'RECIPIENT_NOT_FOUND'],
      ['without a recipient', () => ({ amount: 1_000 }), 400, 'REQUIRED'],
      ['beyond the daily limit', () => ({ recipientId: bob.id, amount: 5_000 }), 403, 'DAILY_LIMIT'],
    ] as const)('not %s', async (_, body, status, code) => {
      await refused(() => token.post('/api/tokens/transfer', body()), status, code);
    });
  });

  it('answers pages of other origins, which have a token or nothing', async () => {
    const origin = 'https://app.example.com';
    for (const path of ['/api/tokens/spend', '/api/tokens/transactions', BALANCES]) {
      const asked = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      };
      const preflight = await api.browser().send('OPTIONS', path, { headers: asked });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
      expect(preflight.headers.get('access-control-allow-headers')).toMatch(/Authorization.*Idempotency-Key/);
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    }
    const answer = await token.send('GET', BALANCES, undefined, { origin });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    const spend = (amount: number, headers: Record<string, string> = {}) =>
      ada.browser.post('/api/tokens/spend', { amount }, { origin, ...headers });
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect((await spend(0.01, { authorization: `${scheme} ${token.value}` })).status).toBe(201);
    }
    await refused(() => spend(1), 401, 'INVALID_TOKEN');
    const session = await ada.browser.get('/api/nova/balance', { origin });
    expect(session.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('lists what the application did for the member, and nobody else', async () => {
    const other = await authorize(api, ada, await registerApplication(dev, 'Other'));
    expect((await other.get('/api/tokens/transactions')).body).toEqual({
      transactions: [],
      nextCursor: null,
      livemode: true,
    });
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await token.get(`/api/tokens/transactions?limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.transactions.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    const all = (await token.get('/api/tokens/transactions?limit=100')).body.transactions;
    expect(all.map(({ id }: { id: string }) => id)).toEqual(seen);
    for (const query of ['cursor=x', 'limit=0', 'limit=101', 'limit=x']) {
      expect((await token.get(`/api/tokens/transactions?${query}`)).status).toBe(400);
    }
  });
});

describe('floods of an application', () => {
  it('are answered with 429 and Retry-After, for this application and member alone', async () => {
    const { api, admin } = await signInAdmin(startTestApi, { environment: { RATE_LIMIT_FACTOR: '0.1' } });
    try {
      const [dev, ada, bob] = [await api.member(), await api.member(), await api.member()];
      await grantNova(admin, ada.id, 1_000);
      const app = await registerApplication(dev);
      const token = await authorize(api, ada, app);
      const answers = await Promise.all(
        Array.from({ length: 80 }, () => token.post('/api/tokens/spend', { amount: 1 })),
      );
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(20);
      for (const { headers, body } of refused) {
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
        expect(body.code).toBe('TOO_MANY_REQUESTS');
      }
      await settled(api);
      expect(await novaBalance(ada)).toBe(940);
      expect((await token.get(BALANCES)).status).toBe(200);
      expect((await (await authorize(api, bob, app)).post('/api/tokens/earn', { amount: 1 })).status).toBe(201);
      const other = await authorize(api, ada, await registerApplication(dev));
      expect((await other.post('/api/tokens/spend', { amount: 1 })).status).toBe(201);
    } finally {
      await api.close();
    }
  });
});

describe('two servers', () => {
  it('keep one daily limit, take a key once, and end a token together', async () => {
    const { api: first, admin } = await signInAdmin(startTestApi);
    const second = await startTestApi({ database: first.database, environment: { RATE_LIMIT_FACTOR: '1000' } });
    try {
      const [dev, ada] = [await first.member(), await first.member()];
      await grantNova(admin, ada.id, 1_000);
      const app = await registerApplication(dev);
      const here = await authorize(first, ada, app, { dailyLimit: 100 });
      const there = new TestToken(second, here.value);
      const spends = Array.from({ length: 16 }, (_, n) =>
        (n % 2 ? here : there).post('/api/tokens/spend', { amount: 30 }),
      );
      const statuses = (await Promise.all(spends)).map(({ status }) => status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 201, 201, ...Array<number>(13).fill(403)]);
      const key = '018f0000-0000-7000-8000-0000000000ef';
      const repeats = Array.from({ length: 8 }, (_, n) =>
        (n % 2 ? here : there).post('/api/tokens/spend', { amount: 4 }, key),
      );
      const ids = (await Promise.all(repeats)).map(({ body }) => body.transactionId);
      expect(new Set(ids).size).toBe(1);
      await settled(first);
      expect(await novaBalance(ada)).toBe(906);
      expect((await there.get(BALANCES)).body.nova).toMatchObject({ balance: 906, spentToday: 94, leftToday: 6 });
      expect((await ada.browser.post('/api/oauth/revoke', { client_id: app.clientId })).status).toBeLessThan(300);
      expect([(await here.get(BALANCES)).status, (await there.get(BALANCES)).status]).toEqual([401, 401]);
    } finally {
      await second.close();
      await first.close();
    }
  });
});
