import { randomUUID } from 'node:crypto';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { openPlain } from '../support/live.js';
import { eventually } from '../support/eventually.js';
import { signInAdmin } from '../support/money.js';
import { activeChat, requestedChat } from '../support/open-chat.js';

interface Card {
  readonly id: string;
  readonly isOnline: boolean;
  readonly cooldownUntil: string | null;
}

describe('the discovery feed', () => {
  let api: TestApi;
  let admin: TestMember;
  let ada: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
    ada = await api.member({ displayName: 'Ada Lovelace' });
  });
  afterAll(() => api?.close());

  const feed = async (query = '', who = ada) => (await who.browser.get(`/api/discovery/feed?${query}`)).body;
  const cards = async (query: string, who = ada): Promise<Card[]> => (await feed(query, who)).profiles;
  const ids = async (query: string, who = ada): Promise<string[]> => (await cards(query, who)).map(({ id }) => id);

  it('shows every field of a card', async () => {
    const bob = await api.member({ displayName: 'Bob' });
    await bob.browser.send('PATCH', '/api/profile/settings', {
      body: { minimumChatPrice: 2.5, allowDirectChats: false },
    });
    await ada.browser.post(`/api/users/${bob.id}/follow`);
    const shown = await eventually(
      () => feed('search=bob'),
      ({ profiles }) => profiles[0]?.followerCount === 1,
    );
    expect(shown).toEqual({
      hasMore: false,
      online: [],
      profiles: [
        {
          id: bob.id,
          displayName: 'Bob',
          profileImageUrl: null,
          profileCardThumbnailUrl: null,
          profileCardContent: null,
          mediaUrl: null,
          rating: 5,
          ratingCount: 0,
          followerCount: 1,
          followingCount: 0,
          isOnline: false,
          mood: 'blue',
          status: null,
          occupation: null,
          ambitions: null,
          relationshipStatus: null,
          compatibilityScore: null,
          minimumChatPrice: 2.5,
          allowDirectChats: false,
          cooldownUntil: null,
          isOwn: false,
          isUnlocked: false,
          wallCount: 0,
        },
      ],
    });
    expect((await api.browser().get('/api/discovery/feed')).status).toBe(401);
  });

  it('is searched by name, and by nothing that was not meant', async () => {
    const carl = await api.member({ displayName: 'Çarl 100%_\\' });
    expect(await ids('search=%20CARL%20')).toEqual([carl.id]);
    expect(await ids(`search=${encodeURIComponent('100%_\\')}`)).toEqual([carl.id]);
    for (const search of ['%25%25', '_arl', "'; drop table accounts; --"]) {
      expect(await ids(`search=${encodeURIComponent(search)}`)).toEqual([]);
    }
  });

  it('finds names whatever apostrophe and accent is typed, and two characters where words are that short', async () => {
    const brien = await api.member({ displayName: 'Sinéad O’Brien' });
    for (const search of ["o'brien", 'O’BRIEN', 'sinead obrien', '´brien'])
      expect(await ids(`search=${encodeURIComponent(search)}`)).toEqual([brien.id]);
    const [tanaka, kim] = [
      await api.member({ displayName: '田中 さくら' }),
      await api.member({ displayName: '김민준' }),
    ];
    expect(await ids(`search=${encodeURIComponent('田中')}`)).toEqual([tanaka.id]);
    expect(await ids(`search=${encodeURIComponent('김민')}`)).toEqual([kim.id]);
    expect((await ada.browser.get(`/api/users/search?query=${encodeURIComponent('田中')}`)).body).toEqual({
      users: [],
    });
  });

  it('says with the first page and with the cards asked for who is online and passes the filters', async () => {
    const [one, two] = [await api.member({ displayName: 'Yuri One' }), await api.member({ displayName: 'Yuri Two' })];
    const online = async (query = '') => (await feed(`ids=${one.id}&search=yuri${query}`)).online;
    expect(await online()).toEqual([]);
    const socket = await openPlain(api, two);
    await eventually(online, (found) => found.length === 1);
    expect(await feed(`ids=${one.id}&search=yuri`)).toMatchObject({ profiles: [{ id: one.id }], online: [two.id] });
    expect(await online('&minRating=4')).toEqual([]);
    expect(await feed('search=yuri&limit=1')).toMatchObject({ profiles: [{ id: two.id }], online: [two.id] });
    expect(await feed('search=yuri&limit=1&offset=1')).not.toHaveProperty('online');
    socket.close();
  });

  it('shows who is online first, and them alone where asked', async () => {
    const [one, two] = [await api.member({ displayName: 'Zed One' }), await api.member({ displayName: 'Zed Two' })];
    const socket = await openPlain(api, two);
    await eventually(
      () => ids('search=zed&onlineOnly=true'),
      (found) => found.length === 1,
    );
    expect(await ids('search=zed')).toEqual([two.id, one.id]);
    expect(await ids('search=zed&onlineOnly=false')).toHaveLength(2);
    expect(await ids('search=zed&onlineOnly=')).toHaveLength(2);
    socket.close();
  });

  it('shows as offline who wants to be, and tells those who chat with them', async () => {
    const { initiator, host, chatId } = await activeChat(api, admin);
    const [watching, watched] = [await openPlain(api, initiator), await openPlain(api, host)];
    await watching.joinChat(chatId);
    const set = (isOnline: boolean) => host.browser.send('PATCH', '/api/profile/settings', { body: { isOnline } });
    await set(false);
    expect(await watching.hear('presence', ({ isOnline }) => !isOnline)).toMatchObject({ userId: host.id });
    expect(await ids(`search=${encodeURIComponent(host.displayName)}&onlineOnly=1`)).not.toContain(host.id);
    await set(true);
    expect(await watching.hear('presence', ({ isOnline }) => isOnline)).toMatchObject({ userId: host.id });
    for (const client of [watching, watched]) client.close();
  });

  it('begins with one’s own card, unless something is looked for', async () => {
    const [own, next] = await cards('');
    expect(own).toMatchObject({ id: ada.id, isOwn: true, novaBalance: 0, isAdmin: false });
    expect(own).toMatchObject({ isOnline: true });
    await ada.browser.send('PATCH', '/api/profile/settings', { body: { isOnline: false } });
    expect(await cards('limit=1')).toMatchObject([{ id: ada.id, isOnline: false }]);
    await ada.browser.send('PATCH', '/api/profile/settings', { body: { isOnline: true } });
    expect(next).toMatchObject({ isOwn: false });
    expect(next).not.toHaveProperty('novaBalance');
    expect(await ids('limit=100&offset=1')).not.toContain(ada.id);
    expect(await ids('limit=100&search=ada')).not.toContain(ada.id);
    // Members who have just left are shown first until their absence is known.
    await eventually(
      () => ids('limit=100&offset=1&onlineOnly=true'),
      (online) => online.length === 0,
    );
    const all = await ids('limit=100');
    expect([...(await ids('limit=2')), ...(await ids('limit=100&offset=2'))]).toEqual(all);
    expect(new Set(all).size).toBe(all.length);
  });

  it('shows no members with whom one wants nothing to do', async () => {
    const foe = await api.member({ displayName: 'Quarrel' });
    expect(await ids('search=quarrel')).toEqual([foe.id]);
    await ada.browser.post(`/api/users/${foe.id}/block`);
    expect(await ids('search=quarrel')).toEqual([]);
    expect(await ids('limit=100', foe)).not.toContain(ada.id);
  });

  it('answers 304 while nothing has changed', async () => {
    const first = await ada.browser.get('/api/discovery/feed?search=vera');
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const again = await ada.browser.send('GET', '/api/discovery/feed?search=vera', {
      headers: { 'if-none-match': etag },
    });
    expect(again.status).toBe(304);
    await api.member({ displayName: 'Vera' });
    const changed = await ada.browser.send('GET', '/api/discovery/feed?search=vera', {
      headers: { 'if-none-match': etag },
    });
    expect(changed.status).toBe(200);
  });

  it('is ordered by rating, and filtered by it', async () => {
    const [low, high] = [await api.member({ displayName: 'Yak Low' }), await api.member({ displayName: 'Yak High' })];
    await api.database.pool.query(
      `insert into read.member_ratings (user_id, value, mean, count, given_count, given_total)
       values ($1, 3.5, 3.5, 1, 0, 0), ($2, 9.25, 9.25, 1, 0, 0)`,
      [low.id, high.id],
    );
    await api.database.pool.query(
      `insert into read.cards (user_id, nova_received, shown_rating, rating_mean, rating_count, followers, following, wall_count)
       values ($1, 0, 3.5, 3.5, 1, 0, 0, 0), ($2, 0, 9.25, 9.25, 1, 0, 0, 0)`,
      [low.id, high.id],
    );
    const unrated = await api.member({ displayName: 'Yak New' });
    expect(await ids('search=yak')).toEqual([high.id, unrated.id, low.id]);
    expect(await ids('search=yak&minRating=4.5')).toEqual([high.id]);
    expect(await ids('search=yak&minRating=3.5')).toEqual([high.id, low.id]);
    expect(await ids('search=ya&minRating=3.5')).toEqual([high.id, low.id]);
    expect(await ids('search=yak&minRating=')).toHaveLength(3);
  });

  it('knows images from videos', async () => {
    const member = await api.member({ displayName: 'Xena' });
    await api.database.pool.query(
      `with shown as (update accounts set profile_card_content_url = '/x.mp4', profile_card_content_type = 'video/mp4' where id = $1),
         chosen as (insert into profiles (account_id, card_content_id) values ($1, $1))
       insert into contents (id, owner_id, surface, content_type, file_id, media_type, media_url)
       values ($1, $1, 'discovery', 'video', $1, 'video/mp4', '/x.mp4')`,
      [member.id],
    );
    expect(await cards('mediaType=video')).toMatchObject([
      { id: member.id, mediaUrl: '/x.mp4', profileCardContent: { contentType: 'video', mediaUrl: '/x.mp4' } },
    ]);
    expect(await cards('mediaType=image')).toEqual([]);
  });

  it('says until when a member cannot be asked again', async () => {
    const { chatId, initiator, host } = await requestedChat(api, admin);
    await host.browser.post(`/api/chats/decline-request/${chatId}`);
    for (const [who, other] of [
      [initiator, host],
      [host, initiator],
    ] as const) {
      const card = await eventually(
        async () => (await cards('limit=100', who)).find(({ id }) => id === other.id),
        (found) => found?.cooldownUntil !== null,
      );
      const left = new Date(card?.cooldownUntil ?? '').getTime() - Date.now();
      expect(left).toBeGreaterThan(30_000);
      expect(left).toBeLessThan(61_000);
    }
    expect((await cards('limit=100')).find(({ id }) => id === host.id)?.cooldownUntil).toBeNull();
  });

  it('comes in pages of 12', async () => {
    for (let n = 0; n < 14; n++) await api.member({ displayName: `Walt ${n}` });
    const [first, second] = [await ids('search=walt'), await ids('search=walt&offset=12')];
    expect([first.length, second.length, new Set([...first, ...second]).size]).toEqual([12, 2, 14]);
    expect((await feed('search=walt&limit=1')).hasMore).toBe(true);
    expect((await feed('search=walt&limit=20')).hasMore).toBe(false);
    expect(await ids('offset=90000')).toEqual([]);
  });

  it('shows the cards of those who are asked for, wherever they are in the order', async () => {
    const [one, two] = [await api.member({ displayName: 'Kim 1' }), await api.member({ displayName: 'Kim 2' })];
    const asked = [one.id, two.id.toUpperCase(), ada.id];
    for (const other of ['', '&onlineOnly=true', '&search=nobody', '&limit=1&offset=12']) {
      expect(await ids(`ids=${asked.join(',')}${other}`)).toEqual([one.id, two.id, ada.id]);
    }
    await two.browser.post(`/api/users/${ada.id}/block`);
    expect(await ids(`ids=${asked.join(',')}`)).toEqual([one.id, ada.id]);
    expect(await ids(`ids=${one.id}&ids=${asked[1]}`)).toEqual([one.id]);
    const strangers = Array.from({ length: 101 }, () => randomUUID());
    expect(await ids(`ids=${strangers.slice(1).join()}`)).toEqual([]);
    expect(await feed(`ids=${strangers.join()}`)).toMatchObject({ statusCode: 400 });
  });

  it.each([
    'ids=',
    'ids=x',
    'limit=0',
    'limit=101',
    'limit=x',
    'offset=-1',
    'offset=1e9',
    'minRating=x',
    'minRating=11',
    'onlineOnly=perhaps',
    'mediaType=text',
    `search=${'x'.repeat(101)}`,
    'search=a%00b',
    'search=a&search=b',
    'unknown=1',
  ])('refuses %s', async (query) => {
    const answer = await ada.browser.get(`/api/discovery/feed?${query}`);
    expect(answer.body).toMatchObject({ statusCode: 400, code: expect.any(String), message: expect.any(String) });
  });
});
