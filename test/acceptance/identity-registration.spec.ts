import { registrationBody, startTestApi, type TestApi } from '../support/api.js';

describe('registering (S0 §5, §7)', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ environment: { ADMIN_EMAIL: 'Root@Example.com' } });
  });
  afterAll(() => api?.close());

  const accounts = async (): Promise<number> =>
    Number((await api.database.pool.query('select count(*) from accounts')).rows[0].count);

  it('makes an account, signs its browser in and answers the current user', async () => {
    const browser = api.browser();
    const body = registrationBody({ displayName: '  Ada  ', email: 'Ada@Example.com' });
    const answer = await browser.post('/api/auth/register', body);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      user: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        displayName: 'Ada',
        email: 'Ada@Example.com',
        isAdmin: false,
        profileImageUrl: null,
        profileCardThumbnailUrl: null,
        profileCardContent: null,
        novaBalance: 0,
        purchasedNova: 0,
        earnedNova: 0,
        followingCount: 0,
        rating: 5,
        ratingCount: 0,
      },
    });
    expect((await browser.get('/api/auth/user')).body).toEqual(answer.body);
  });
});
