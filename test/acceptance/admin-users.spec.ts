import { randomUUID } from 'node:crypto';
import { BlockedEmails } from '../../apps/api/src/identity/blocked-emails.js';
import { SecretHashing } from '../../apps/api/src/identity/secret-hashing.js';
import { startTestApi, type TestAnswer, type TestApi, type TestMember } from '../support/api.js';
import { EXPLANATION, rate, REVIEW, talk } from '../support/chats.js';
import { openPlain } from '../support/live.js';
import { meeting } from '../support/meeting.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { activeChat } from '../support/open-chat.js';
import { GOOD_PASSWORD, GOOD_PIN } from '../support/secrets.js';

const terms = { tcConsent: true, tcVersion: '1.0' };

describe('what admins do about members', () => {
  let api: TestApi;
  let admin: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
  });
  afterAll(() => api?.close());

  const act = (userId: string, action: string, body: unknown) =>
    admin.browser.post(`/api/admin/users/${userId}/${action}`, body);
  const signIn = ({ email }: { email: string }, password: string) =>
    api.browser().post('/api/auth/signin', { email, password, ...terms });
  const recover = ({ email }: { email: string }, pin: string) =>
    api.browser().post('/api/auth/recover', { email, pin, newPassword: 'a new password' });
  const register = (email: string) =>
    api
      .browser()
      .post('/api/auth/register', { displayName: 'Mallory', email, password: GOOD_PASSWORD, pin: GOOD_PIN, ...terms });
  /** Makes a call that sets a secret, and lets something else happen before the secret is hashed. */
  const meanwhile = async (call: () => Promise<TestAnswer>, happens: () => Promise<unknown>): Promise<TestAnswer> => {
    const hashing = api.nova.app.get(SecretHashing);
    const hash = hashing.hash.bind(hashing);
    const standing = jest.spyOn(hashing, 'hash').mockImplementationOnce(async (secret, asker) => {
      await happens();
      return hash(secret, asker);
    });
    const answer = await call();
    expect(standing).toHaveBeenCalled();
    standing.mockRestore();
    return answer;
  };
  const audit = async (targetId: string) => {
    const { rows } = await api.database.pool.query(
      `select a.action, a.admin_id, a.rating, r.reason from read.audit a left join admin_reason r on r.id::text = a.reason_id
       where a.target_id = $1 order by a.position`,
      [targetId],
    );
    return rows;
  };

  describe('resetting a password', () => {
    it('ends every session and socket, and leaves an event with its reason', async () => {
      const ada = await api.member({ displayName: 'Ada' });
      const elsewhere = api.browser();
      await elsewhere.post('/api/auth/signin', { email: ada.email, password: ada.password, ...terms });
      const socket = await openPlain(api, ada);
      const answer = await act(ada.id, 'reset-password', { newPassword: 'sesame', reason: ' She called us. ' });
      expect([answer.status, answer.body.message]).toEqual([
        201,
        'The password of Ada was reset. They are signed out everywhere.',
      ]);
      await socket.untilClosed();
      expect((await ada.browser.get('/api/auth/user')).status).toBe(401);
      expect((await elsewhere.get('/api/auth/user')).status).toBe(401);
      expect((await signIn(ada, ada.password)).status).toBe(401);
      expect((await signIn(ada, 'sesame')).status).toBe(200);
      expect(await audit(ada.id)).toEqual([
        { action: 'PasswordReset', admin_id: admin.id, rating: null, reason: 'She called us.' },
      ]);
    });

    it.each([
      [{}, 'REQUIRED'],
      [{ newPassword: 'short' }, 'INVALID_PASSWORD'],
      [{ newPassword: 123_456 }, 'INVALID_PASSWORD'],
      [{ newPassword: 'x'.repeat(129) }, 'INVALID_PASSWORD'],
      [{ newPassword: 'long enough', reason: 'x'.repeat(501) }, 'VALIDATION_FAILED'],
      [{ newPassword: 'long enough', other: 1 }, 'UNKNOWN_FIELD'],
    ])('refuses %j and changes nothing', async (body, code) => {
      const ada = await api.member();
      expect(await act(ada.id, 'reset-password', body)).toMatchObject({ status: 400, body: { code } });
      expect((await ada.browser.get('/api/auth/user')).status).toBe(200);
      expect(await audit(ada.id)).toEqual([]);
    });
  });

  describe('resetting a PIN', () => {
    it('lifts the lock on recovery, and ends every session', async () => {
      const ada = await api.member();
      for (let attempt = 0; attempt < 6; attempt++) await recover(ada, '9999');
      expect((await recover(ada, ada.pin)).status).toBe(429);
      expect((await act(ada.id, 'reset-pin', { newPin: '0420' })).status).toBe(201);
      expect((await ada.browser.get('/api/auth/user')).status).toBe(401);
      expect((await recover(ada, ada.pin)).status).toBe(401);
      expect((await recover(ada, '0420')).status).toBe(200);
      expect(await audit(ada.id)).toMatchObject([{ action: 'PinReset', reason: null }]);
    });

    it('lets nobody in who proved the old one just before', async () => {
      const ada = await api.member({ pin: '4711' });
      const reset = async () => expect((await act(ada.id, 'reset-pin', { newPin: '0420' })).status).toBe(201);
      const answer = await meanwhile(() => recover(ada, '4711'), reset);
      expect(answer).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } });
      expect((await signIn(ada, ada.password)).status).toBe(200);
    });

    it.each([{}, { newPin: '123' }, { newPin: '12345' }, { newPin: '12a4' }, { newPin: 1234 }, { newPin: '١٢٣٤' }])(
      'refuses %j',
      async (body) => {
        const ada = await api.member();
        expect((await act(ada.id, 'reset-pin', body)).status).toBe(400);
        expect((await ada.browser.get('/api/auth/user')).status).toBe(200);
      },
    );
  });

  describe('changing a rating', () => {
    const seen = async (viewer: TestMember, id: string): Promise<number> =>
      (await viewer.browser.get(`/api/discovery/profiles/${id}`)).body.rating;

    it('is seen everywhere at once, and the next rating is averaged from it on', async () => {
      const chat = await activeChat(api, admin);
      const { host, initiator } = chat;
      expect(await seen(initiator, host.id)).toBe(5);
      const changed = await act(host.id, 'change-rating', { rating: 2.35, reason: 'Unfair ratings' });
      expect(changed).toMatchObject({
        status: 201,
        body: { message: `The rating of ${host.displayName} is now 2.35.`, user: { id: host.id, rating: 2.35 } },
      });
      expect(await seen(initiator, host.id)).toBe(2.35);
      expect((await initiator.browser.get(`/api/chats/${chat.chatId}`)).body.host.rating).toBe(2.35);
      await talk(chat, 5);
      await rate(initiator, chat.chatId, { rating: 90 });
      const { rating, ratingCount } = (await admin.browser.get(`/api/admin/users?search=${host.email}`)).body.users[0];
      expect(ratingCount).toBe(1);
      // (2.35 + 9) / 2
      expect(rating).toBe(5.68);
      expect(await audit(host.id)).toMatchObject([
        { action: 'MemberRatingChanged', rating: 2.35, reason: 'Unfair ratings' },
      ]);
    });

    it.each([0, 0.01, 0.29, 1.15, 4.35, 8.2, 9.99])('takes %d', async (rating) => {
      const ada = await api.member();
      expect((await act(ada.id, 'change-rating', { rating })).body.user.rating).toBe(rating);
    });

    it.each([10, 5.555, '5', -0.01, 9.991, null, undefined, 1e300, [5]])('refuses %j', async (rating) => {
      const ada = await api.member();
      const refused = await act(ada.id, 'change-rating', { rating });
      expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_RATING' } });
      expect(await audit(ada.id)).toEqual([]);
    });
  });

  it.each([
    ['reset-password', { newPassword: 'long enough' }],
    ['reset-pin', { newPin: '1234' }],
  ])('%s of a member who is deleted meanwhile finds nobody', async (action, body) => {
    const ada = await api.member();
    const remove = () => admin.browser.delete(`/api/admin/users/${ada.id}`);
    expect(await meanwhile(() => act(ada.id, action, body), remove)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', message: 'This user was not found.' },
    });
  });

  it('recovers no account that is deleted meanwhile', async () => {
    const ada = await api.member({ pin: '4711' });
    const remove = () => admin.browser.delete(`/api/admin/users/${ada.id}`);
    const answer = await meanwhile(() => recover(ada, '4711'), remove);
    expect(answer).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } });
  });

  it('knows no user by another id', async () => {
    for (const id of [randomUUID(), 'x', '%00']) {
      for (const [action, body] of [
        ['reset-password', { newPassword: 'long enough' }],
        ['reset-pin', { newPin: '1234' }],
        ['change-rating', { rating: 5 }],
      ] as const) {
        expect((await act(id, action, body)).status).toBe(404);
      }
      expect((await admin.browser.get(`/api/admin/users/${id}/comments`)).status).toBe(404);
      expect((await admin.browser.delete(`/api/admin/users/${id}`)).status).toBe(404);
    }
  });

  it('reports what others wrote about a member and they about others, on the scale of 1 to 100', async () => {
    const chat = await activeChat(api, admin);
    const { host, initiator, chatId } = chat;
    await talk(chat, 5);
    await rate(initiator, chatId, { rating: 40, explanation: EXPLANATION });
    await rate(host, chatId, { rating: 90 });
    const report = (await admin.browser.get(`/api/admin/users/${host.id}/comments`)).body;
    expect(report).toEqual({
      user: expect.objectContaining({ id: host.id, rating: 4, ratingCount: 1 }),
      stats: { totalRatingsReceived: 1, totalRatingsMade: 1, averageRatingReceived: 40, averageRatingGiven: 90 },
      ratingsAboutUser: [
        {
          id: `${chatId}:${initiator.id}`,
          raterId: initiator.id,
          raterName: initiator.displayName,
          rating: 40,
          comment: REVIEW,
          explanation: EXPLANATION,
          chatId,
          createdAt: expect.any(String),
        },
      ],
      ratingsMadeByUser: [
        {
          id: `${chatId}:${host.id}`,
          ratedUserId: initiator.id,
          ratedUserName: initiator.displayName,
          rating: 90,
          comment: REVIEW,
          explanation: null,
          chatId,
          createdAt: expect.any(String),
        },
      ],
    });
    const { stats } = (await admin.browser.get(`/api/admin/users/${admin.id}/comments?limit=5`)).body;
    expect(stats).toEqual({
      totalRatingsReceived: 0,
      totalRatingsMade: 0,
      averageRatingReceived: 0,
      averageRatingGiven: 0,
    });
    expect((await admin.browser.get(`/api/admin/users/${host.id}/comments?limit=0`)).status).toBe(400);
  });

  describe('blocking an address', () => {
    const block = (body: unknown) => admin.browser.post('/api/admin/block-email', body);
    const listed = async (search: string) =>
      (await admin.browser.get(`/api/admin/blocked-emails?search=${encodeURIComponent(search)}`)).body;

    it('holds for every way to write it, until it is unblocked', async () => {
      const blocked = await block({ email: 'Mal.Lory+spam@googlemail.com', reason: 'Spam' });
      expect([blocked.status, blocked.body.message]).toEqual([
        201,
        'Mal.Lory+spam@googlemail.com can no longer be used to register.',
      ]);
      const { id } = blocked.body.blockedEmail;
      for (const email of ['mallory@gmail.com', 'MALLORY+2@GMAIL.COM', 'm.a.l.l.o.r.y@googlemail.com']) {
        expect(await register(email)).toMatchObject({ status: 403, body: { code: 'EMAIL_BLOCKED' } });
      }
      expect((await register('mallory2@gmail.com')).status).toBe(201);
      expect(await listed('mallory')).toMatchObject({
        blockedEmails: [
          {
            id,
            email: 'Mal.Lory+spam@googlemail.com',
            mailbox: 'mallory@gmail.com',
            reason: 'Spam',
            blockedBy: 'Rhea',
            createdAt: expect.any(String),
          },
        ],
        pagination: { page: 1, limit: 10, total: 1, totalPages: 1 },
      });
      expect(await block({ email: 'mallory@gmail.com' })).toMatchObject({
        status: 409,
        body: { code: 'EMAIL_BLOCKED_ALREADY' },
      });
      const unblocked = await admin.browser.delete(`/api/admin/blocked-emails/${id}`);
      expect([unblocked.status, unblocked.body.message]).toEqual([
        200,
        'Mal.Lory+spam@googlemail.com can be used to register again.',
      ]);
      expect((await admin.browser.delete(`/api/admin/blocked-emails/${id}`)).status).toBe(404);
      expect((await register('mallory@gmail.com')).status).toBe(201);
      expect((await listed('mallory')).pagination.total).toBe(0);
      expect(await audit(id)).toMatchObject([{ action: 'EmailBlocked', reason: 'Spam' }, { action: 'EmailUnblocked' }]);
    });

    it('is written down once, and so is its end, by whomever of two admins', async () => {
      const blocked = api.nova.app.get(BlockedEmails);
      const [isBlocked, bothBlock] = [blocked.isBlocked.bind(blocked), meeting(2)];
      const looks = jest.spyOn(blocked, 'isBlocked').mockImplementation(async (mailbox) => {
        const answer = await isBlocked(mailbox);
        await bothBlock();
        return answer;
      });
      const body = { email: 'twice@example.com', reason: 'Twice' };
      const answers = await Promise.all([block(body), block(body)]);
      looks.mockRestore();
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
      const written = await api.database.pool.query(
        `select r.id from read.audit a full join admin_reason r on r.id::text = a.reason_id where r.reason = 'Twice'`,
      );
      expect(written.rows).toHaveLength(1);
      const [{ id }] = (await listed('twice')).blockedEmails;
      const [remove, bothUnblock] = [blocked.remove.bind(blocked), meeting(2)];
      const removals = jest.spyOn(blocked, 'remove').mockImplementation(async (blockedId) => {
        await bothUnblock();
        await remove(blockedId);
      });
      const unblock = () => admin.browser.delete(`/api/admin/blocked-emails/${id}`);
      await Promise.all([unblock(), unblock()]);
      removals.mockRestore();
      expect(await audit(id)).toMatchObject([
        { action: 'EmailBlocked', reason: 'Twice' },
        { action: 'EmailUnblocked' },
      ]);
    });

    it('leaves an account that has the address', async () => {
      const ada = await api.member();
      expect((await block({ email: ada.email })).status).toBe(201);
      expect((await signIn(ada, ada.password)).status).toBe(200);
    });

    it.each([
      {},
      { email: '' },
      { email: 'nobody' },
      { email: 'a@b' },
      { email: 5 },
      { email: `${'x'.repeat(250)}@example.com` },
    ])('refuses %j', async (body) => expect((await block(body)).status).toBe(400));
  });

  it('are found by an address with accents, and so are their movements', async () => {
    const { id, email } = await api.member({ email: `jürgen-${randomUUID()}@example.com` });
    await grantNova(admin, id, 10);
    for (const search of [email, email.toUpperCase()]) {
      const query = `search=${encodeURIComponent(search)}`;
      expect((await admin.browser.get(`/api/admin/users?${query}`)).body.users).toMatchObject([{ id }]);
      expect((await admin.browser.get(`/api/admin/transactions?${query}`)).body.pagination.total).toBe(1);
    }
  });

  describe('the list of users', () => {
    const names = async (query: string): Promise<string[]> =>
      (await admin.browser.get(`/api/admin/users?search=sorted&${query}`)).body.users.map(
        ({ displayName }: { displayName: string }) => displayName,
      );

    it('is sorted by the server', async () => {
      const [b, a, c] = [
        await api.member({ displayName: 'Sorted b' }),
        await api.member({ displayName: 'Sorted Á' }),
        await api.member({ displayName: 'sorted C' }),
      ];
      await grantNova(admin, a.id, 20);
      await grantNova(admin, c.id, 5);
      await act(b.id, 'change-rating', { rating: 9 });
      await act(c.id, 'change-rating', { rating: 1 });
      const orders: [string, string[]][] = [
        ['', ['sorted C', 'Sorted Á', 'Sorted b']],
        ['sort=created&order=asc', ['Sorted b', 'Sorted Á', 'sorted C']],
        ['sort=name&order=asc', ['Sorted Á', 'Sorted b', 'sorted C']],
        ['sort=name&order=desc', ['sorted C', 'Sorted b', 'Sorted Á']],
        ['sort=balance&order=desc', ['Sorted Á', 'sorted C', 'Sorted b']],
        ['sort=balance&order=asc', ['Sorted b', 'sorted C', 'Sorted Á']],
        ['sort=rating', ['Sorted b', 'Sorted Á', 'sorted C']],
        ['sort=rating&order=asc&limit=1&page=2', ['Sorted Á']],
      ];
      for (const [query, expected] of orders) expect([query, await names(query)]).toEqual([query, expected]);
      for (const query of ['sort=email', 'sort=', 'order=up', 'sort[]=name']) {
        expect((await admin.browser.get(`/api/admin/users?${query}`)).status).toBe(400);
      }
    });

    it.each(['balance', 'rating'] as const)('holds everybody once, in the order of their %s', async (sort) => {
      const [b, a] = [await api.member({ displayName: 'b' }), await api.member({ displayName: 'a' })];
      const [c, gone] = [await api.member({ displayName: 'c' }), await api.member({ displayName: 'gone' })];
      await grantNova(admin, a.id, 30);
      await grantNova(admin, b.id, 30);
      await act(b.id, 'deduct-nova', { amount: 30, reason: 'Back to nothing' });
      await Promise.all([a, gone].map(({ id }) => act(id, 'change-rating', { rating: 8 })));
      await act(b.id, 'change-rating', { rating: 5 });
      await act(c.id, 'change-rating', { rating: 2 });
      expect((await admin.browser.delete(`/api/admin/users/${gone.id}`, { reason: 'Asked for it' })).status).toBe(200);
      type User = { readonly id: string; readonly novaBalance: number; readonly rating: number };
      const users = async (order: string, page: number, limit: number): Promise<User[]> =>
        (await admin.browser.get(`/api/admin/users?sort=${sort}&order=${order}&page=${page}&limit=${limit}`)).body
          .users;
      const keyOf = (user: User): number => (sort === 'balance' ? user.novaBalance : user.rating);
      const ids = (list: readonly User[]): string[] => list.map(({ id }) => id);
      const everybody: User[] = (await admin.browser.get('/api/admin/users?sort=created&limit=100')).body.users;
      const ascending = everybody.toSorted((x, y) => keyOf(x) - keyOf(y) || (x.id < y.id ? -1 : 1));
      expect(new Set(everybody.map(keyOf)).size).toBeGreaterThan(1);
      expect(ids(everybody)).not.toContain(gone.id);
      for (const [order, expected] of [
        ['asc', ascending],
        ['desc', ascending.toReversed()],
      ] as const) {
        const paged: User[] = [];
        for (let page = 1; page <= Math.ceil(expected.length / 3) + 1; page++)
          paged.push(...(await users(order, page, 3)));
        expect(ids(paged)).toEqual(ids(expected));
        expect(ids(await users(order, 1, 100))).toEqual(ids(expected));
      }
    });
  });
});
