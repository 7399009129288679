import { registrationBody, startTestApi, type TestApi } from '../support/api.js';
import { stopWindows } from '../support/limits.js';

/** Rate limits (`docs/spec/limits.md`). A factor below one keeps the numbers of this test small. */
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
    // Nobody can fake another address: no proxy is trusted here.
    const pretended = await api
      .browser()
      .post('/api/auth/register', registrationBody(), { 'x-forwarded-for': '203.0.113.7' });
    expect(pretended.status).toBe(429);
  });

  it("takes 100 of a member's commands a second, times the factor, and any number of reads", async () => {
    stopWindows(api, 'memberCommands');
    const { rows } = await api.database.pool.query('select id, email from accounts order by created_at limit 2');
    const [browser, other] = [api.browser(), api.browser()];
    for (const [index, each] of [browser, other].entries()) {
      const { email } = rows[index];
      await each.post('/api/auth/signin', { email, password: 'correct horse', tcConsent: true, tcVersion: '1.0' });
    }
    const body = { recipientId: rows[0].id, amount: 1_000 };
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.post('/api/gifts/preview', body)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(15);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect((await other.post('/api/gifts/preview', body)).status).not.toBe(429);
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

  it('refuse whoever guesses at a password, and not the member at another address', async () => {
    const body = registrationBody();
    await api.browser().post('/api/auth/register', body, { 'x-forwarded-for': '203.0.113.20' });
    const { email, tcConsent, tcVersion } = body;
    const known = { email, tcConsent, tcVersion };
    const signingIn = async (forwardedFor: string, password: string): Promise<number> => {
      const answer = await api
        .browser()
        .post('/api/auth/signin', { ...known, password }, { 'x-forwarded-for': forwardedFor });
      return answer.status;
    };
    expect(await signingIn('203.0.113.21', 'a wrong guess')).toBe(401);
    expect(await signingIn('203.0.113.21', body.password)).toBe(429);
    expect(await signingIn('203.0.113.22', body.password)).toBe(200);
  });
});
