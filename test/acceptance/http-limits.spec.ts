import { registrationBody, startTestApi, type TestApi } from '../support/api.js';

/** `decisions.md`, General: rate limits. A factor below one keeps the numbers of this test small. */
describe('rate limits', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '0.05' } });
  });
  afterAll(() => api?.close());

  it('takes 60 registrations an hour from an address, times the factor', async () => {
    for (let i = 0; i < 3; i++) {
      expect((await api.browser().post('/api/auth/register', registrationBody())).status).toBe(201);
    }
    const fourth = await api.browser().post('/api/auth/register', registrationBody());
    expect(fourth).toMatchObject({ status: 429, body: { statusCode: 429, code: 'TOO_MANY_REQUESTS' } });
    expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan(3_000);
    // Another address cannot be pretended: no proxy is trusted here.
    const pretended = await api
      .browser()
      .post('/api/auth/register', registrationBody(), { 'x-forwarded-for': '203.0.113.7' });
    expect(pretended.status).toBe(429);
  });

  it("takes 100 of a member's commands a second, times the factor, and any number of reads", async () => {
    const { rows } = await api.database.pool.query('select id, email from accounts order by created_at limit 1');
    const browser = api.browser();
    const { email } = rows[0];
    await browser.post('/api/auth/signin', { email, password: 'correct horse', tcConsent: true, tcVersion: '1.0' });
    const body = { recipientId: rows[0].id, amount: 1_000 };
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.post('/api/gifts/preview', body)));
    const refused = answers.filter(({ status }) => status === 429);
    // Five fit into one second, ten if a second ends meanwhile.
    expect(refused.length).toBeGreaterThanOrEqual(10);
    expect(refused[0]!.headers.get('retry-after')).toBe('1');
    const reads = await Promise.all(Array.from({ length: 20 }, () => browser.get('/api/auth/user')));
    expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('rate limits behind a proxy that is trusted', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '0.05', TRUST_PROXY: 'loopback' } });
  });
  afterAll(() => api?.close());

  it('count by the address that the proxy saw, and not by one that the caller wrote before it', async () => {
    const registering = async (forwardedFor: string): Promise<number> => {
      const answer = await api
        .browser()
        .post('/api/auth/register', registrationBody(), { 'x-forwarded-for': forwardedFor });
      return answer.status;
    };
    for (let i = 0; i < 3; i++) expect(await registering('203.0.113.7')).toBe(201);
    expect(await registering('203.0.113.7')).toBe(429);
    expect(await registering('203.0.113.9, 203.0.113.7')).toBe(429);
    expect(await registering('203.0.113.8')).toBe(201);
  });
});
