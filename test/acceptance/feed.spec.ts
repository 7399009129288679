import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { ContentRecords } from '../../apps/api/src/content/content-records.js';
import { Contents } from '../../apps/api/src/content/contents.js';
import { UnfinishedRemovals } from '../../apps/api/src/content/unfinished-removals.js';
import { AppError } from '../../apps/api/src/platform/errors/app-error.js';
import type { Journal } from '../../apps/api/src/platform/journal/journal.js';
import { JOURNAL } from '../../apps/api/src/platform/journal/injected-journal.js';
import { Uploads } from '../../apps/api/src/platform/uploads/uploads.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { awayFromMidnight } from '../support/midnight.js';
import { grantNova, novaBalance, signInAdmin } from '../support/money.js';
import { whileRowsStand, whileTableStands } from '../support/standing-table.js';

describe('the feed', () => {
  let api: TestApi;
  let admin: TestMember;
  let picture: Buffer;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
    picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#336699' } })
      .jpeg()
      .toBuffer();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => api?.close());

  async function upload(member: TestMember): Promise<string> {
    const { uploadURL, mediaUrl } = (await member.browser.post('/api/content/upload-url', {})).body;
    const sent = await fetch(new URL(uploadURL, api.url), {
      method: 'PUT',
      body: new Uint8Array(picture),
      headers: { 'content-type': 'image/jpeg' },
    });
    if (!sent.ok) throw new Error(`uploading failed: ${sent.status} ${await sent.text()}`);
    return mediaUrl;
  }
  async function publish(member: TestMember, surface = 'scroll-feed', more: object = {}): Promise<string> {
    const answer = await member.browser.post(`/api/content/${surface}`, { mediaUrl: await upload(member), ...more });
    if (answer.status !== 201) throw new Error(`publishing failed: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.id;
  }
  async function typesLedBy(requestId: string): Promise<string[]> {
    const types: string[] = [];
    for await (const batch of api.nova.app.get<Journal>(JOURNAL).store.readAll()) {
      types.push(...batch.filter(({ metadata }) => metadata.includes(requestId)).map(({ type }) => type));
    }
    return types;
  }
  const event = (member: TestMember, postId: string, eventType: string) =>
    member.browser.post('/api/events', { postId, eventType });
  const post = async (member: TestMember, id: string) => (await member.browser.get(`/api/content/posts/${id}`)).body;
  const feed = async (member: TestMember, query = '') => (await member.browser.get(`/api/content/feed?${query}`)).body;
  const score = async (member: TestMember, postId: string, eventType: string): Promise<number> =>
    (await event(member, postId, eventType)).body.score;

  it('answers with what was published, be it before lists show it', async () => {
    const ada = await api.member();
    const mediaUrl = await upload(ada);
    const published = await whileTableStands(api.database.pool, 'read.posts', () =>
      ada.browser.post('/api/content/scroll-feed', { mediaUrl }),
    );
    expect([published.status, published.body.viewCount]).toEqual([201, 0]);
    const items = async () => (await ada.browser.get('/api/content/my-scroll-feed')).body;
    expect(await eventually(items, ({ length }) => length > 0)).toEqual([published.body]);
  });

  it('shows a post with every field, and its owner its item', async () => {
    const [ada, ben] = [await api.member(), await api.member()];
    const id = await publish(ada, 'scroll-feed', { caption: ' A <b>lake</b> ', hashtags: ['lake', 'été', 'lake'] });
    expect(await post(ben, id)).toEqual({
      id,
      authorId: ada.id,
      author: { id: ada.id, displayName: ada.displayName, profileImageUrl: null, rating: 5, isOnline: false },
      contentType: 'image',
      createdAt: expect.any(String),
      promotionStage: 'stage_a',
      engagementScore: 0,
      feedRank: 1,
      mediaUrl: `/objects/uploads/${id}`,
      thumbnailUrl: `/objects/uploads/${id}/thumbnail`,
      caption: 'A <b>lake</b>',
      hashtags: ['lake', 'été'],
      viewCount: 0,
      likeCount: 0,
      commentCount: 0,
      shareCount: 0,
      avgRating: null,
      ratingCount: 0,
      qualifiedViews: 0,
      completeViews: 0,
      isLikedByUser: false,
      myRating: null,
      isPaid: false,
      isOwn: false,
      boostedUntil: null,
      isPriority: false,
    });
    expect(await post(ada, id)).toMatchObject({ isOwn: true, isPaid: true });
    expect((await ada.browser.get('/api/content/my-scroll-feed')).body).toMatchObject([
      { id, totalEarnings: 0, isCard: false },
    ]);
    expect((await ada.browser.get('/api/content/my-discovery')).body).toEqual([]);
  });

  it('counts each kind once a viewer, and nothing of one’s own', async () => {
    await awayFromMidnight();
    const [ada, ben, carl] = [await api.member(), await api.member(), await api.member()];
    const id = await publish(ada);
    const kinds = ['impression', 'qualified_view', 'complete_view', 'like', 'rate', 'share'];
    for (const [index, kind] of kinds.entries()) {
      expect(await score(ben, id, kind)).toBe(index);
      expect(await score(ben, id, kind)).toBe(0);
      expect(await score(ada, id, kind)).toBe(0);
    }
    expect(await score(carl, id, 'share')).toBe(5);
    expect(await post(ben, id)).toMatchObject({
      engagementScore: 20,
      viewCount: 1,
      qualifiedViews: 1,
      completeViews: 1,
      shareCount: 2,
    });
    const bar = (await ben.browser.get('/api/status-bar')).body;
    expect(bar).toEqual({
      dailyPoints: 15.75,
      dailyGoal: 100,
      currentLevel: 1,
      streakDays: 0,
      boostTokens: 0,
      prioritySlots: 0,
    });
    expect((await ada.browser.get('/api/status-bar')).body.dailyPoints).toBe(0);
  });

  it('counts once under parallel events', async () => {
    const [ada, ben] = [await api.member(), await api.member()];
    const id = await publish(ada);
    const answers = await Promise.all(Array.from({ length: 6 }, () => event(ben, id, 'share')));
    expect(answers.reduce((sum, { body }) => sum + body.score, 0)).toBe(5);
    expect((await post(ben, id)).engagementScore).toBe(5);
  });

  it('likes, unlikes and rates', async () => {
    const [ada, ben, carl] = [await api.member(), await api.member(), await api.member()];
    const id = await publish(ada);
    const like = (method: string) => ben.browser.send(method, `/api/content/${id}/like`);
    expect((await like('POST')).body).toEqual({ isLikedByUser: true, likeCount: 1 });
    expect((await like('POST')).body).toEqual({ isLikedByUser: true, likeCount: 1 });
    expect((await like('DELETE')).body).toEqual({ isLikedByUser: false, likeCount: 0 });
    const rate = (who: TestMember, rating: unknown) => who.browser.post(`/api/content/${id}/rate`, { rating });
    expect((await rate(ben, 80)).body).toEqual({ myRating: 80, avgRating: 80, ratingCount: 1 });
    expect((await rate(carl, 61)).body).toEqual({ myRating: 61, avgRating: 70.5, ratingCount: 2 });
    expect((await rate(ben, 40)).body).toEqual({ myRating: 40, avgRating: 50.5, ratingCount: 2 });
    for (const rating of [0, 101, 50.5, '50', null]) expect((await rate(ben, rating)).status).toBe(400);
    expect((await rate(ada, 100)).body.code).toBe('OWN_POST');
  });

  it('answers reactions as they were taken, be it before the figures show them', async () => {
    const [ada, ben, carl] = [await api.member(), await api.member(), await api.member()];
    const { pool } = api.database;
    const react = (method: string, id: string) => ben.browser.send(method, `/api/content/${id}/like`);
    const rate = (id: string, rating: number) => ben.browser.post(`/api/content/${id}/rate`, { rating });
    const shown = await publish(ada);
    await carl.browser.post(`/api/content/${shown}/like`);
    await carl.browser.post(`/api/content/${shown}/rate`, { rating: 60 });
    const behind = await whileTableStands(pool, 'read.posts', async () => {
      const unseen = await publish(ada);
      return [
        await Promise.all([react('POST', shown), rate(shown, 80)]),
        await Promise.all([react('POST', unseen), rate(unseen, 80)]),
        await Promise.all([react('DELETE', shown), rate(shown, 40)]),
      ].map((answers) => answers.map(({ body }) => body));
    });
    expect(behind).toEqual([
      [
        { isLikedByUser: true, likeCount: 2 },
        { myRating: 80, avgRating: 70, ratingCount: 2 },
      ],
      [
        { isLikedByUser: true, likeCount: 1 },
        { myRating: 80, avgRating: 80, ratingCount: 1 },
      ],
      [
        { isLikedByUser: false, likeCount: 1 },
        { myRating: 40, avgRating: 50, ratingCount: 2 },
      ],
    ]);
  });

  it('charges each reader 1 Nova for each post of another member, once', async () => {
    const [ada, ben, cleo] = [await api.member(), await api.member(), await api.member()];
    for (const { id } of [ben, cleo]) await grantNova(admin, id, 1);
    const [first, second] = [await publish(ada), await publish(ada)];
    const scroll = (who: TestMember, postId: string) => who.browser.post('/api/scroll', { postId });
    expect((await scroll(ben, first)).body).toEqual({ novaDeducted: 1, novaBalance: 0 });
    expect((await scroll(ben, first)).body).toEqual({ novaDeducted: 0, novaBalance: 0 });
    expect((await scroll(cleo, first)).body).toEqual({ novaDeducted: 1, novaBalance: 0 });
    expect((await scroll(ada, first)).body).toMatchObject({ novaDeducted: 0 });
    const refused = await scroll(ben, second);
    expect([refused.status, refused.body.code]).toEqual([400, 'INSUFFICIENT_NOVA']);
    expect([await novaBalance(ben), await novaBalance(ada)]).toEqual([0, 1]);
    expect(await post(ben, first)).toMatchObject({ isPaid: true });
    expect(await post(ben, second)).toMatchObject({ isPaid: false });
    const items = (await ada.browser.get('/api/content/my-scroll-feed')).body;
    expect(items.map(({ totalEarnings }: { totalEarnings: number }) => totalEarnings)).toEqual([0, 1]);
  });

  it('answers a repeated charge as it was, and takes its key for no other post', async () => {
    const [ada, ben] = [await api.member(), await api.member()];
    await grantNova(admin, ben.id, 2);
    const [first, second] = [await publish(ada), await publish(ada)];
    const scroll = (postId: string, key: string) =>
      ben.browser.post('/api/scroll', { postId }, { 'idempotency-key': key });
    const key = randomUUID();
    for (let n = 0; n < 2; n++) expect((await scroll(first, key)).body).toEqual({ novaDeducted: 1, novaBalance: 1 });
    expect((await scroll(first, randomUUID())).body).toEqual({ novaDeducted: 0, novaBalance: 1 });
    const reused = await scroll(second, key);
    expect([reused.status, reused.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await novaBalance(ben)).toBe(1);
  });

  it('takes nothing for a post of somebody who has blocked the reader, or whom the reader has blocked', async () => {
    const [ada, ben] = [await api.member(), await api.member()];
    await grantNova(admin, ben.id, 1);
    const [mine, theirs] = [await publish(ben), await publish(ada)];
    await ada.browser.post(`/api/users/${ben.id}/block`);
    const acts = (reader: TestMember, id: string) => [
      reader.browser.post(`/api/content/${id}/like`),
      reader.browser.delete(`/api/content/${id}/like`),
      reader.browser.post(`/api/content/${id}/rate`, { rating: 9 }),
      reader.browser.post('/api/scroll', { postId: id }),
      event(reader, id, 'share'),
    ];
    const answers = await Promise.all([...acts(ben, theirs), ...acts(ada, mine)]);
    expect(answers.map(({ body }) => body.code)).toEqual(answers.map(() => 'POST_NOT_FOUND'));
    expect(await post(ada, theirs)).toMatchObject({ likeCount: 0, ratingCount: 0, shareCount: 0 });
    expect(await novaBalance(ben)).toBe(1);
  });

  it('shows the most engaging of these days first, in pages', async () => {
    const [ada, ben] = [await api.member(), await api.member()];
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push(await publish(ada));
    await event(ben, ids[1] ?? '', 'share');
    const { posts, hasMore } = await feed(ben, 'limit=100');
    const order = posts.map(({ id }: { id: string }) => id);
    expect(hasMore).toBe(false);
    expect(order.indexOf(ids[1])).toBeLessThan(order.indexOf(ids[2]));
    expect(order.indexOf(ids[2])).toBeLessThan(order.indexOf(ids[0]));
    const paged = [...(await feed(ben, 'limit=2')).posts, ...(await feed(ben, 'limit=100&offset=2')).posts];
    expect(paged.map(({ id }) => id)).toEqual(order);
    expect((await feed(ben, 'limit=2')).hasMore).toBe(true);
    await ben.browser.post(`/api/users/${ada.id}/block`);
    expect((await feed(ben, 'limit=100')).posts.some(({ authorId }: { authorId: string }) => authorId === ada.id)).toBe(
      false,
    );
  });

  it('is written with the id of the request that led to it', async () => {
    const [ada, ben] = [await api.member(), await api.member()];
    const id = await publish(ada);
    await api.database.pool.query(
      `insert into read.viewer_streaks (user_id, day, days) values ($1, (now() at time zone 'utc')::date - 1, 7)`,
      [ada.id],
    );
    for (const [answer, type] of [
      [await event(ben, id, 'impression'), 'PostEngaged'],
      [await ben.browser.post(`/api/content/${id}/like`), 'PostLiked'],
      [await ben.browser.send('DELETE', `/api/content/${id}/like`), 'PostUnliked'],
      [await ben.browser.post(`/api/content/${id}/rate`, { rating: 80 }), 'PostRated'],
      [await ada.browser.post(`/api/content/${id}/boost`), 'PostBoosted'],
      [await ada.browser.post('/api/status-bar/priority'), 'PriorityTaken'],
    ] as const) {
      const led = await typesLedBy(answer.headers.get('x-request-id') ?? '');
      expect([answer.status, led]).toEqual([200, [type]]);
    }
  });

  it('gives levels for streaks, and a boost and a priority slot a day for levels', async () => {
    const [ada, ben] = [await api.member(), await api.member()];
    const [old, fresh] = [await publish(ada), await publish(ada)];
    const boost = (id: string) => ada.browser.post(`/api/content/${id}/boost`);
    const priority = () => ada.browser.post('/api/status-bar/priority');
    expect([(await boost(old)).body.code, (await priority()).body.code]).toEqual([
      'NO_BOOST_TOKEN',
      'NO_PRIORITY_SLOT',
    ]);
    await api.database.pool.query(
      `insert into read.viewer_streaks (user_id, day, days) values ($1, (now() at time zone 'utc')::date - 1, 7)`,
      [ada.id],
    );
    expect((await ada.browser.get('/api/status-bar')).body).toMatchObject({
      currentLevel: 3,
      streakDays: 7,
      boostTokens: 1,
      prioritySlots: 1,
    });
    const boosted = await boost(old);
    expect(Date.parse(boosted.body.boostedUntil) - Date.now()).toBeGreaterThan(3_590_000);
    expect((await boost(fresh)).body.code).toBe('NO_BOOST_TOKEN');
    expect(await score(ben, old, 'share')).toBe(5);
    expect(await post(ben, old)).toMatchObject({ engagementScore: 10, boostedUntil: boosted.body.boostedUntil });
    expect((await priority()).status).toBe(200);
    expect((await feed(ben, 'limit=1')).posts[0]).toMatchObject({ id: fresh, isPriority: true });
    expect([(await post(ben, fresh)).isPriority, (await post(ben, old)).isPriority]).toEqual([true, false]);
    expect((await ada.browser.get('/api/status-bar')).body).toMatchObject({ boostTokens: 0, prioritySlots: 0 });
    const other = await publish(ben);
    expect((await ada.browser.post(`/api/content/${other}/boost`)).body.code).toBe('NOT_YOUR_POST');
  });

  it('shows discovery content on the card, where it earns what is paid there', async () => {
    const [ada, ben] = [await api.member(), await api.member()];
    await grantNova(admin, ben.id, 500);
    const [id, feedPost] = [await publish(ada, 'discovery', { caption: 'Me' }), await publish(ada)];
    const choose = (contentId: unknown) =>
      ada.browser.send('PUT', '/api/profile/card-content', { body: { contentId } });
    expect((await choose(feedPost)).body.code).toBe('NOT_DISCOVERY_CONTENT');
    expect((await choose(randomUUID())).status).toBe(404);
    expect((await choose('x')).status).toBe(400);
    expect((await ben.browser.send('PUT', '/api/profile/card-content', { body: { contentId: id } })).status).toBe(404);
    expect((await choose(id)).status).toBe(200);
    const card = async () => (await ben.browser.get(`/api/discovery/profiles/${ada.id}`)).body;
    expect(await card()).toMatchObject({
      mediaUrl: `/objects/uploads/${id}`,
      profileCardContent: { id, caption: 'Me', type: 'image/jpeg' },
    });
    await ben.browser.post('/api/discovery/upvote', { profileId: ada.id });
    await ben.browser.post(`/api/profile/${ada.id}/wall`, { comment: 'hello' });
    const mine = async () => (await ada.browser.get('/api/content/my-discovery')).body;
    expect(await mine()).toMatchObject([{ id, isCard: true, totalEarnings: 37.5, commentCount: 1 }]);
    expect((await ada.browser.send('DELETE', '/api/profile/card-content')).status).toBe(200);
    expect(await card()).toMatchObject({ mediaUrl: null, profileCardContent: null });
    await ben.browser.post('/api/discovery/upvote', { profileId: ada.id });
    expect(await mine()).toMatchObject([{ id, isCard: false, totalEarnings: 37.5 }]);
  });

  it('shows content on the card while the member takes another name', async () => {
    const ada = await api.member();
    const id = await publish(ada, 'discovery');
    await ada.browser.send('PATCH', '/api/profile', { body: { bio: 'Hello' } });
    const answers = await whileRowsStand(api.database.pool, `profiles where account_id = '${ada.id}'`, [
      () => ada.browser.send('PUT', '/api/profile/card-content', { body: { contentId: id } }),
      () => ada.browser.send('PATCH', '/api/profile', { body: { displayName: 'Ada Lovelace' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await ada.browser.get('/api/profile');
    expect(body).toMatchObject({ displayName: 'Ada Lovelace', profileCardContentId: id });
  });

  it('deletes one’s own content, also from the card', async () => {
    const [ada, ben] = [await api.member(), await api.member()];
    const [id, shown] = [await publish(ada), await publish(ada, 'discovery')];
    await ada.browser.send('PUT', '/api/profile/card-content', { body: { contentId: shown } });
    expect((await ben.browser.send('DELETE', `/api/content/${id}`)).status).toBe(404);
    for (const gone of [id, shown]) {
      expect((await ada.browser.send('DELETE', `/api/content/${gone}`)).status).toBe(200);
      expect((await ada.browser.send('DELETE', `/api/content/${gone}`)).status).toBe(404);
      expect((await ben.browser.get(`/objects/uploads/${gone}`)).status).toBe(404);
    }
    expect((await ben.browser.get(`/api/content/posts/${id}`)).body.code).toBe('POST_NOT_FOUND');
    expect((await event(ben, id, 'like')).status).toBe(404);
    expect((await ben.browser.get(`/api/discovery/profiles/${ada.id}`)).body.profileCardContent).toBeNull();
  });

  describe('removing content that the card shows', () => {
    const choose = (member: TestMember, contentId: string) =>
      member.browser.send('PUT', '/api/profile/card-content', { body: { contentId } });
    const remove = (member: TestMember, id: string) => member.browser.delete(`/api/content/${id}`);
    /** What the card shows: by its row, by its copy next to the name, and by the events. */
    const shown = async ({ id }: TestMember) => {
      const { rows } = await api.database.pool.query<Record<string, string | null>>(
        `select p.card_content_id as row, a.profile_card_content_url as copy, c.content_id as events
         from accounts a left join profiles p on p.account_id = a.id left join read.card_contents c on c.user_id = a.id::text
         where a.id = $1`,
        [id],
      );
      return rows[0];
    };
    const showing = (id: string | null) => ({ row: id, copy: id && `/objects/uploads/${id}`, events: id });
    const shownOnce = (member: TestMember, id: string | null) =>
      eventually(
        () => shown(member),
        (seen) => seen?.['events'] === id,
      );
    const file = async (id: string) => (await api.browser().get(`/objects/uploads/${id}`)).status;

    it.each([
      ['row', Contents],
      ['file', Uploads],
    ] as const)('is finished where it was cut off before the %s', async (_, part) => {
      const ada = await api.member();
      const id = await publish(ada, 'discovery');
      await choose(ada, id);
      jest
        .spyOn(api.nova.app.get<{ remove(): Promise<void> }>(part), 'remove')
        .mockRejectedValueOnce(new Error('cut off'));
      expect((await remove(ada, id)).status).toBe(500);
      const listed = async () => (await ada.browser.get('/api/content/my-discovery')).body;
      await eventually(listed, ({ length }) => length === 0);
      expect(await file(id)).toBe(200);
      await api.database.pool.query(`update contents set removing_at = removing_at - interval '1 minute'`);
      await api.nova.app.get(UnfinishedRemovals).sweep();
      expect(await file(id)).toBe(404);
      expect(await shownOnce(ada, null)).toEqual(showing(null));
      expect((await remove(ada, id)).status).toBe(404);
    });

    it('is forgotten where it surely did not begin', async () => {
      const ada = await api.member();
      const id = await publish(ada);
      const refused = new AppError(503, 'UNAVAILABLE', 'Try again.');
      jest.spyOn(api.nova.app.get(ContentRecords), 'execute').mockRejectedValueOnce(refused);
      expect((await remove(ada, id)).status).toBe(503);
      const { rows } = await api.database.pool.query('select removing_at from contents where id = $1', [id]);
      expect(rows).toEqual([{ removing_at: null }]);
    });

    /**
     * Holds the next change of a card's events until the other request is answered, or waits for it in the database.
     */
    async function whileCardIsChanged<A, B>(change: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> {
      const records = api.nova.app.get(ContentRecords);
      const original = records.choose.bind(records);
      let [isReached, isAnswered] = [false, false];
      let goOn = (): void => undefined;
      const held = new Promise<void>((resolve) => (goOn = resolve));
      jest.spyOn(records, 'choose').mockImplementationOnce(async (...given) => {
        isReached = true;
        await held;
        return original(...given);
      });
      const changed = change();
      await eventually(() => isReached);
      const answered = other().finally(() => (isAnswered = true));
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await eventually(async () => isAnswered || (await api.database.pool.query(waiting)).rowCount !== 0);
      goOn();
      return Promise.all([changed, answered]);
    }

    it('takes it from the card although it is chosen at the same time', async () => {
      const ada = await api.member();
      const id = await publish(ada, 'discovery');
      const [, removed] = await whileCardIsChanged(
        () => choose(ada, id),
        () => remove(ada, id),
      );
      expect(removed.status).toBe(200);
      expect(await shownOnce(ada, null)).toEqual(showing(null));
    });

    it('shows the later of two choices, also where the earlier one is written last', async () => {
      const ada = await api.member();
      const [earlier, later] = [await publish(ada, 'discovery'), await publish(ada, 'discovery')];
      const contents = api.nova.app.get(Contents);
      const original = contents.showOnCard.bind(contents);
      let answer: unknown;
      jest.spyOn(contents, 'showOnCard').mockImplementationOnce(async (...given) => {
        answer = await choose(ada, later);
        return original(...given);
      });
      expect([(await choose(ada, earlier)).status, answer]).toMatchObject([200, { status: 200 }]);
      expect(await shownOnce(ada, later)).toEqual(showing(later));
    });

    it('keeps nobody waiting for a database while the event store takes its time', async () => {
      const [ada, ben] = [await api.member(), await api.member()];
      const id = await publish(ada, 'discovery');
      const { store } = api.nova.app.get<Journal>(JOURNAL);
      const append = store.append.bind(store);
      let [arrived, goOn] = [0, (): void => undefined];
      const held = new Promise<void>((resolve) => (goOn = resolve));
      jest.spyOn(store, 'append').mockImplementation(async (stream, ...given) => {
        if (stream === `card-${ada.id}`) {
          arrived++;
          await held;
        }
        return append(stream, ...given);
      });
      const changes = Array.from({ length: 25 }, () => choose(ada, id));
      try {
        await eventually(() => arrived === changes.length);
        expect((await ben.browser.get('/api/profile')).status).toBe(200);
      } finally {
        goOn();
      }
      expect(new Set((await Promise.all(changes)).map(({ status }) => status))).toEqual(new Set([200]));
      expect(await shownOnce(ada, id)).toEqual(showing(id));
    });

    it('leaves what is chosen in its stead', async () => {
      const ada = await api.member();
      const [id, other] = [await publish(ada, 'discovery'), await publish(ada, 'discovery')];
      await choose(ada, id);
      const [removed, chosen] = await whileCardIsChanged(
        () => remove(ada, id),
        () => choose(ada, other),
      );
      expect([removed.status, chosen.status]).toEqual([200, 200]);
      expect(await shownOnce(ada, other)).toEqual(showing(other));
    });
  });

  it('takes a file once, and only one’s own', async () => {
    const [ada, ben] = [await api.member(), await api.member()];
    const mediaUrl = await upload(ada);
    expect((await ben.browser.post('/api/content/scroll-feed', { mediaUrl })).status).toBe(404);
    const [one, two] = await Promise.all([
      ada.browser.post('/api/content/scroll-feed', { mediaUrl }),
      ada.browser.post('/api/content/scroll-feed', { mediaUrl }),
    ]);
    expect([one.body.id, two.body.id]).toEqual([one.body.id, one.body.id]);
    expect((await ada.browser.get('/api/content/my-scroll-feed')).body).toHaveLength(1);
  });

  it('takes a file for one surface', async () => {
    const ada = await api.member();
    const mediaUrl = await upload(ada);
    expect((await ada.browser.post('/api/content/scroll-feed', { mediaUrl })).status).toBe(201);
    const other = await ada.browser.post('/api/content/discovery', { mediaUrl });
    expect([other.status, other.body.code]).toEqual([409, 'SHOWN_ELSEWHERE']);
  });

  it.each([
    ['/api/content/scroll-feed', {}],
    ['/api/content/scroll-feed', { mediaUrl: 'https://example.com/x.jpg' }],
    ['/api/content/scroll-feed', { mediaUrl: '/objects/uploads/../../etc/passwd' }],
    ['/api/content/discovery', { mediaUrl: '/objects/uploads/x', caption: 'x'.repeat(501) }],
    ['/api/content/discovery', { mediaUrl: '/objects/uploads/x', hashtags: ['two words'] }],
    ['/api/content/discovery', { mediaUrl: '/objects/uploads/x', hashtags: 'word' }],
    ['/api/content/discovery', { mediaUrl: '/objects/uploads/x', contentType: 'text' }],
    ['/api/events', { postId: 'x', eventType: 'like' }],
    ['/api/events', { postId: randomUUID(), eventType: 'love' }],
    ['/api/events', { postId: randomUUID(), eventType: 'like', dwellTime: -1 }],
    ['/api/scroll', { postId: 7 }],
  ])('refuses %s %j', async (path, body) => {
    const answer = await admin.browser.post(path, body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(405);
    expect(answer.body).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  });
});
