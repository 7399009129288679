import { createHash } from 'node:crypto';
import { LOW_RATING_MAX, NO_BLOCK_HASH, threadPreimage } from '@app/domain';
import { IdentityChanges } from '../../apps/api/src/identity/identity-changes.js';
import { startTestApi, type TestAnswer, type TestApi, type TestMember } from '../support/api.js';
import { EXPLANATION, rate, REVIEW, talk } from '../support/chats.js';
import { eventually } from '../support/eventually.js';
import { grantNova, novaBalance, signInAdmin } from '../support/money.js';
import { acceptChat, type OpenChat, requestChat } from '../support/open-chat.js';

const NOBODY = '018f0000-0000-7000-8000-000000000000';
const OTHER_REVIEW = 'Funny, patient and honest: I would talk to this member again.';

const threadsOf = (viewer: TestMember, query = ''): Promise<TestAnswer> =>
  viewer.browser.get(`/api/personal-threads${query}`);
const statsOf = (viewer: TestMember, query = ''): Promise<TestAnswer> =>
  viewer.browser.get(`/api/personal-threads/stats${query}`);

/** Computed from the answer alone, as anybody can. */
const hashOf = (thread: TestAnswer['body']): string =>
  createHash('sha256')
    .update(threadPreimage({ ...thread, connectedId: thread.connectedUser.id }))
    .digest('hex');

describe('personal threads', () => {
  let api: TestApi;
  let admin: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
  });
  afterAll(() => api?.close());

  const member = async (displayName?: string): Promise<TestMember> => {
    const made = await api.member(displayName === undefined ? {} : { displayName });
    await grantNova(admin, made.id, 20_000);
    return made;
  };

  const rated = async (by: TestMember, chatId: string, given: { rating: number; comment?: string }): Promise<void> => {
    const { status } = await rate(by, chatId, {
      ...given,
      ...(given.rating > LOW_RATING_MAX ? {} : { explanation: EXPLANATION }),
    });
    expect(status).toBeLessThan(300);
  };

  /** A chat of the two that both have rated. */
  const completed = async (
    initiator: TestMember,
    host: TestMember,
    { given = 90, received = 80 }: { given?: number; received?: number } = {},
  ): Promise<OpenChat> => {
    const chat = { chatId: await requestChat(initiator, host), initiator, host };
    await acceptChat(chat);
    await talk(chat, 5);
    await rated(initiator, chat.chatId, { rating: given });
    await rated(host, chat.chatId, { rating: received, comment: OTHER_REVIEW });
    return chat;
  };

  const hasBlocks = (owner: TestMember, count: number): Promise<TestAnswer> =>
    eventually(
      () => threadsOf(owner),
      ({ body }) => body.length === count,
    );

  it('is empty for a member who has none', async () => {
    const newcomer = await api.member();
    const answer = await threadsOf(newcomer, `?ownerId=${newcomer.id}`);
    expect([answer.status, answer.body, answer.headers.get('x-next-cursor')]).toEqual([200, [], null]);
    expect((await statsOf(newcomer)).body).toEqual({
      blocks: 0,
      karmaThreads: 0,
      influenceThreads: 0,
      firstAt: null,
      lastAt: null,
      headHash: null,
      totalNovaReceived: 0,
      totalNovaOwed: 0,
      averageGiven: null,
      averageReceived: null,
    });
  });

  it('shows both sides of a chat that both rated 75 or higher, each from its own side', async () => {
    const [ann, hal] = [await member('Ann'), await member('<img src=x onerror=alert(1)>')];
    await api.database.pool.query(
      `insert into profiles (account_id, mood) values ($1, 'violet')
      on conflict (account_id) do update set mood = 'violet'`,
      [hal.id],
    );
    const { chatId } = await completed(ann, hal, { given: 75, received: 100 });
    const { body: anns } = await hasBlocks(ann, 1);
    const { body: hals } = await hasBlocks(hal, 1);
    expect(anns).toEqual([
      {
        id: anns[0].hash,
        ownerId: ann.id,
        blockNumber: 1,
        connectedUser: { id: hal.id, displayName: '<img src=x onerror=alert(1)>', profileImageUrl: null },
        connectedUserMood: 'violet',
        connectedUserRating: 100,
        connectedUserComment: OTHER_REVIEW,
        connectionType: 'influence',
        ownerRole: 'initiator',
        ownerRating: 75,
        ownerComment: REVIEW,
        personalNovaReceived: 0,
        personalNovaOwed: 0,
        chatId,
        givenRating: 75,
        receivedRating: 100,
        previousHash: NO_BLOCK_HASH,
        hash: hashOf(anns[0]),
        at: Date.parse(anns[0].createdAt),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
    ]);
    expect(hals).toEqual([
      expect.objectContaining({
        connectedUser: { id: ann.id, displayName: 'Ann', profileImageUrl: null },
        connectedUserMood: 'blue',
        connectionType: 'karma',
        ownerRole: 'host',
        ownerRating: 100,
        ownerComment: OTHER_REVIEW,
        connectedUserRating: 75,
        connectedUserComment: REVIEW,
        hash: hashOf(hals[0]),
      }),
    ]);
  });

  it('leaves out chats that one side rated lower', async () => {
    const [ann, hal] = [await member(), await member()];
    await completed(ann, hal, { received: 74 });
    await completed(ann, hal);
    const { body } = await hasBlocks(ann, 1);
    expect(body[0]).toMatchObject({ blockNumber: 1, ownerRating: 90, connectedUserRating: 80 });
  });

  describe('of a chain of three', () => {
    let owner: TestMember;
    let hosts: TestMember[];
    let chain: TestAnswer['body'];

    beforeAll(async () => {
      owner = await member('Olga');
      hosts = [await member('Hal'), await member('Ida')];
      const [hal, ida] = hosts;
      if (!hal || !ida) throw new Error('two hosts were made');
      await completed(owner, hal, { given: 90, received: 80 });
      await completed(owner, ida, { given: 95, received: 85 });
      // From a host's second chat on, members with a thread with the host get a share.
      await completed(ida, owner, { given: 76, received: 77 });
      chain = (await hasBlocks(owner, 3)).body;
    });

    it('comes newest first, each block with the hash of the one before', () => {
      expect(chain.map(({ blockNumber }: { blockNumber: number }) => blockNumber)).toEqual([3, 2, 1]);
      for (const block of chain) expect(block.hash).toBe(hashOf(block));
      expect(chain[0].previousHash).toBe(chain[1].hash);
      expect(chain[1].previousHash).toBe(chain[2].hash);
      expect(chain[2].previousHash).toBe(NO_BLOCK_HASH);
      expect(hashOf({ ...chain[2], givenRating: 91 })).not.toBe(chain[2].hash);
    });

    it('comes by pages', async () => {
      const first = await threadsOf(owner, '?limit=2');
      const cursor = first.headers.get('x-next-cursor');
      const second = await threadsOf(owner, `?limit=2&cursor=${cursor}`);
      expect([...first.body, ...second.body]).toEqual(chain);
      expect(second.headers.get('x-next-cursor')).toBeNull();
    });

    it('has figures', async () => {
      expect((await statsOf(owner, `?ownerId=${owner.id.toUpperCase()}`)).body).toEqual({
        blocks: 3,
        karmaThreads: 1,
        influenceThreads: 2,
        firstAt: chain[2].createdAt,
        lastAt: chain[0].createdAt,
        headHash: chain[0].hash,
        totalNovaReceived: 0,
        totalNovaOwed: 0,
        averageGiven: 87.33,
        averageReceived: 80.33,
      });
    });

    it('keeps what was written for the two, and what was earned for the owner', async () => {
      const [, ida] = hosts;
      if (!ida) throw new Error('two hosts were made');
      const stranger = await api.member();
      const { body: seen, status } = await threadsOf(stranger, `?ownerId=${owner.id}`);
      expect(status).toBe(200);
      for (const [index, block] of seen.entries()) {
        expect(block).toEqual({
          ...chain[index],
          ownerComment: null,
          connectedUserComment: null,
          personalNovaReceived: null,
          personalNovaOwed: null,
          ownerRating: null,
          connectedUserRating: null,
          givenRating: null,
          receivedRating: null,
          chatId: null,
        });
      }
      expect((await statsOf(stranger, `?ownerId=${owner.id}`)).body).toMatchObject({
        blocks: 3,
        totalNovaReceived: null,
        totalNovaOwed: null,
        averageGiven: null,
        averageReceived: null,
      });
      const { body: idas } = await threadsOf(ida, `?ownerId=${owner.id}`);
      expect(idas.map(({ ownerComment }: { ownerComment: string | null }) => ownerComment)).toEqual([
        OTHER_REVIEW,
        REVIEW,
        null,
      ]);
      for (const [index, block] of idas.entries()) {
        const isIdas = index < 2;
        expect([block.chatId !== null, block.givenRating !== null]).toEqual([isIdas, isIdas]);
        if (isIdas) expect(hashOf(block)).toBe(block.hash);
      }
    });

    it('is not there for whom its owner has blocked', async () => {
      const [former, current] = [await api.member(), await member()];
      await current.browser.post(`/api/users/${former.id}/block`);
      const seen = [
        await threadsOf(former, `?ownerId=${current.id}`),
        await statsOf(former, `?ownerId=${current.id}`),
        await threadsOf(former, `?ownerId=${NOBODY}`),
      ];
      const [, , absent] = seen;
      for (const { status, body } of seen) {
        expect([status, body.code, body.message]).toEqual([404, 'NOT_FOUND', absent?.body.message]);
      }
      expect((await threadsOf(current, `?ownerId=${former.id}`)).status).toBe(200);
    });

    it('tells what the pool of a host has brought: owed first, then paid', async () => {
      const [hal] = hosts;
      if (!hal) throw new Error('two hosts were made');
      await completed(await member(), hal);
      const owed = await eventually(
        () => statsOf(owner),
        ({ body }) => body.totalNovaOwed > 0,
      );
      // 10 % of 1,250 Nova, and nobody else had a share by then.
      expect(owed.body).toMatchObject({ totalNovaOwed: 125, totalNovaReceived: 0 });
      const { body: before } = await threadsOf(owner);
      expect(before.map((block: { personalNovaOwed: number }) => block.personalNovaOwed)).toEqual([0, 0, 125]);
      // A member who spends more than was credited is paid first.
      await owner.browser.post('/api/gifts/send', { recipientId: hal.id, amount: await novaBalance(owner) });
      await eventually(
        () => statsOf(owner),
        ({ body }) => body.totalNovaReceived === 125 && body.totalNovaOwed === 0,
      );
      const { body: after } = await threadsOf(owner);
      expect(after.at(-1)).toMatchObject({ personalNovaReceived: 125, personalNovaOwed: 0 });
    });

    it('stays whole when a connected account is closed', async () => {
      const [leaver, stayer] = [await member(), await member()];
      await completed(leaver, stayer);
      await api.database.pool.query('update accounts set closed_at = now() where id = $1', [leaver.id]);
      await api.nova.app.get(IdentityChanges).publish({ kind: 'account', accountId: leaver.id });
      await hasBlocks(stayer, 1);
      const { body } = await eventually(
        () => threadsOf(stayer),
        (answer) => answer.body[0].connectedUser.displayName !== leaver.displayName,
      );
      expect(body[0].connectedUser).toEqual({ id: leaver.id, displayName: 'Deleted member', profileImageUrl: null });
      expect(hashOf(body[0])).toBe(body[0].hash);
      expect((await threadsOf(stayer, `?ownerId=${leaver.id}`)).status).toBe(404);
    });
  });

  describe('refuses', () => {
    it.each([
      ['an owner that is no id', '?ownerId=me', 400, 'INVALID_OWNER_ID'],
      ['several owners', `?ownerId=${NOBODY}&ownerId=${NOBODY}`, 400, 'INVALID_OWNER_ID'],
      ['an owner who is not there', `?ownerId=${NOBODY}`, 404, 'NOT_FOUND'],
      ['a foreign cursor', '?cursor=abc', 400, 'INVALID_CURSOR'],
      ['a page of nothing', '?limit=0', 400, expect.any(String)],
      ['a page of 101', '?limit=101', 400, expect.any(String)],
    ])('%s', async (_, query, status, code) => {
      const answer = await threadsOf(await api.member(), query);
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect(answer.body.message).toMatch(/\.$/);
    });

    it('wrong owners of figures, and whoever is not signed in', async () => {
      const someone = await api.member();
      expect((await statsOf(someone, '?ownerId=1')).body.code).toBe('INVALID_OWNER_ID');
      expect((await statsOf(someone, `?ownerId=${NOBODY}`)).status).toBe(404);
      expect((await api.browser().get(`/api/personal-threads?ownerId=${someone.id}`)).status).toBe(401);
      expect((await api.browser().get('/api/personal-threads/stats')).status).toBe(401);
    });
  });
});
