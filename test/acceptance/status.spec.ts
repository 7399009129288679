import { randomUUID } from 'node:crypto';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { moveChatTime, rate, talk } from '../support/chats.js';
import { eventually } from '../support/eventually.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { acceptChat, activeChat, type OpenChat, requestChat } from '../support/open-chat.js';

const DAY = 24 * 60 * 60_000;
const NOBODY = '018f0000-0000-7000-8000-000000000000';

const dashboardOf = async (member: TestMember) => (await member.browser.get('/api/status/dashboard')).body;
const pendingOf = async (member: TestMember) => (await member.browser.get('/api/status/pending-ratings')).body;
const influenceOf = async (member: TestMember) => (await member.browser.get('/api/status/influence')).body;
const submit = (member: TestMember, body: unknown) => member.browser.post('/api/status/submit-rating', body);
const burn = (member: TestMember, body: unknown, key?: string) =>
  member.browser.post('/api/status/burn-tokens', body, key === undefined ? undefined : { 'idempotency-key': key });

describe('the status dashboard', () => {
  let api: TestApi;
  let admin: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi, { environment: { ALLOW_TEST_PERKS: 'true' } }));
  });
  afterAll(() => api?.close());

  /** A successful chat whose money has moved. */
  const successful = async (chat?: OpenChat): Promise<OpenChat> => {
    const talked = chat ?? (await activeChat(api, admin));
    await talk(talked, 5);
    await eventually(
      () =>
        api.database.pool.query('select from read.chats where chat_id = $1 and settled_at is not null', [
          talked.chatId,
        ]),
      ({ rowCount }) => rowCount === 1,
    );
    return talked;
  };

  /** The same two once more. */
  const again = async ({ initiator, host }: OpenChat): Promise<OpenChat> => {
    const chat = { chatId: await requestChat(initiator, host), initiator, host };
    await acceptChat(chat);
    return successful(chat);
  };

  it('shows a new member nothing but zeros', async () => {
    const member = await api.member();
    const answer = await member.browser.get('/api/status/dashboard');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      earnedNova: 0,
      purchasedNova: 0,
      novaBalance: 0,
      influenceTokens: 0,
      karmaTokens: 0,
      karmaTokenBalance: 0,
      karmaTokenProgress: { hasKarmaToken: false, current: 0, required: 5, percentage: 0 },
      rating: 5,
      ratingCount: 0,
      completedChats: 0,
      pendingRatings: 0,
      pendingRewards: 0,
      pendingRewardItems: [],
      seyvnBalance: 0,
      seyvnValue: 0,
      followPermissions: [],
      testPerksAllowed: true,
    });
    expect((await member.browser.get('/api/status-dashboard')).body).toEqual(answer.body);
    expect(await pendingOf(member)).toEqual([]);
    const none = { points: 0, totalPoints: expect.any(Number), sharePercent: 0, rewardsPaid: 0, rewardsOwed: 0 };
    expect(await influenceOf(member)).toEqual({
      ...none,
      karma: none,
      threads: { count: 0, rewardsPaid: 0, rewardsOwed: 0 },
    });
  });

  it('shows what waits until one has rated, and gives it when one does', async () => {
    const { chatId, initiator, host } = await successful();
    const [waiting] = await pendingOf(host);
    expect(await pendingOf(host)).toEqual([
      {
        chatId,
        otherUserName: initiator.displayName,
        otherUserAvatar: null,
        chatPrice: 1_250,
        rateBy: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ]);
    expect(new Date(waiting.rateBy).getTime() - Date.now()).toBeGreaterThan(6.9 * DAY);
    const before = await dashboardOf(host);
    expect(before).toMatchObject({ earnedNova: 0, pendingRatings: 1, pendingRewards: 625, completedChats: 0 });
    expect(before.pendingRewardItems).toEqual([
      {
        chatId,
        otherUser: { id: initiator.id, displayName: initiator.displayName, profileImageUrl: null, rating: 5 },
        nova: 625,
        influence: 0,
        reason: 'rate',
        message: `Rate your chat with ${initiator.displayName} to receive this now.`,
        releaseAt: waiting.rateBy,
      },
    ]);
    expect((await dashboardOf(initiator)).pendingRewardItems).toEqual([
      expect.objectContaining({ chatId, nova: 0, influence: 1 }),
    ]);

    const rated = await submit(host, { chatId, rating: 9, comment: 'Nice.' });
    expect([rated.status, rated.body]).toEqual([200, { rewardsReleased: 625, message: 'You received 625.00 Nova.' }]);
    expect(await dashboardOf(host)).toMatchObject({
      earnedNova: 625,
      pendingRatings: 0,
      pendingRewards: 0,
      pendingRewardItems: [],
      seyvnValue: 625,
      completedChats: 0,
    });
    expect(await pendingOf(host)).toEqual([]);
    expect(await dashboardOf(initiator)).toMatchObject({ rating: 9, ratingCount: 1, pendingRatings: 1 });
    expect((await initiator.browser.get('/api/auth/user')).body.user).toMatchObject({ rating: 9, ratingCount: 1 });

    const closing = await submit(initiator, { chatId, rating: 10 });
    expect([closing.status, closing.body]).toEqual([200, { rewardsReleased: 0, message: 'You received 1 Influence.' }]);
    expect(await dashboardOf(initiator)).toMatchObject({ influenceTokens: 1, completedChats: 1, seyvnValue: 8_760 });
    expect(await dashboardOf(host)).toMatchObject({ rating: 9.99, ratingCount: 1, completedChats: 1 });

    const history = (await host.browser.get('/api/chats/completed-history')).body;
    expect(history.chatHistories).toEqual([
      expect.objectContaining({ chatId, novaEarned: 625, isInitiator: false, myRating: 90, theirRating: 100 }),
    ]);
    for (const member of [host, initiator]) {
      const twice = await submit(member, { chatId, rating: 5 });
      expect(twice.status).toBe(409);
    }
  });

  it('counts Karma on every fifth completed chat, and the host’s fifth Influence', async () => {
    let chat = await successful();
    for (let done = 1; done < 5; done++) {
      await rate(chat.initiator, chat.chatId);
      await rate(chat.host, chat.chatId);
      chat = await again(chat);
    }
    const { initiator, host, chatId } = chat;
    expect(await dashboardOf(host)).toMatchObject({
      karmaTokens: 0,
      karmaTokenProgress: { hasKarmaToken: false, current: 4, required: 5, percentage: 80 },
      pendingRewardItems: [{ chatId, nova: 625, influence: 1 }],
    });
    await rate(initiator, chatId);
    expect((await submit(host, { chatId, rating: 8 })).body).toEqual({
      rewardsReleased: 625,
      message: 'You received 625.00 Nova and 1 Influence.',
    });
    for (const member of [initiator, host]) {
      const seen = await eventually(
        () => dashboardOf(member),
        ({ karmaTokenBalance }) => karmaTokenBalance === 1,
      );
      expect(seen).toMatchObject({
        karmaTokens: 1,
        completedChats: 5,
        karmaTokenProgress: { hasKarmaToken: true, current: 0, percentage: 0 },
        influenceTokens: member === host ? 1 : 5,
      });
      expect(seen.seyvnValue).toBe(seen.earnedNova + 10 * seen.influenceTokens + 5);
    }
    const seen = await influenceOf(initiator);
    expect(seen).toMatchObject({ points: 5, karma: { points: 1 }, threads: { count: 1 } });
    expect(seen.sharePercent).toBeCloseTo((100 * seen.points) / seen.totalPoints, 1);
    // From its second chat on the host's thread pool has a holder: 10 % of four chats, but for a fraction of the division.
    const fromThreads = seen.threads.rewardsPaid + seen.threads.rewardsOwed;
    expect(fromThreads).toBeGreaterThan(499.9);
    expect(fromThreads).toBeLessThanOrEqual(500);
    const { perpetualBenefits } = (await initiator.browser.get(`/api/chats/${chatId}/payout`)).body;
    expect(perpetualBenefits).toMatchObject({
      hasTokenRewards: true,
      hasThreadRewards: true,
      totalThreadRewards: fromThreads,
      tokenBreakdown: [{ tokenCount: 1 }, { tokenCount: 5 }],
      threadBreakdown: [
        { ownershipPercentage: 100, threadSource: expect.stringContaining(host.displayName), amount: fromThreads },
      ],
    });

    // Burned Karma still counts as earned.
    const burned = await burn(initiator, { earnedNovaAmount: 0, karmaAmount: 1 });
    expect([burned.status, burned.body]).toEqual([
      200,
      expect.objectContaining({ message: 'Burned for 5.00 Seyvn.', seyvnCredited: 5, seyvnBalance: 5 }),
    ]);
    expect(await dashboardOf(initiator)).toMatchObject({ karmaTokens: 1, karmaTokenBalance: 0, seyvnBalance: 5 });
  });

  it('splits one’s Nova into where it is', async () => {
    const { initiator, host } = await activeChat(api, admin);
    expect((await initiator.browser.get('/api/status/nova-breakdown')).body).toEqual({
      purchased: 0,
      earned: 8_750,
      owed: 0,
      pending: 0,
      held: 1_250,
      total: 8_750,
      slices: [
        { key: 'purchased', label: expect.any(String), amount: 0 },
        { key: 'earned', label: expect.any(String), amount: 8_750 },
        { key: 'owed', label: expect.any(String), amount: 0 },
        { key: 'pending', label: expect.any(String), amount: 0 },
        { key: 'held', label: expect.any(String), amount: 1_250 },
      ],
    });
    expect((await host.browser.get('/api/status/nova-breakdown')).body).toMatchObject({ total: 0, held: 0 });
  });

  it('names whom one follows and who follows back, and counts whom one follows', async () => {
    const [ada, bob, eve] = [await api.member({ displayName: 'Ada' }), await api.member(), await api.member()];
    for (const [from, to] of [
      [ada, bob],
      [bob, ada],
      [ada, eve],
    ] as const) {
      expect((await from.browser.post(`/api/users/${to.id}/follow`)).status).toBeLessThan(300);
    }
    expect((await dashboardOf(ada)).followPermissions.map(({ id }: { id: string }) => id)).toEqual([bob.id]);
    expect((await dashboardOf(eve)).followPermissions).toEqual([]);
    expect((await ada.browser.get('/api/auth/user')).body.user.followingCount).toBe(2);
    await ada.browser.delete(`/api/users/${bob.id}/follow`);
    expect((await dashboardOf(bob)).followPermissions).toEqual([]);
    expect((await ada.browser.get('/api/auth/user')).body.user.followingCount).toBe(1);
  });

  describe('a rating from 1 to 10', () => {
    it.each([
      ['zero', { rating: 0 }],
      ['eleven', { rating: 11 }],
      ['a fraction', { rating: 7.5 }],
      ['text', { rating: '9' }],
      ['nothing', { rating: undefined }],
    ])('is not %s', async (_, given) => {
      const member = await api.member();
      const answer = await submit(member, { chatId: NOBODY, ...given });
      expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_RATING']);
    });

    it('has a comment of 100 characters at most, and no other fields', async () => {
      const member = await api.member();
      for (const given of [{ comment: 'x'.repeat(101) }, { comment: 7 }, { comment: 'a\u0000b' }, { novaCost: 1 }]) {
        expect((await submit(member, { chatId: NOBODY, rating: 9, ...given })).status).toBe(400);
      }
    });

    it.each([
      ['an unknown chat', NOBODY],
      ['what is no id', "'; drop table chats; --"],
    ])('is not for %s', async (_, chatId) => {
      const member = await api.member();
      const answer = await submit(member, { chatId, rating: 9 });
      expect([answer.status, answer.body.code]).toEqual([404, 'CHAT_NOT_FOUND']);
    });

    it('is answered as it was when repeated under its key, which rates no other chat', async () => {
      const [{ chatId, host }, other] = [await successful(), await successful()];
      const key = { 'idempotency-key': randomUUID() };
      const rating = (body: object) => host.browser.post('/api/status/submit-rating', body, key);
      const [first, second] = [await rating({ chatId, rating: 9 }), await rating({ chatId, rating: 9 })];
      expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
      const reused = await rating({ chatId: other.chatId, rating: 9 });
      expect([reused.status, reused.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    });

    it('is neither for strangers nor for a chat under way', async () => {
      const { chatId, host } = await activeChat(api, admin);
      const stranger = await api.member();
      expect((await submit(stranger, { chatId, rating: 9 })).status).toBe(404);
      const early = await submit(host, { chatId, rating: 9 });
      expect([early.status, early.body.code]).toEqual([409, 'CHAT_NOT_SUCCESSFUL']);
    });

    it('comes too late after seven days, when the reward was given without it', async () => {
      const { chatId, host } = await successful();
      const time = moveChatTime(api);
      try {
        time.forward(7 * DAY + 60_000);
        await eventually(
          () => dashboardOf(host),
          ({ earnedNova, completedChats }) => earnedNova === 625 && completedChats === 1,
        );
        expect(await pendingOf(host)).toEqual([]);
        expect((await submit(host, { chatId, rating: 9 })).status).toBe(409);
      } finally {
        time.restore();
      }
    });
  });

  describe('burning', () => {
    it('takes 100 earned Nova by itself, and a repeat with its key once', async () => {
      const member = await api.member();
      await grantNova(admin, member.id, 1_000);
      const first = await burn(member, {}, 'burn-1');
      expect([first.status, first.body]).toEqual([
        200,
        { message: 'Burned for 100.00 Seyvn.', seyvnCredited: 100, seyvnBalance: 100, novaBalance: 900 },
      ]);
      expect((await burn(member, {}, 'burn-1')).body).toMatchObject({ seyvnCredited: 100, seyvnBalance: 100 });
      const reused = await burn(member, { earnedNovaAmount: 1 }, 'burn-1');
      expect([reused.status, reused.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      expect(await dashboardOf(member)).toMatchObject({ earnedNova: 900, seyvnBalance: 100, seyvnValue: 900 });
    });

    it.each([
      ['nothing', { earnedNovaAmount: 0 }],
      ['less than nothing', { earnedNovaAmount: -1 }],
      ['more Nova than there is', { earnedNovaAmount: 1_000.01 }],
      ['Karma that one does not have', { earnedNovaAmount: 0, karmaAmount: 1 }],
      ['half an Influence', { earnedNovaAmount: 0, influenceAmount: 0.5 }],
      ['three decimals', { earnedNovaAmount: 0.001 }],
      ['text', { earnedNovaAmount: '100' }],
      ['a huge number', { earnedNovaAmount: 1e300 }],
      ['more Karma than numbers are exact for', { karmaAmount: 2 ** 60 }],
    ])('is refused for %s, and changes nothing', async (_, given) => {
      const member = await api.member();
      await grantNova(admin, member.id, 1_000);
      const answer = await burn(member, given);
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(/\.$/)]);
      expect(await dashboardOf(member)).toMatchObject({ earnedNova: 1_000, seyvnBalance: 0 });
    });
  });

  describe('test perks', () => {
    it('are earned Nova, and the answer says that the rest comes from chats', async () => {
      const member = await api.member();
      const answer = await member.browser.post('/api/status/create-test-perks');
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          message: 'You received 1,000 earned Nova to test with. Karma and Influence come from chats.',
          novaBalance: 1_000,
        },
      ]);
      expect(await dashboardOf(member)).toMatchObject({ earnedNova: 1_000, karmaTokens: 0, influenceTokens: 0 });
    });
  });

  it.each([
    ['GET', '/api/status/dashboard'],
    ['GET', '/api/status-dashboard'],
    ['GET', '/api/status/pending-ratings'],
    ['GET', '/api/status/nova-breakdown'],
    ['GET', '/api/status/influence'],
    ['POST', '/api/status/submit-rating'],
    ['POST', '/api/status/create-test-perks'],
    ['POST', '/api/status/burn-tokens'],
  ])('%s %s needs a session', async (method, path) => {
    expect((await api.browser().send(method, path)).status).toBe(401);
  });
});

describe('an installation without test perks', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api?.close());

  it('gives none', async () => {
    const member = await api.member();
    const answer = await member.browser.post('/api/status/create-test-perks');
    expect([answer.status, answer.body.code]).toEqual([403, 'TEST_PERKS_OFF']);
    expect(await dashboardOf(member)).toMatchObject({ earnedNova: 0, testPerksAllowed: false });
  });
});
