import { randomUUID } from 'node:crypto';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { grantNova, novaBalance, signInAdmin } from '../support/money.js';
import { whileFirstStands, whileTableStands } from '../support/standing-table.js';

describe('what is paid on profile cards', () => {
  let api: TestApi;
  let admin: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
  });
  afterAll(() => api?.close());

  const rich = async (nova = 1_000): Promise<TestMember> => {
    const member = await api.member();
    await grantNova(admin, member.id, nova);
    return member;
  };
  const upvote = (member: TestMember, profileId: unknown, key?: string) =>
    member.browser.post('/api/discovery/upvote', { profileId }, key === undefined ? {} : { 'idempotency-key': key });
  const card = async (member: TestMember, id: string) =>
    (await member.browser.get(`/api/discovery/profiles/${id}`)).body;
  const statement = async (member: TestMember): Promise<[string, number][]> =>
    (await member.browser.get('/api/nova/transactions')).body.transactions.map(
      ({ type, amount }: { type: string; amount: number }) => [type, amount],
    );

  /** The place of a card among those that a member sees, 0 for the first. */
  const placeOf = async (member: TestMember, id: string): Promise<number> => {
    const { profiles } = (await member.browser.get('/api/discovery/feed?limit=100')).body;
    return profiles.findIndex((profile: { id: string }) => profile.id === id);
  };

  it('tells of a rise where there is one, also of cards to which nothing had happened', async () => {
    const ada = await rich(10_000);
    const others = [await api.member(), await api.member(), await api.member(), await api.member()];
    await ada.browser.post(`/api/users/${others[3]?.id}/block`);
    const [told, seen]: [boolean[], boolean[]] = [[], []];
    // The newest card is already first, and so is the next one if it stays behind cards with more.
    for (const at of [2, 2, 1, 0, 0, 1, 1, 1]) {
      const { id = '' } = others[at] ?? {};
      const before = await placeOf(ada, id);
      told.push((await upvote(ada, id)).body.positionChanged);
      seen.push((await placeOf(ada, id)) < before);
    }
    expect(told).toEqual(seen);
    expect(told.slice(0, 3)).toEqual([false, false, false]);
    expect(told).toContain(true);
  });

  it('tells of no rise where a card has passed one’s own, which is always the first', async () => {
    const [ada, ben, carl] = [await rich(10_000), await api.member(), await rich(10_000)];
    do await upvote(ada, ben.id);
    while ((await placeOf(ada, ben.id)) > 1);
    for (let n = 0; n < 10; n++) await upvote(ada, ben.id);
    for (let n = 0; n < 20; n++) await upvote(carl, ada.id);
    const told: boolean[] = [];
    for (let n = 0; n < 20; n++) told.push((await upvote(ada, ben.id)).body.positionChanged);
    expect(new Set(told)).toEqual(new Set([false]));
  });

  it('unlocks once, then gifts; half is the owner’s', async () => {
    const [ada, ben] = [await rich(), await api.member()];
    expect(await card(ada, ben.id)).toMatchObject({ isUnlocked: false });
    const first = await upvote(ada, ben.id);
    expect([first.status, first.body]).toEqual([
      200,
      {
        message: 'You unlocked this profile.',
        kind: 'unlock',
        novaDeducted: 50,
        novaBalance: 950,
        compatibilityScore: null,
        positionChanged: expect.any(Boolean),
      },
    ]);
    expect(await card(ada, ben.id)).toMatchObject({ isUnlocked: true });
    expect((await upvote(ada, ben.id)).body).toMatchObject({ kind: 'upvote', novaDeducted: 50, novaBalance: 900 });
    expect([await novaBalance(ada), await novaBalance(ben)]).toEqual([900, 50]);
    expect(await statement(ada)).toEqual([
      ['card_upvote_send', -50],
      ['card_unlock_send', -50],
      ['admin_grant', 1000],
    ]);
    expect(await statement(ben)).toEqual([
      ['card_upvote_receive', 25],
      ['card_unlock_receive', 25],
    ]);
  });

  it('answers a repeated upvote as it was, and charges nothing more', async () => {
    const [ada, ben] = [await rich(), await api.member()];
    const [first, second] = [randomUUID(), randomUUID()];
    for (let n = 0; n < 2; n++) {
      expect((await upvote(ada, ben.id, first)).body).toMatchObject({ kind: 'unlock', novaDeducted: 50 });
    }
    for (let n = 0; n < 2; n++) {
      expect((await upvote(ada, ben.id, second)).body).toMatchObject({ kind: 'upvote', novaDeducted: 50 });
    }
    expect((await upvote(ada, ben.id, first)).body).toMatchObject({ kind: 'unlock' });
    expect(await novaBalance(ada)).toBe(900);
  });

  it('takes no key for a second card, whatever it did to the first', async () => {
    const [ada, ben, carl, dan] = [await rich(), await api.member(), await api.member(), await api.member()];
    await upvote(ada, ben.id);
    const codes = [];
    for (const [one, other] of [
      [carl, dan],
      [ben, dan],
      [dan, ben],
    ] as const) {
      const key = randomUUID();
      const [first, second] = [await upvote(ada, one.id, key), await upvote(ada, other.id, key)];
      codes.push([first.status, second.status, second.body.code]);
    }
    expect(codes).toEqual(codes.map(() => [200, 422, 'IDEMPOTENCY_KEY_REUSED']));
    expect(await novaBalance(ada)).toBe(800);
  });

  it('remembers no key of what was refused', async () => {
    const [poor, ben, carl] = [await rich(49), await api.member(), await api.member()];
    const key = randomUUID();
    expect((await upvote(poor, ben.id, key)).body.code).toBe('INSUFFICIENT_NOVA');
    await grantNova(admin, poor.id, 1);
    expect((await upvote(poor, carl.id, key)).status).toBe(200);
    expect((await upvote(poor, ben.id, key)).status).toBe(422);
  });

  it('unlocks once under parallel upvotes', async () => {
    const [ada, ben] = [await rich(), await api.member()];
    const answers = await Promise.all(Array.from({ length: 8 }, () => upvote(ada, ben.id, randomUUID())));
    expect(answers.filter(({ body }) => body.kind === 'unlock')).toHaveLength(1);
    expect(answers.filter(({ body }) => body.kind === 'upvote')).toHaveLength(7);
    expect(await novaBalance(ada)).toBe(600);
  });

  it('tells whether a card has passed another', async () => {
    const [ada, ben, carl] = [await rich(5_000), await api.member(), await api.member()];
    for (let n = 0; n < 3; n++) await upvote(ada, carl.id);
    await upvote(ada, ben.id);
    expect(await placeOf(ada, carl.id)).toBeLessThan(await placeOf(ada, ben.id));
    const changes: boolean[] = [];
    for (let n = 0; n < 4; n++) changes.push((await upvote(ada, ben.id)).body.positionChanged);
    expect(changes).toContain(true);
    expect(await placeOf(ada, ben.id)).toBeLessThan(await placeOf(ada, carl.id));
    expect((await upvote(ada, ben.id)).body.positionChanged).toBe(false);
  });

  it('charges each step to another face, whatever the client says it costs', async () => {
    const [ada, ben] = [await rich(130), await api.member()];
    const step = () => ada.browser.post('/api/profile/navigate', { profileId: ben.id, novaCost: 1 });
    expect(await step()).toMatchObject({
      status: 409,
      body: { code: 'CARD_LOCKED', message: 'Unlock this card first to see more of it.' },
    });
    expect([await novaBalance(ada), await novaBalance(ben)]).toEqual([130, 0]);
    // Even before lists show it.
    await whileTableStands(api.database.pool, 'read.card_unlocks', () => upvote(ada, ben.id));
    expect((await step()).body).toEqual({ message: expect.any(String), novaDeducted: 50, novaBalance: 30 });
    expect((await step()).body).toMatchObject({
      statusCode: 400,
      code: 'INSUFFICIENT_NOVA',
      message: 'You need 50 Nova to navigate this profile.',
    });
    expect([await novaBalance(ada), await novaBalance(ben)]).toEqual([30, 50]);
  });

  it('posts a wall comment for 25 Nova each started 15 characters', async () => {
    const [ada, ben] = [await rich(), await api.member()];
    const wall = async () => (await ben.browser.get(`/api/profile/${ben.id}/wall`)).body;
    expect(await wall()).toEqual({ comments: [], nextCursor: null, total: 0 });
    const hostile = '<b>hi</b> 👩‍🚀';
    const key = randomUUID();
    for (let n = 0; n < 2; n++) {
      const posted = await ada.browser.post(
        `/api/profile/${ben.id}/wall`,
        { comment: ` ${hostile} ` },
        { 'idempotency-key': key },
      );
      expect([posted.status, posted.body.novaDeducted]).toEqual([201, 25]);
      expect(posted.body.comment).toMatchObject({ comment: hostile, commenterName: ada.displayName, novaPaid: 25 });
    }
    const other = await ada.browser.post(`/api/profile/${ben.id}/wall`, { comment: 'x'.repeat(16) });
    expect(other.body).toMatchObject({ novaDeducted: 50, novaBalance: 925 });
    expect(await wall()).toMatchObject({ total: 2, comments: [{ comment: 'x'.repeat(16) }, { comment: hostile }] });
    expect(await novaBalance(ben)).toBe(37.5);
    const page = (await ben.browser.get(`/api/profile/${ben.id}/wall?limit=1`)).body;
    const next = (await ben.browser.get(`/api/profile/${ben.id}/wall?limit=1&cursor=${page.nextCursor}`)).body;
    expect([page.comments[0].comment, next.comments[0].comment, next.nextCursor]).toEqual([
      'x'.repeat(16),
      hostile,
      null,
    ]);
    const reused = await ada.browser.post(
      `/api/profile/${ben.id}/wall`,
      { comment: 'other words' },
      { 'idempotency-key': key },
    );
    expect([reused.status, reused.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('leaves nothing of what cannot be paid or may not be', async () => {
    const [poor, ben] = [await rich(49), await api.member()];
    const refused = await upvote(poor, ben.id);
    expect([refused.status, refused.body.code]).toEqual([400, 'INSUFFICIENT_NOVA']);
    const comment = await poor.browser.post(`/api/profile/${ben.id}/wall`, { comment: 'x'.repeat(30) });
    expect([comment.status, comment.body.code]).toEqual([400, 'INSUFFICIENT_NOVA']);
    await ben.browser.post(`/api/users/${poor.id}/block`);
    const blocked = await poor.browser.post(`/api/profile/${ben.id}/wall`, { comment: 'hi' });
    expect([blocked.status, blocked.body.code]).toEqual([404, 'PROFILE_NOT_FOUND']);
    await grantNova(admin, poor.id, 50);
    for (const [one, other, refusal] of [
      [poor, ben, [404, 'PROFILE_NOT_FOUND']],
      [ben, poor, [409, 'BLOCKED_BY_YOU']],
    ] as const) {
      const paid = await upvote(one, other.id);
      expect([paid.status, paid.body.code]).toEqual(refusal);
      const turned = await one.browser.post('/api/profile/navigate', { profileId: other.id, novaCost: 50 });
      expect([turned.status, turned.body.code]).toEqual(refusal);
    }
    const words = await api.database.pool.query('select from wall_comments where commenter_id = $1', [poor.id]);
    expect(words.rowCount).toBe(0);
    expect([await novaBalance(poor), await novaBalance(ben)]).toEqual([99, 0]);
  });

  it('keeps the words of a comment that was paid while a first attempt at it gives up', async () => {
    const [ada, ben] = [await rich(24), await api.member()];
    const key = { 'idempotency-key': randomUUID() };
    const post = () => ada.browser.post(`/api/profile/${ben.id}/wall`, { comment: 'hello' }, key);
    const { first, second } = await whileFirstStands(api.database.pool, 'delete on wall_comments', {
      first: post,
      second: async () => {
        await grantNova(admin, ada.id, 1);
        return post();
      },
    });
    expect([first.status, second.status]).toEqual([400, 201]);
    const wall = (await ben.browser.get(`/api/profile/${ben.id}/wall`)).body;
    expect(wall).toMatchObject({ total: 1, comments: [{ comment: 'hello' }] });
    expect(await novaBalance(ada)).toBe(0);
  });

  it.each([
    ['POST', '/api/discovery/upvote', { profileId: 'nobody' }, 400],
    ['POST', '/api/discovery/upvote', {}, 400],
    ['POST', '/api/discovery/upvote', { profileId: randomUUID() }, 404],
    ['POST', '/api/profile/navigate', { profileId: randomUUID() }, 404],
    ['POST', `/api/profile/${randomUUID()}/wall`, { comment: 'hi' }, 404],
    ['POST', '/api/profile/nobody/wall', { comment: 'hi' }, 404],
    ['GET', '/api/profile/nobody/wall', undefined, 404],
    ['GET', `/api/profile/${randomUUID()}/wall?cursor=x`, undefined, 400],
    ['GET', `/api/discovery/profiles/${randomUUID()}`, undefined, 404],
  ] as const)('refuses %s %s %j', async (method, path, body, status) => {
    const answer = await admin.browser.send(method, path, body === undefined ? {} : { body });
    expect(answer.body).toMatchObject({ statusCode: status, code: expect.any(String), message: expect.any(String) });
  });

  it('refuses one’s own card, and comments of no or too many characters', async () => {
    const ada = await rich();
    const own = [
      await upvote(ada, ada.id),
      await ada.browser.post('/api/profile/navigate', { profileId: ada.id }),
      await ada.browser.post(`/api/profile/${ada.id}/wall`, { comment: 'me' }),
    ];
    for (const { status, body } of own) expect([status, body.code]).toEqual([400, 'OWN_CARD']);
    const ben = await api.member();
    for (const comment of ['', '   ', 'x'.repeat(101), 7, null]) {
      const answer = await ada.browser.post(`/api/profile/${ben.id}/wall`, { comment });
      expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_COMMENT']);
    }
    expect(await novaBalance(ada)).toBe(1_000);
  });
});
