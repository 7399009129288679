import sharp from 'sharp';
import type { TestAnswer, TestApi, TestMember } from '../support/api.js';
import { startTestApi } from '../support/api.js';
import { authorize, registerApplication, type TestToken } from '../support/applications.js';
import { grantNova, novaBalance, signInAdmin } from '../support/money.js';
import { somebodyWaitsFor, whileTableStands } from '../support/standing-table.js';

const NOBODY = '018f0000-0000-7000-8000-000000000000';

describe('whoever is blocked', () => {
  let api: TestApi;
  let admin: TestMember;
  let token: TestToken;
  let ann: TestMember;
  let eve: TestMember;
  let post: string;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
    [ann, eve] = [await api.member({ displayName: 'Annabelle Blocker' }), await api.member({ displayName: 'Eve' })];
    for (const { id } of [ann, eve]) await grantNova(admin, id, 20_000);
    token = await authorize(api, eve, await registerApplication(await api.member()));
    post = await publish(ann);
    // Before the block: Eve follows, has unlocked the card and written on the wall.
    await eve.browser.post(`/api/users/${ann.id}/follow`);
    await ann.browser.post(`/api/users/${eve.id}/follow`);
    await eve.browser.post('/api/discovery/upvote', { profileId: ann.id });
    await eve.browser.post(`/api/profile/${ann.id}/wall`, { comment: 'Hello' });
    expect((await ann.browser.post(`/api/users/${eve.id}/block`)).status).toBe(200);
  });
  afterAll(() => api?.close());

  async function publish(member: TestMember): Promise<string> {
    const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#336699' } })
      .jpeg()
      .toBuffer();
    const { uploadURL, mediaUrl } = (await member.browser.post('/api/content/upload-url', {})).body;
    await fetch(new URL(uploadURL, api.url), {
      method: 'PUT',
      body: new Uint8Array(picture),
      headers: { 'content-type': 'image/jpeg' },
    });
    const answer = await member.browser.post('/api/content/scroll-feed', { mediaUrl });
    expect(answer.status).toBe(201);
    return answer.body.id;
  }

  const calls: readonly [string, (memberId: string, postId: string) => Promise<TestAnswer>][] = [
    ['gifts', (recipientId) => eve.browser.post('/api/gifts/send', { recipientId, amount: 1_000 })],
    ['gifts, as a preview', (recipientId) => eve.browser.post('/api/gifts/preview', { recipientId, amount: 1_000 })],
    [
      'gifts through an application',
      (recipientId) => token.post('/api/tokens/transfer', { recipientId, amount: 1_000 }),
    ],
    ['follows', (id) => eve.browser.post(`/api/users/${id}/follow`)],
    ['asks for a chat', (hostId) => eve.browser.post('/api/chats/initiate', { hostId })],
    ['reads the card', (id) => eve.browser.get(`/api/discovery/profiles/${id}`)],
    ['upvotes the card', (profileId) => eve.browser.post('/api/discovery/upvote', { profileId })],
    ['turns the card', (profileId) => eve.browser.post('/api/profile/navigate', { profileId })],
    ['writes on the wall', (id) => eve.browser.post(`/api/profile/${id}/wall`, { comment: 'Why?' })],
    ['reads the threads', (id) => eve.browser.get(`/api/personal-threads?ownerId=${id}`)],
    ['reads the figures of the threads', (id) => eve.browser.get(`/api/personal-threads/stats?ownerId=${id}`)],
    ['reads a post', (_, id) => eve.browser.get(`/api/content/posts/${id}`)],
    ['likes a post', (_, id) => eve.browser.post(`/api/content/${id}/like`)],
    ['rates a post', (_, id) => eve.browser.post(`/api/content/${id}/rate`, { rating: 90 })],
  ];

  it.each(calls)('%s as if nobody were there', async (_, call) => {
    const before = await novaBalance(eve);
    const [blocked, absent] = [await call(ann.id, post), await call(NOBODY, NOBODY)];
    const { requestId: _one, instance: _oneToo, ...told } = blocked.body;
    const { requestId: _other, instance: _otherToo, ...expected } = absent.body;
    expect([blocked.status, told]).toEqual([404, expected]);
    expect(absent.status).toBe(404);
    expect(await novaBalance(eve)).toBe(before);
  });

  it('finds nobody: in searches, among the cards, in the feed, on a wall', async () => {
    const names = async (path: string, list: string) =>
      JSON.stringify((await eve.browser.get(path)).body[list].map((found: object) => found));
    expect(await names('/api/users/search?query=annabelle', 'users')).not.toContain(ann.id);
    expect(await names(`/api/users/search?query=${encodeURIComponent(ann.email)}`, 'users')).toBe('[]');
    expect(await names('/api/discovery/feed?limit=100', 'profiles')).not.toContain(ann.id);
    expect(await names('/api/discovery/feed?search=annabelle', 'profiles')).not.toContain(ann.id);
    expect(await names(`/api/discovery/feed?ids=${ann.id}`, 'profiles')).not.toContain(ann.id);
    expect(await names('/api/content/feed?limit=100', 'posts')).not.toContain(ann.id);
    const [wall, nobodys] = await Promise.all([ann.id, NOBODY].map((id) => eve.browser.get(`/api/profile/${id}/wall`)));
    expect([wall?.status, wall?.body.code, nobodys?.status]).toEqual([404, 'NOT_FOUND', 404]);
  });

  it('no longer follows, and keeps what was there: gifts, statements, chats', async () => {
    const relation = async (one: TestMember, other: TestMember) =>
      (await one.browser.get(`/api/users/${other.id}/relation`)).body;
    expect(await relation(eve, ann)).toEqual({ following: false, followsMe: false, blocked: false });
    expect(await relation(ann, eve)).toEqual({ following: false, followsMe: false, blocked: true });
    const types = (await eve.browser.get('/api/nova/transactions')).body.transactions.map(
      ({ type }: { type: string }) => type,
    );
    expect(types).toEqual(expect.arrayContaining(['card_unlock_send', 'wall_comment_send']));
  });

  it('is told of one’s own block where both have blocked: of nothing else', async () => {
    const [one, other] = [await api.member(), await api.member()];
    const follow = () => one.browser.post(`/api/users/${other.id}/follow`);
    await one.browser.post(`/api/users/${other.id}/block`);
    expect(await follow()).toMatchObject({ status: 409, body: { code: 'BLOCKED_BY_YOU' } });
    const gift = await one.browser.post('/api/gifts/preview', { recipientId: other.id, amount: 1_000 });
    expect(gift).toMatchObject({ status: 409, body: { code: 'BLOCKED_BY_YOU' } });
    expect((await one.browser.get(`/api/discovery/profiles/${other.id}`)).status).toBe(200);
    await other.browser.post(`/api/users/${one.id}/block`);
    expect(await follow()).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('does everything again once the block is over', async () => {
    const [one, other] = [await api.member(), await api.member()];
    const follow = () => one.browser.post(`/api/users/${other.id}/follow`);
    await follow();
    await other.browser.post(`/api/users/${one.id}/block`);
    await other.browser.delete(`/api/users/${one.id}/block`);
    expect((await one.browser.get(`/api/users/${other.id}/relation`)).body.following).toBe(false);
    expect((await follow()).status).toBe(200);
    expect((await one.browser.get(`/api/users/${other.id}/relation`)).body.following).toBe(true);
  });

  it('follows neither who blocks meanwhile', async () => {
    for (let round = 0; round < 8; round++) {
      const [one, other] = [await api.member(), await api.member()];
      const [followed] = await Promise.all([
        one.browser.post(`/api/users/${other.id}/follow`),
        other.browser.post(`/api/users/${one.id}/block`),
      ]);
      expect([200, 404]).toContain(followed.status);
      expect((await one.browser.get(`/api/users/${other.id}/relation`)).body.following).toBe(false);
    }
  });

  it('gifts nothing, be it before read models show the block', async () => {
    const [one, other] = [await api.member(), await api.member()];
    await grantNova(admin, one.id, 2_000);
    const gift = await whileTableStands(api.database.pool, 'read.blocks', async () => {
      await other.browser.post(`/api/users/${one.id}/block`);
      await somebodyWaitsFor(api.database.pool, 'read.blocks');
      return one.browser.post('/api/gifts/send', { recipientId: other.id, amount: 1_000 });
    });
    expect([gift.status, gift.body.code, await novaBalance(one)]).toEqual([404, 'RECIPIENT_NOT_FOUND', 2_000]);
  });
});
