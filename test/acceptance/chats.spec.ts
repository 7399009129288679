import { randomUUID } from 'node:crypto';
import { StoreUnavailable } from '@app/event-store';
import { ChatReadModels } from '../../apps/api/src/chats/chat-read-models.js';
import { ChatStore } from '../../apps/api/src/chats/chat-store.js';
import { MemberRelations } from '../../apps/api/src/members/member-relations.js';
import { storeUnavailable } from '../../apps/api/src/platform/journal/append-until-known.js';
import { startTestApi, type TestAnswer, type TestApi, type TestMember } from '../support/api.js';
import { EXPLANATION, LONG_TEXT, moveChatTime, rate, REVIEW, send, talk, wallet } from '../support/chats.js';
import { eventually } from '../support/eventually.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { acceptChat, activeChat, type OpenChat, requestChat, requestedChat } from '../support/open-chat.js';
import { somebodyWaitsFor, whileFirstStands, whileTableStands } from '../support/standing-table.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('paid chats', () => {
  let api: TestApi;
  let admin: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
  });
  afterAll(() => api?.close());

  const account = async (name: string): Promise<number> => {
    const { rows } = await api.database.pool.query<{ balance: string }>(
      'select balance from read.account_balance where account = $1',
      [name],
    );
    return Number(rows[0]?.balance ?? 0) / 100;
  };
  const escrow = (chatId: string): Promise<number> => account(`chat:${chatId}`);
  const view = async (member: TestMember, chatId: string) => (await member.browser.get(`/api/chats/${chatId}`)).body;
  const successful = async (): Promise<OpenChat> => {
    const chat = await activeChat(api, admin);
    await talk(chat, 5);
    return chat;
  };

  describe('the whole way', () => {
    it('holds, pays, pends until rated, and completes, to the minor unit', async () => {
      const [initiator, host] = [await api.member({ displayName: 'Ina' }), await api.member({ displayName: 'Hal' })];
      await grantNova(admin, initiator.id, 10_000);
      const treasury = await account('treasury');

      const requested = await initiator.browser.post('/api/chats/initiate', {
        hostId: host.id,
        expectedPrice: 1_250,
        initiatorProfileData: { mood: 'green' },
        hostProfileData: null,
      });
      expect(requested.status).toBe(201);
      const { chatId } = requested.body;
      expect(requested.body).toMatchObject({
        message: 'Your request was sent: Hal has 2 minutes to accept.',
        price: 1_250,
        novaBalance: 8_750,
        chat: {
          id: chatId,
          status: 'requested',
          side: 'initiator',
          initiator: { id: initiator.id, displayName: 'Ina' },
          host: { id: host.id, displayName: 'Hal', rating: 5 },
          price: 1_250,
          exchangeCount: 0,
          percentage: 0,
          refunded: null,
          messages: [],
        },
      });
      expect(new Date(requested.body.acceptBy).getTime() - Date.now()).toBeGreaterThan(100_000);
      expect(await escrow(chatId)).toBe(1_250);
      expect(await wallet(initiator)).toMatchObject({ novaBalance: 8_750, heldNova: 1_250 });

      const inbound = await host.browser.get('/api/chats/pending-requests');
      expect(inbound.body.requests).toEqual([
        expect.objectContaining({ id: chatId, chatId, hostId: host.id, initiatorId: initiator.id, price: 1_250 }),
      ]);
      expect((await host.browser.get('/api/chats/inbound-priority')).body).toMatchObject({
        count: 1,
        chats: [{ id: chatId, initiator: { displayName: 'Ina' } }],
      });
      expect((await initiator.browser.get('/api/chats/pending-requests')).body).toEqual({ requests: [] });

      const accepted = await host.browser.post(`/api/chats/accept-request/${chatId}`);
      expect([accepted.status, accepted.body.chatId, accepted.body.chat.status]).toEqual([200, chatId, 'active']);
      expect((await host.browser.get('/api/chats/pending-requests')).body).toEqual({ requests: [] });
      expect((await initiator.browser.get('/api/chats/mine')).body.chats).toEqual([
        expect.objectContaining({ id: chatId, status: 'active', side: 'initiator' }),
      ]);

      const early = await talk({ chatId, initiator, host }, 4);
      expect(early.body.exchangeProgress).toEqual({
        exchangeCount: 4,
        totalCharacters: 480,
        percentage: 90,
        isSuccessful: false,
      });
      const last = await talk({ chatId, initiator, host }, 1);
      expect(last.body.exchangeProgress).toMatchObject({ exchangeCount: 5, percentage: 100, isSuccessful: true });
      await eventually(
        () => escrow(chatId),
        (held) => held === 0,
      );
      await eventually(
        () => wallet(host),
        ({ pendingNova }) => pendingNova === 625,
      );
      expect(await wallet(host)).toMatchObject({ novaBalance: 0, pendingNova: 625 });
      // No Karma and no thread holders yet: their shares go to the treasury.
      expect((await account('treasury')) - treasury).toBe(625);

      const rated = await rate(host, chatId, { rating: 80, follow: true });
      expect(rated.status).toBe(200);
      expect(rated.body).toMatchObject({
        chatId,
        novaEarned: 625,
        isInitiator: false,
        influencePointsEarned: 0,
        totalInfluencePoints: 0,
        currentNovaBalance: 625,
        totalEarnedNova: 625,
        karmaTokenProgress: { hasKarmaToken: false, current: 0, required: 5, percentage: 0 },
        perpetualBenefits: { hasTokenRewards: false, hasThreadRewards: false, tokenBreakdown: [], threadBreakdown: [] },
        rewardsReleased: 625,
        completed: false,
      });
      expect(await view(initiator, chatId)).toMatchObject({ myRating: null, theirRating: null, hostRating: null });
      expect(await view(host, chatId)).toMatchObject({ myRating: 80, hostRating: 80, theirRating: null });

      const closing = await rate(initiator, chatId, { rating: 95 });
      expect(closing.body).toMatchObject({
        novaEarned: 0,
        isInitiator: true,
        influencePointsEarned: 1,
        totalInfluencePoints: 1,
        currentNovaBalance: 8_750,
        karmaTokenProgress: { current: 1, percentage: 20 },
        perpetualBenefits: { hasTokenRewards: true, hasThreadRewards: true },
        rewardsReleased: 0,
        completed: true,
      });
      expect(await view(initiator, chatId)).toMatchObject({
        status: 'completed',
        myRating: 95,
        theirRating: 80,
        isSuccessful: true,
        refunded: 0,
      });
      expect((await host.browser.get(`/api/users/${initiator.id}/relation`)).body).toEqual({
        following: true,
        followsMe: false,
        blocked: false,
      });
      const history = await host.browser.get('/api/chats/completed-history');
      expect(history.body.chatHistories).toEqual([
        expect.objectContaining({
          chatId,
          otherUser: expect.objectContaining({ displayName: 'Ina' }),
          novaEarned: 625,
          influencePointsEarned: 0,
          isInitiator: false,
          exchangeCount: 5,
          myRating: 80,
          theirRating: 95,
          totalCharacters: 600,
        }),
      ]);
      const month = history.body.chatHistories[0].completedAt.slice(0, 7);
      for (const [browser, hostedChats, novaEarned, influencePointsEarned] of [
        [host.browser, 1, 625, 0],
        [initiator.browser, 0, 0, 1],
      ] as const) {
        expect((await browser.get('/api/chats/completed-history/totals')).body).toEqual({
          chats: 1,
          hostedChats,
          novaEarned,
          influencePointsEarned,
          months: [{ month, chats: 1, novaEarned }],
        });
      }
      const payout = await host.browser.get(`/api/chats/${chatId}/payout`);
      expect(payout.body).toMatchObject({ novaEarned: 625, rewardsReleased: 625, completed: true });
    });

    it('mints Karma for the fifth completed chat, and Influence for the host\u2019s fifth reward', async () => {
      const host = await api.member();
      for (let chats = 0; chats < 5; chats++) {
        const initiator = await api.member();
        await grantNova(admin, initiator.id, 1_250);
        const chat = { chatId: await requestChat(initiator, host), initiator, host };
        await acceptChat(chat);
        await talk(chat, 5);
        await rate(initiator, chat.chatId);
        const { body } = await rate(host, chat.chatId);
        expect(body.influencePointsEarned).toBe(chats === 4 ? 1 : 0);
      }
      const minted = async () =>
        (
          await api.database.pool.query<{ karma: string; influence: string }>(
            'select karma, influence from read.member_balance where user_id = $1',
            [host.id],
          )
        ).rows[0];
      await eventually(minted, (row) => row?.karma === '1');
      expect(await minted()).toEqual({ karma: '1', influence: '1' });
    });
  });

  describe('requests', () => {
    it('go back to the initiator when declined, and must wait a minute then', async () => {
      const { chatId, initiator, host } = await requestedChat(api, admin);
      const declined = await host.browser.post(`/api/chats/decline-request/${chatId}`);
      expect(declined.body).toEqual({
        message: 'The request was declined and the Nova refunded.',
        chatId,
        refunded: 1_250,
      });
      expect(await wallet(initiator)).toMatchObject({ novaBalance: 10_000, heldNova: 0 });
      expect(await view(initiator, chatId)).toMatchObject({ status: 'declined', refunded: 1_250 });
      const again = await initiator.browser.post('/api/chats/initiate', { hostId: host.id });
      expect([again.status, again.body.code]).toEqual([409, 'COOLDOWN']);
      expect(new Date(again.body.cooldownUntil).getTime() - Date.now()).toBeGreaterThan(50_000);
      expect(await wallet(initiator)).toMatchObject({ novaBalance: 10_000 });
    });

    it('expire after two minutes, and are refunded', async () => {
      const { chatId, initiator, host } = await requestedChat(api, admin);
      const time = moveChatTime(api);
      try {
        time.forward(2 * MINUTE);
        const late = await host.browser.post(`/api/chats/${chatId}/accept`);
        expect([late.status, late.body.code]).toEqual([409, 'CHAT_REQUEST_EXPIRED']);
        await eventually(
          () => view(initiator, chatId),
          ({ status }) => status === 'expired',
        );
        await eventually(
          () => wallet(initiator),
          ({ novaBalance }) => novaBalance === 10_000,
        );
        time.forward(MINUTE);
        expect((await initiator.browser.post('/api/chats/initiate', { hostId: host.id })).status).toBe(201);
      } finally {
        time.restore();
      }
    });

    it('are one a pair, whoever asks, also when asked at once', async () => {
      const { chatId, initiator, host } = await requestedChat(api, admin);
      await grantNova(admin, host.id, 5_000);
      const crossed = await host.browser.post('/api/chats/initiate', { hostId: initiator.id });
      expect([crossed.status, crossed.body.code, crossed.body.chatId]).toEqual([409, 'CHAT_ALREADY_OPEN', chatId]);
      const [a, b] = [await api.member(), await api.member()];
      await grantNova(admin, a.id, 100_000);
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => a.browser.post('/api/chats/initiate', { hostId: b.id })),
      );
      expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([
        201,
        ...Array.from({ length: 7 }, () => 409),
      ]);
      expect(await wallet(a)).toMatchObject({ novaBalance: 98_750, heldNova: 1_250 });
    });

    it('are the same one under the same Idempotency-Key', async () => {
      const [initiator, host, other] = [await api.member(), await api.member(), await api.member()];
      await grantNova(admin, initiator.id, 5_000);
      const key = { 'idempotency-key': '0199a000-0000-7000-8000-00000000c0de' };
      const first = await initiator.browser.post('/api/chats/initiate', { hostId: host.id }, key);
      const second = await initiator.browser.post('/api/chats/initiate', { hostId: host.id }, key);
      expect([first.status, second.status, second.body.chatId]).toEqual([201, 201, first.body.chatId]);
      expect(await wallet(initiator)).toMatchObject({ novaBalance: 3_750 });
      const foreign = await initiator.browser.post('/api/chats/initiate', { hostId: other.id }, key);
      expect([foreign.status, foreign.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      const ask = (expectedPrice: number) =>
        initiator.browser.post('/api/chats/initiate', { hostId: host.id, expectedPrice }, key);
      expect([(await ask(1_250)).status, (await ask(1_500)).body.code]).toEqual([201, 'IDEMPOTENCY_KEY_REUSED']);
    });

    it('are one a pair, also where one of two attempts under one key gives up', async () => {
      const [initiator, host] = [await api.member(), await api.member()];
      const key = { 'idempotency-key': randomUUID() };
      const ask = () => initiator.browser.post('/api/chats/initiate', { hostId: host.id }, key);
      const { first, second } = await whileFirstStands(api.database.pool, 'delete on chat_pairs', {
        first: ask,
        second: async () => {
          await grantNova(admin, initiator.id, 5_000);
          return ask();
        },
      });
      expect([first.status, second.status]).toEqual([400, 201]);
      const another = await initiator.browser.post('/api/chats/initiate', { hostId: host.id });
      expect([another.body.code, another.body.chatId]).toEqual(['CHAT_ALREADY_OPEN', second.body.chatId]);
    });

    it.each<[string, () => { mockRestore(): void }]>([
      [
        'before the request is written',
        () => {
          const chats = api.nova.app.get(ChatStore);
          const execute = chats.execute.bind(chats);
          let attempts = 0;
          return jest.spyOn(chats, 'execute').mockImplementation(async (chatId, command, by) => {
            // The sweep does not end slow chats here.
            const isAway = command.type === 'AbandonRequest' || (command.type === 'RequestChat' && ++attempts <= 2);
            if (isAway) throw storeUnavailable(undefined);
            return execute(chatId, command, by);
          });
        },
      ],
      [
        'when blocks are looked for again',
        () =>
          jest
            .spyOn(api.nova.app.get(MemberRelations), 'blockerOf')
            .mockResolvedValueOnce(undefined)
            .mockRejectedValueOnce(storeUnavailable(undefined))
            .mockRejectedValueOnce(storeUnavailable(undefined)),
      ],
      [
        'when the answer waits for what lists show',
        () =>
          jest
            .spyOn(api.nova.app.get(ChatReadModels), 'movedUpTo')
            .mockRejectedValueOnce(new StoreUnavailable('away'))
            .mockRejectedValueOnce(new Error('Connection terminated unexpectedly')),
      ],
    ])('may have been made once the price is held: the store is away %s', async (_, interrupt) => {
      const [initiator, host] = [await api.member(), await api.member()];
      await grantNova(admin, initiator.id, 2_000);
      const key = { 'idempotency-key': randomUUID() };
      const ask = async () => {
        const { status, body } = await initiator.browser.post('/api/chats/initiate', { hostId: host.id }, key);
        return [status, body.code];
      };
      const interrupted = interrupt();
      const unknown = [503, 'OUTCOME_UNKNOWN'];
      expect([await ask(), await ask(), await ask()]).toEqual([unknown, unknown, [201, undefined]]);
      interrupted.mockRestore();
      expect(await wallet(initiator)).toMatchObject({ novaBalance: 750, heldNova: 1_250 });
    });

    it('cost what the host asks, and are refused at a price that is no longer so', async () => {
      const [initiator, host] = [await api.member(), await api.member()];
      await grantNova(admin, initiator.id, 10_000);
      const set = (body: object) => host.browser.send('PATCH', '/api/profile/settings', { body });
      expect((await host.browser.get('/api/profile/settings')).body).toEqual({
        isOnline: true,
        allowDirectChats: true,
        minimumChatPrice: 1,
      });
      expect((await set({ minimumChatPrice: 2.5 })).body).toMatchObject({ minimumChatPrice: 2.5, isOnline: true });
      const stale = await initiator.browser.post('/api/chats/initiate', { hostId: host.id, expectedPrice: 1_250 });
      expect([stale.status, stale.body.code, stale.body.price]).toEqual([409, 'PRICE_CHANGED', 3_125]);
      await set({ allowDirectChats: false });
      const off = await initiator.browser.post('/api/chats/initiate', { hostId: host.id });
      expect([off.status, off.body.code]).toEqual([409, 'DIRECT_CHATS_OFF']);
      await set({ allowDirectChats: true, isOnline: false });
      const taken = await initiator.browser.post('/api/chats/initiate', { hostId: host.id, expectedPrice: 3_125 });
      expect([taken.status, taken.body.price]).toEqual([201, 3_125]);
      for (const minimumChatPrice of [0.25, 0.75, -1, 10_000.5, '1', null, 1e300]) {
        const refused = await set({ minimumChatPrice });
        expect([minimumChatPrice, refused.status, refused.body.code]).toEqual([minimumChatPrice, 400, 'INVALID_PRICE']);
      }
    });

    it('are refused to and from whom one has blocked, and end when one blocks', async () => {
      const { chatId, initiator, host } = await requestedChat(api, admin);
      expect((await host.browser.post(`/api/users/${initiator.id}/block`)).status).toBe(200);
      expect(await view(initiator, chatId)).toMatchObject({ status: 'declined', refunded: 1_250 });
      expect(await wallet(initiator)).toMatchObject({ novaBalance: 10_000 });
      const refused = await initiator.browser.post('/api/chats/initiate', { hostId: host.id });
      expect([refused.status, refused.body.code]).toEqual([404, 'HOST_NOT_FOUND']);
      const byHost = await host.browser.post('/api/chats/initiate', { hostId: initiator.id });
      expect([byHost.status, byHost.body.code]).toEqual([409, 'BLOCKED_BY_YOU']);
      const own = await requestedChat(api, admin);
      await own.initiator.browser.post(`/api/users/${own.host.id}/block`);
      expect(await view(own.initiator, own.chatId)).toMatchObject({ status: 'terminated', refunded: 1_250 });
    });

    it('are refused to whom one has blocked, be it before read models show the block', async () => {
      const [initiator, host] = [await api.member(), await api.member()];
      await grantNova(admin, initiator.id, 2_000);
      const refused = await whileTableStands(api.database.pool, 'read.blocks', async () => {
        await host.browser.post(`/api/users/${initiator.id}/block`);
        return [
          await initiator.browser.post('/api/chats/initiate', { hostId: host.id }),
          await initiator.browser.post(`/api/profile/${host.id}/wall`, { comment: 'Why?' }),
          await initiator.browser.post('/api/gifts/send', { recipientId: host.id, amount: 1_000 }),
          await initiator.browser.post(`/api/users/${host.id}/follow`),
        ];
      });
      expect(refused.map(({ body }) => body.code)).toEqual([
        'HOST_NOT_FOUND',
        'PROFILE_NOT_FOUND',
        'RECIPIENT_NOT_FOUND',
        'NOT_FOUND',
      ]);
      expect(await wallet(initiator)).toMatchObject({ novaBalance: 2_000, heldNova: 0 });
    });

    it('end when one blocks while they are made', async () => {
      const { pool } = api.database;
      for (const blocks of ['host', 'initiator'] as const) {
        const members = { initiator: await api.member(), host: await api.member() };
        await grantNova(admin, members.initiator.id, 2_000);
        let asking: Promise<TestAnswer> | undefined;
        const blocked = await whileTableStands(pool, 'chat_pairs', async () => {
          asking = members.initiator.browser.post('/api/chats/initiate', { hostId: members.host.id });
          await somebodyWaitsFor(pool, 'chat_pairs');
          const other = members[blocks === 'host' ? 'initiator' : 'host'];
          return members[blocks].browser.post(`/api/users/${other.id}/block`);
        });
        const asked = await asking;
        const refusal = blocks === 'host' ? [404, 'HOST_NOT_FOUND'] : [409, 'BLOCKED_BY_YOU'];
        expect([blocked.status, asked?.status, asked?.body.code]).toEqual([200, ...refusal]);
        const back = ({ novaBalance }: { novaBalance: number }) => novaBalance === 2_000;
        expect(await eventually(() => wallet(members.initiator), back)).toMatchObject({ heldNova: 0 });
        const pending = async () => (await members.host.browser.get('/api/chats/pending-requests')).body.requests;
        await eventually(pending, ({ length }) => length === 0);
      }
    });

    it('are refused with too little Nova, changing nothing', async () => {
      const [initiator, host] = [await api.member(), await api.member()];
      await grantNova(admin, initiator.id, 1_249.99);
      for (let tries = 0; tries < 2; tries++) {
        const answer = await initiator.browser.post('/api/chats/initiate', { hostId: host.id });
        expect([answer.status, answer.body.code]).toEqual([400, 'INSUFFICIENT_NOVA']);
      }
      await grantNova(admin, initiator.id, 0.01);
      expect((await initiator.browser.post('/api/chats/initiate', { hostId: host.id })).status).toBe(201);
    });

    it('are refused to oneself, to nobody and to what is no id', async () => {
      const initiator = await api.member();
      const ask = async (hostId: unknown) => {
        const { status, body } = await initiator.browser.post('/api/chats/initiate', { hostId });
        return [status, body.code];
      };
      expect(await ask(initiator.id)).toEqual([400, 'SELF_CHAT']);
      expect(await ask('0199a000-0000-7000-8000-000000000000')).toEqual([404, 'HOST_NOT_FOUND']);
      expect(await ask("x' or 1=1")).toEqual([404, 'HOST_NOT_FOUND']);
      expect(await ask('')).toEqual([400, 'REQUIRED']);
      expect(await ask({ $ne: 1 })).toEqual([400, 'REQUIRED']);
      expect(await ask(undefined)).toEqual([400, 'REQUIRED']);
    });
  });

  describe('breaking off', () => {
    it('by the host gives everything back', async () => {
      const chat = await activeChat(api, admin);
      await talk(chat, 2);
      const left = await chat.host.browser.post(`/api/chats/${chat.chatId}/exit`);
      expect(left.body).toEqual({
        message: 'The chat was terminated.',
        chatId: chat.chatId,
        refunded: 1_250,
        paid: 0,
      });
      expect(await wallet(chat.initiator)).toMatchObject({ novaBalance: 10_000, heldNova: 0 });
      expect(await wallet(chat.host)).toMatchObject({ novaBalance: 0, pendingNova: 0 });
      expect(await escrow(chat.chatId)).toBe(0);
      const rated = await rate(chat.initiator, chat.chatId);
      expect([rated.status, rated.body.code]).toEqual([409, 'CHAT_NOT_SUCCESSFUL']);
    });

    it('by the initiator pays what was said, the host\u2019s half at once', async () => {
      const chat = await activeChat(api, admin);
      const treasury = await account('treasury');
      await talk(chat, 2, 'short words');
      // Two exchanges and 44 characters: (120 + 44) / 600 of 1,250.
      const left = await chat.initiator.browser.post(`/api/chats/${chat.chatId}/exit`);
      expect(left.body).toMatchObject({ paid: 341.66, refunded: 908.34 });
      expect(await wallet(chat.initiator)).toMatchObject({ novaBalance: 9_658.34, heldNova: 0 });
      expect(await wallet(chat.host)).toMatchObject({ novaBalance: 170.83, earnedNova: 170.83, pendingNova: 0 });
      expect(await escrow(chat.chatId)).toBe(0);
      const karma = await account('pool:karma');
      expect((await account('treasury')) - treasury + (karma > 0 ? 34.17 : 0)).toBeCloseTo(170.83, 2);
      expect(await view(chat.host, chat.chatId)).toMatchObject({
        status: 'terminated',
        terminatedBy: 'initiator',
        terminationCause: 'exit',
      });
      expect((await chat.host.browser.get(`/api/chats/${chat.chatId}/payout`)).body).toMatchObject({
        novaEarned: 170.83,
        rewardsReleased: 170.83,
        completed: false,
      });
    });

    it('happens by itself when the host never writes', async () => {
      const chat = await activeChat(api, admin);
      await send(chat.initiator, chat.chatId, LONG_TEXT);
      const time = moveChatTime(api);
      try {
        time.forward(3 * MINUTE);
        const ended = await eventually(
          () => view(chat.initiator, chat.chatId),
          ({ status }) => status === 'terminated',
        );
        expect(ended).toMatchObject({
          terminatedBy: 'host',
          terminationCause: 'no-first-message',
          refunded: 1_250,
        });
        await eventually(
          () => wallet(chat.initiator),
          ({ novaBalance }) => novaBalance === 10_000,
        );
      } finally {
        time.restore();
      }
    });

    it('happens by itself after a day of silence, as if whoever owes the reply had left', async () => {
      const chat = await activeChat(api, admin);
      await talk(chat, 1);
      const time = moveChatTime(api);
      try {
        time.forward(DAY);
        const ended = await eventually(
          () => view(chat.host, chat.chatId),
          ({ status }) => status === 'terminated',
        );
        // (60 + 120) / 600 of 1,250.
        expect(ended).toMatchObject({ terminatedBy: 'initiator', terminationCause: 'idle', refunded: 875 });
        await eventually(
          () => wallet(chat.host),
          ({ earnedNova }) => earnedNova === 187.5,
        );
      } finally {
        time.restore();
      }
    });
  });

  describe('ratings', () => {
    it('close after a week: rewards are released, and the chat is completed', async () => {
      const chat = await successful();
      const time = moveChatTime(api);
      try {
        time.forward(7 * DAY);
        const late = await rate(chat.host, chat.chatId);
        expect([late.status, late.body.code]).toEqual([409, 'RATING_CLOSED']);
        await eventually(
          () => view(chat.host, chat.chatId),
          ({ status }) => status === 'completed',
        );
        await eventually(
          () => wallet(chat.host),
          ({ earnedNova, pendingNova }) => earnedNova === 625 && !pendingNova,
        );
      } finally {
        time.restore();
      }
    });

    it('are refused out of their limits, changing nothing', async () => {
      const chat = await successful();
      const cases: [string, object, string, string | undefined][] = [
        ['0', { rating: 0 }, 'INVALID_RATING', undefined],
        ['101', { rating: 101 }, 'INVALID_RATING', undefined],
        ['50.5', { rating: 50.5 }, 'INVALID_RATING', undefined],
        ['text', { rating: '90' }, 'INVALID_RATING', undefined],
        ['none', { rating: undefined }, 'INVALID_RATING', undefined],
        ['49', { comment: 'x'.repeat(49) }, 'INVALID_REVIEW', 'Your review must be between 50 and 100 characters.'],
        ['101 characters', { comment: 'x'.repeat(101) }, 'INVALID_REVIEW', undefined],
        ['blanks', { comment: ' '.repeat(60) }, 'INVALID_REVIEW', undefined],
        ['no words', { comment: undefined }, 'INVALID_REVIEW', undefined],
        [
          'low without reason',
          { rating: 75 },
          'INVALID_EXPLANATION',
          'Your explanation must be between 30 and 100 characters.',
        ],
        ['low, 29', { rating: 75, explanation: 'x'.repeat(29) }, 'INVALID_EXPLANATION', undefined],
        ['low, 101', { rating: 75, explanation: 'x'.repeat(101) }, 'INVALID_EXPLANATION', undefined],
        ['follow', { follow: 'yes' }, 'VALIDATION_FAILED', undefined],
      ];
      for (const [name, more, code, message] of cases) {
        const { status, body } = await rate(chat.host, chat.chatId, more);
        expect([name, status, body.code]).toEqual([name, 400, code]);
        if (message !== undefined) expect(body.message).toBe(message);
      }
      expect(await view(chat.host, chat.chatId)).toMatchObject({ myRating: null, status: 'successful' });
      const low = await rate(chat.host, chat.chatId, {
        rating: 75,
        explanation: EXPLANATION,
        comment: '😀'.repeat(50),
      });
      expect(low.status).toBe(200);
      const twice = await rate(chat.host, chat.chatId, { comment: `${REVIEW} Again.` });
      expect([twice.status, twice.body.code]).toEqual([409, 'ALREADY_RATED']);
      const { rows } = await api.database.pool.query(
        'select comment, explanation from chat_reviews where chat_id = $1',
        [chat.chatId],
      );
      expect(rows).toEqual([{ comment: '😀'.repeat(50), explanation: EXPLANATION }]);
    });
  });

  describe('two ratings of one side at the same moment', () => {
    const words = async (chatId: string) =>
      (await api.database.pool.query('select comment from chat_reviews where chat_id = $1', [chatId])).rows;
    const written = (chatId: string, comment: string) =>
      eventually(
        () => words(chatId),
        ([row]) => row?.comment === comment,
      );
    const OTHER_WORDS = `${REVIEW} And more.`;

    it('have the words of the one that was taken, be the other written before that', async () => {
      const { pool } = api.database;
      const { chatId, host } = await successful();
      const ratings: Promise<TestAnswer>[] = [];
      await whileTableStands(pool, 'journal.events', async () => {
        ratings.push(rate(host, chatId));
        await written(chatId, REVIEW);
        await somebodyWaitsFor(pool, 'journal.events');
        ratings.push(rate(host, chatId, { comment: OTHER_WORDS }));
        await written(chatId, OTHER_WORDS);
      });
      expect((await Promise.all(ratings)).map(({ status }) => status)).toEqual([200, 409]);
      expect(await words(chatId)).toEqual([{ comment: REVIEW }]);
    });

    it('have the words of the one that was taken, be the other written after that', async () => {
      const { chatId, host } = await successful();
      const { first, second } = await whileFirstStands(api.database.pool, 'insert on chat_reviews', {
        first: () => rate(host, chatId, { comment: OTHER_WORDS }),
        second: () => rate(host, chatId),
      });
      expect([first.status, second.status]).toEqual([409, 200]);
      expect(await words(chatId)).toEqual([{ comment: REVIEW }]);
    });
  });

  describe('what is repeated under its Idempotency-Key', () => {
    const withKey = (member: TestMember, path: string, key: string | undefined, body?: object) =>
      member.browser.post(`/api/chats/${path}`, body, key === undefined ? {} : { 'idempotency-key': key });
    const codes = async (answers: readonly Promise<TestAnswer>[]) =>
      (await Promise.all(answers)).map(({ status, body }) => [status, body.code]);

    it.each([
      ['exit', (chatId: string) => `${chatId}/exit`, 'CHAT_ENDED'],
      ['decline', (chatId: string) => `${chatId}/decline`, 'CHAT_NOT_REQUESTED'],
      ['decline-request', (chatId: string) => `decline-request/${chatId}`, 'CHAT_NOT_REQUESTED'],
    ] as const)('is answered as it was: %s', async (_, path, code) => {
      const [chat, other] = [await requestedChat(api, admin), await requestedChat(api, admin)];
      const [key, target] = [randomUUID(), path(chat.chatId)];
      const first = await withKey(chat.host, target, key);
      const again = await withKey(chat.host, target, key);
      expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
      expect(await codes([withKey(chat.host, target, undefined), withKey(chat.host, target, randomUUID())])).toEqual([
        [409, code],
        [409, code],
      ]);
      expect(await codes([withKey(other.host, path(other.chatId), key)])).toEqual([[200, undefined]]);
      expect((await withKey(chat.initiator, `${chat.chatId}/exit`, key)).body.code).toBe('CHAT_ENDED');
    });

    it('is answered as it was: rate', async () => {
      const { chatId, host, initiator } = await successful();
      const [key, rating] = [randomUUID(), { rating: 90, comment: REVIEW, follow: true }];
      const given = (body: object, usedKey?: string) => withKey(host, `${chatId}/rate`, usedKey, body);
      const first = await given(rating, key);
      await host.browser.delete(`/api/users/${initiator.id}/follow`);
      const again = await given(rating, key);
      expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
      expect((await host.browser.get(`/api/users/${initiator.id}/relation`)).body.following).toBe(false);
      expect(
        await codes([
          given({ ...rating, rating: 91 }, key),
          given({ ...rating, comment: `${REVIEW} Again.` }, key),
          given(rating),
          given(rating, randomUUID()),
        ]),
      ).toEqual([
        [422, 'IDEMPOTENCY_KEY_REUSED'],
        [422, 'IDEMPOTENCY_KEY_REUSED'],
        [409, 'ALREADY_RATED'],
        [409, 'ALREADY_RATED'],
      ]);
    });

    it('is answered as it was: a rating whose follow fails at first, and comes then', async () => {
      const { chatId, host, initiator } = await successful();
      const [key, rating] = [randomUUID(), { rating: 90, comment: REVIEW, follow: true }];
      const following = jest
        .spyOn(api.nova.app.get(MemberRelations), 'followAfterRating')
        .mockRejectedValue(storeUnavailable(undefined));
      const rated = await withKey(host, `${chatId}/rate`, key, rating);
      const reworded = await withKey(host, `${chatId}/rate`, key, { ...rating, comment: `${REVIEW} Again.` });
      following.mockRestore();
      expect([rated.status, reworded.status, reworded.body.code]).toEqual([200, 422, 'IDEMPOTENCY_KEY_REUSED']);
      const { rows } = await api.database.pool.query('select comment from chat_reviews where chat_id = $1', [chatId]);
      expect(rows).toEqual([{ comment: REVIEW }]);
      const relation = async () => (await host.browser.get(`/api/users/${initiator.id}/relation`)).body;
      await eventually(relation, ({ following: isSo }) => isSo);
    });
  });

  describe('messages', () => {
    it('keep their words where one of two attempts under one clientMessageId gives up', async () => {
      const chat = await requestedChat(api, admin);
      const hello = () => send(chat.host, chat.chatId, 'Hello', { clientMessageId: 'm-1' });
      const { first, second } = await whileFirstStands(api.database.pool, 'delete on chat_messages_text', {
        first: hello,
        second: async () => {
          await acceptChat(chat);
          return hello();
        },
      });
      expect([first.status, second.status]).toEqual([409, 201]);
      expect((await view(chat.initiator, chat.chatId)).messages).toEqual([second.body.message]);
    });

    it('are sent once under one clientMessageId', async () => {
      const chat = await activeChat(api, admin);
      const [first, ...others] = await Promise.all(
        Array.from({ length: 5 }, () => send(chat.host, chat.chatId, ' Hello there ', { clientMessageId: 'm-1' })),
      );
      expect(first?.body.message).toMatchObject({
        chatId: chat.chatId,
        senderId: chat.host.id,
        text: 'Hello there',
        message: 'Hello there',
        clientMessageId: 'm-1',
      });
      expect(others.map(({ status, body }) => [status, body.message])).toEqual(
        others.map(() => [201, first?.body.message]),
      );
      const sent = await view(chat.initiator, chat.chatId);
      expect(sent.messages).toEqual([first?.body.message]);
      expect([sent.totalCharacterCount, sent.validHostCharacterCount]).toEqual([11, 10]);
    });

    it('are counted as `POST /api/messages` sends them', async () => {
      const chat = await activeChat(api, admin);
      const body = { chatId: chat.chatId, text: 'Good evening', senderId: chat.host.id };
      const sent = await chat.host.browser.post('/api/messages', body);
      expect([sent.status, sent.body.message.text]).toEqual([201, 'Good evening']);
      const foreign = await chat.initiator.browser.post('/api/messages', body);
      expect([foreign.status, foreign.body.code]).toEqual([403, 'FOREIGN_SENDER']);
      const nowhere = await chat.host.browser.post('/api/messages', { ...body, chatId: 'x' });
      expect([nowhere.status, nowhere.body.code]).toEqual([404, 'CHAT_NOT_FOUND']);
    });

    it('are refused blank, too long, too early, too late and to strangers', async () => {
      const chat = await requestedChat(api, admin);
      const early = await send(chat.host, chat.chatId, 'Hello');
      expect([early.status, early.body.code]).toEqual([409, 'CHAT_NOT_ACTIVE']);
      await acceptChat(chat);
      for (const text of [
        '',
        '   \n ',
        '\u200b\u2060',
        'x'.repeat(2_001),
        'x'.repeat(10_000),
        'a\u0000b',
        7,
        null,
        ['x'],
      ]) {
        const refused = await send(chat.host, chat.chatId, text);
        expect([text, refused.status, refused.body.code]).toEqual([text, 400, 'INVALID_MESSAGE']);
      }
      const stranger = await api.member();
      expect((await send(stranger, chat.chatId, 'Hello')).body.code).toBe('CHAT_NOT_FOUND');
      expect((await send(chat.host, chat.chatId, '👋'.repeat(2_000))).status).toBe(201);
      await chat.host.browser.post(`/api/chats/${chat.chatId}/exit`);
      const late = await send(chat.host, chat.chatId, 'Hello');
      expect([late.status, late.body.code]).toEqual([409, 'CHAT_ENDED']);
      const { rows } = await api.database.pool.query('select text from chat_messages_text where chat_id = $1', [
        chat.chatId,
      ]);
      expect(rows).toHaveLength(1);
    });
  });

  describe('other people\u2019s chats', () => {
    it('are not there, whatever one asks', async () => {
      const { chatId, initiator } = await requestedChat(api, admin);
      const stranger = await api.member();
      const calls: [string, string, unknown][] = [
        ['GET', '', undefined],
        ['GET', '/payout', undefined],
        ['POST', '/accept', undefined],
        ['POST', '/decline', undefined],
        ['POST', '/exit', undefined],
        ['POST', '/nudge', undefined],
        ['POST', '/verify', { isSuccessful: true }],
        ['POST', '/messages', { message: 'Hello' }],
        ['POST', '/rate', { rating: 90, comment: REVIEW }],
      ];
      for (const [method, path, body] of calls) {
        for (const id of [chatId, '0199a000-0000-7000-8000-000000000000', 'no-id', '%00', chatId.toUpperCase()]) {
          const answer = await stranger.browser.send(method, `/api/chats/${id}${path}`, { body });
          expect([method, path, id, answer.status]).toEqual([method, path, id, 404]);
        }
      }
      expect(await view(initiator, chatId)).toMatchObject({ status: 'requested' });
      expect((await initiator.browser.get(`/api/chats/${chatId.toUpperCase()}`)).body).toMatchObject({ id: chatId });
    });

    it('are for the host to answer, once', async () => {
      const { chatId, initiator, host } = await requestedChat(api, admin);
      const own = await initiator.browser.post(`/api/chats/accept-request/${chatId}`);
      expect([own.status, own.body.code]).toEqual([403, 'NOT_HOST']);
      await host.browser.post(`/api/chats/${chatId}/decline`);
      for (const path of ['accept', 'decline']) {
        const again = await host.browser.post(`/api/chats/${chatId}/${path}`);
        expect([again.status, again.body.code]).toEqual([409, 'CHAT_NOT_REQUESTED']);
      }
    });
  });

  it('notifies once a minute, and hears no word against what was counted', async () => {
    const chat = await activeChat(api, admin);
    const nudge = () => chat.initiator.browser.post(`/api/chats/${chat.chatId}/nudge`);
    expect((await nudge()).status).toBe(200);
    const again = await nudge();
    expect([again.status, again.body.code]).toEqual([429, 'NUDGED_ALREADY']);
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(50);
    const verify = (isSuccessful: unknown) =>
      chat.initiator.browser.post(`/api/chats/${chat.chatId}/verify`, { isSuccessful });
    expect((await verify(false)).status).toBe(200);
    expect([(await verify(true)).status, (await verify('yes')).status]).toEqual([409, 400]);
  });

  it('lists whom one has blocked, the last blocked first, until they are unblocked', async () => {
    const [ada, bob, cleo] = [await api.member(), await api.member(), await api.member()];
    const blocked = async (query = '') => (await ada.browser.get(`/api/users/blocked${query}`)).body;
    expect(await blocked()).toEqual({ members: [], nextCursor: null });
    for (const { id } of [bob, cleo]) await ada.browser.post(`/api/users/${id}/block`);
    await bob.browser.post(`/api/users/${ada.id}/block`);
    const shown = ({ id, displayName }: typeof bob) => ({
      id,
      displayName,
      profileImageUrl: null,
      blockedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(await blocked()).toEqual({ members: [shown(cleo), shown(bob)], nextCursor: null });
    const first = await blocked('?limit=1');
    expect(first).toEqual({ members: [shown(cleo)], nextCursor: expect.any(String) });
    expect(await blocked(`?limit=1&cursor=${first.nextCursor}`)).toEqual({ members: [shown(bob)], nextCursor: null });
    expect((await blocked('?cursor=x')).code).toBe('INVALID_CURSOR');
    await ada.browser.delete(`/api/users/${cleo.id}/block`);
    expect((await blocked()).members).toEqual([shown(bob)]);
    expect((await api.browser().get('/api/users/blocked')).status).toBe(401);
  });

  it('lets members follow, unfollow, block and report', async () => {
    const [ada, bob] = [await api.member(), await api.member()];
    const relation = async () => (await ada.browser.get(`/api/users/${bob.id}/relation`)).body;
    await bob.browser.post(`/api/users/${ada.id}/follow`);
    expect((await ada.browser.post(`/api/users/${bob.id}/follow`)).status).toBe(200);
    expect((await ada.browser.post(`/api/users/${bob.id}/follow`)).status).toBe(200);
    expect(await relation()).toEqual({ following: true, followsMe: true, blocked: false });
    await ada.browser.delete(`/api/users/${bob.id}/follow`);
    expect(await relation()).toMatchObject({ following: false });
    await ada.browser.post(`/api/users/${bob.id}/block`);
    expect(await relation()).toMatchObject({ blocked: true });
    expect((await ada.browser.post(`/api/users/${bob.id}/follow`)).body.code).toBe('BLOCKED_BY_YOU');
    await ada.browser.delete(`/api/users/${bob.id}/block`);
    expect(await relation()).toMatchObject({ blocked: false });
    expect((await ada.browser.post(`/api/users/${ada.id}/follow`)).status).toBe(400);
    expect((await ada.browser.post('/api/users/no-id/follow')).status).toBe(404);
    expect((await ada.browser.post('/api/users/0199a000-0000-7000-8000-000000000000/block')).status).toBe(404);
    const report = (text: unknown) => ada.browser.post(`/api/users/${bob.id}/report`, { text });
    expect((await report('He was rude.')).status).toBe(200);
    expect((await report(' ')).body.code).toBe('INVALID_REPORT');
    expect((await report('x'.repeat(1_001))).body.code).toBe('INVALID_REPORT');
    const { rows } = await api.database.pool.query('select text from member_reports where reported_id = $1', [bob.id]);
    expect(rows).toEqual([{ text: 'He was rude.' }]);
  });
});
