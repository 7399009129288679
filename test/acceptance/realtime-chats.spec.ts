import { setTimeout as pause } from 'node:timers/promises';
import { EventBus } from '@nestjs/cqrs';
import { CallOver, CallRings, VideoSessions } from '../../apps/api/src/realtime/video-calls.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { type LiveClient, openPlain, openSocketIo, PROTOCOLS } from '../support/live.js';
import { signInAdmin } from '../support/money.js';
import { acceptChat, activeChat, type OpenChat, requestedChat } from '../support/open-chat.js';

const KILOBYTE = 1024;

describe.each(PROTOCOLS)('live chats by %s', (protocol, open) => {
  let api: TestApi;
  let admin: TestMember;
  let chat: OpenChat;
  let ada: LiveClient;
  let bob: LiveClient;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi, { environment: { RATE_LIMIT_FACTOR: '10' } }));
    chat = await activeChat(api, admin);
  });
  afterAll(() => api?.close());
  beforeEach(async () => {
    ada = await open(api, chat.initiator);
    bob = await open(api, chat.host);
  });
  afterEach(() => {
    ada.close();
    bob.close();
  });

  const bothJoin = () => Promise.all([ada.joinChat(chat.chatId), bob.joinChat(chat.chatId)]);

  describe('joining', () => {
    it('is for the member of the session', async () => {
      ada.say('join_global', { userId: chat.initiator.id });
      expect(await ada.hear('joined_global')).toEqual({ userId: chat.initiator.id });
      for (const userId of [chat.host.id, undefined, null, 7, {}]) {
        bob.say('join_global', { userId: userId === chat.host.id ? chat.initiator.id : userId });
        expect(await bob.hear('error')).toMatchObject({ code: 'WRONG_MEMBER', message: expect.any(String) });
      }
      expect(bob.all('joined_global')).toEqual([]);
    });

    it('a chat is for its two', async () => {
      const eve = await api.member();
      const stranger = await open(api, eve);
      stranger.say('join_chat', { chatId: chat.chatId });
      expect(await stranger.hear('error')).toMatchObject({ code: 'CHAT_NOT_FOUND', chatId: chat.chatId });
      const sent = await stranger.sendMessage({ chatId: chat.chatId, text: 'hello' });
      expect(sent).toMatchObject({ ok: false, code: 'CHAT_NOT_FOUND' });
      for (const type of ['typing_start', 'typing_stop', 'video_start', 'video_decline', 'video_end', 'video_signal']) {
        stranger.say(type, { chatId: chat.chatId, sessionId: chat.chatId, signal: {} });
        expect(await stranger.hear('error')).toMatchObject({ code: 'CHAT_NOT_FOUND' });
      }
      await ada.joinChat(chat.chatId);
      await ada.sendMessage({ chatId: chat.chatId, text: 'not for strangers' });
      await ada.hear('new_message');
      expect(stranger.all('new_message')).toEqual([]);
      expect(ada.all('user_typing')).toEqual([]);
      stranger.close();
    });

    it.each([undefined, null, 7, '', 'x', '018f0000-0000-7000-8000-000000000000', { a: 1 }, ['x']])(
      'no chat with the id %j',
      async (chatId) => {
        ada.say('join_chat', { chatId });
        expect(await ada.hear('error')).toMatchObject({ code: 'CHAT_NOT_FOUND', message: expect.any(String) });
      },
    );
  });

  describe('what is read on one device', () => {
    const read = (member: TestMember, messageId: unknown, chatId = chat.chatId) =>
      member.browser.post(`/api/chats/${chatId}/read`, { messageId });
    const isUnread = async ({ browser }: TestMember): Promise<boolean> =>
      (await browser.get('/api/chats/mine')).body.chats.find(({ id }: { id: string }) => id === chat.chatId).isUnread;
    const say = async (text: string) => (await ada.sendMessage({ chatId: chat.chatId, text })).id as string;

    it('is read on all of them, at once and for nobody else', async () => {
      const { host, chatId } = chat;
      const [first, second] = [await say('one'), await say('two')];
      await eventually(() => isUnread(host));
      bob.say('join_global', { userId: host.id });
      await bob.hear('joined_global');
      await bothJoin();
      expect((await read(host, first)).status).toBe(204);
      const { readThrough } = await bob.hear('chat_read', (frame) => frame['chatId'] === chatId);
      expect((await host.browser.get(`/api/chats/${chatId}`)).body.readThrough).toBe(readThrough);
      expect(await isUnread(host)).toBe(true);
      expect((await read(host, second)).status).toBe(204);
      const { readThrough: later } = await bob.hear('chat_read');
      expect(later > readThrough).toBe(true);
      expect(await isUnread(host)).toBe(false);
      expect((await read(host, first)).status).toBe(204);
      expect((await host.browser.get(`/api/chats/${chatId}`)).body.readThrough).toBe(later);
      ada.say('ping', {});
      await ada.hear('pong');
      expect(ada.all('chat_read')).toEqual([]);
      expect(await isUnread(chat.initiator)).toBe(true);
      await say('three');
      await eventually(() => isUnread(host));
    });

    it('is a message of that chat, which is the member’s', async () => {
      const message = await say('four');
      const eve = await api.member();
      const others = await activeChat(api, admin);
      expect(await read(eve, message)).toMatchObject({ status: 404, body: { code: 'CHAT_NOT_FOUND' } });
      expect(await read(others.host, message, others.chatId)).toMatchObject({
        status: 404,
        body: { code: 'MESSAGE_NOT_FOUND' },
      });
      for (const nonsense of [undefined, 7, 'x']) {
        expect(await read(chat.host, nonsense)).toMatchObject({ status: 400, body: { code: 'INVALID_MESSAGE' } });
      }
      const { rows } = await api.database.pool.query('select 1 from chat_reads where account_id = any($1)', [
        [eve.id, others.host.id],
      ]);
      expect(rows).toEqual([]);
    });
  });

  describe('a message', () => {
    it('is acknowledged, and comes to both sides with the progress', async () => {
      await bothJoin();
      const answer = await ada.sendMessage({ chatId: chat.chatId, text: '  Hello there  ', clientMessageId: 'first' });
      expect(answer).toMatchObject({ ok: true, id: expect.any(String) });
      for (const side of [ada, bob]) {
        const heard = await side.hear('new_message', ({ message }) => message.id === answer.id);
        expect(heard).toEqual({
          message: {
            id: answer.id,
            chatId: chat.chatId,
            senderId: chat.initiator.id,
            text: 'Hello there',
            message: 'Hello there',
            timestamp: expect.any(String),
            createdAt: expect.any(String),
            clientMessageId: 'first',
          },
          exchangeProgress: {
            exchangeCount: expect.any(Number),
            totalCharacters: expect.any(Number),
            percentage: expect.any(Number),
            isSuccessful: false,
          },
        });
      }
    });

    it('is one however often it is sent', async () => {
      await bothJoin();
      const message = { chatId: chat.chatId, text: 'once', clientMessageId: `once-${protocol}` };
      const answers = [];
      for (let n = 0; n < 3; n++) answers.push(await ada.sendMessage(message));
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      const mark = await ada.sendMessage({ chatId: chat.chatId, text: 'mark' });
      await bob.hear('new_message', ({ message: { id } }) => id === mark.id);
      expect(bob.all('new_message').filter(({ message: { text } }) => text === 'once')).toHaveLength(1);
    });

    it('comes in the order in which it was sent', async () => {
      await bothJoin();
      const texts = Array.from({ length: 20 }, (_, n) => `in order ${n}`);
      for (const text of texts) ada.say('chat_message', { chatId: chat.chatId, text });
      await bob.hear('new_message', ({ message }) => message.text === texts.at(-1));
      const heard = bob.all('new_message').map(({ message }) => message.text as string);
      expect(heard.filter((text) => text.startsWith('in order'))).toEqual(texts);
    });

    it.each([
      ['nothing', {}],
      ['a blank', { text: ' \n\t ' }],
      ['a number', { text: 7 }],
      ['10,000 characters', { text: 'x'.repeat(10_000) }],
      ['a NUL', { text: 'a\0b' }],
      ['half of a surrogate pair', { text: 'a\ud83d' }],
      ['an endless clientMessageId', { text: 'x', clientMessageId: 'x'.repeat(65) }],
      ['a clientMessageId that is none', { text: 'x', clientMessageId: { a: 1 } }],
    ])('is not %s', async (_, fields) => {
      await bothJoin();
      ada.say('chat_message', { chatId: chat.chatId, ...fields });
      const error = await ada.hear('error');
      expect(error).toMatchObject({ code: expect.stringMatching(/^INVALID_/), message: expect.any(String) });
      await ada.sendMessage({ chatId: chat.chatId, text: 'still here' });
      await bob.hear('new_message', ({ message }) => message.text === 'still here');
      expect(bob.all('new_message')).toHaveLength(1);
    });

    it('that came while nobody listened follows, in its place', async () => {
      await ada.joinChat(chat.chatId);
      const before = await ada.sendMessage({ chatId: chat.chatId, text: 'before' });
      const missed: (string | undefined)[] = [];
      for (const text of ['missed 1', 'missed 2'])
        missed.push((await ada.sendMessage({ chatId: chat.chatId, text })).id);
      await ada.hear('new_message', ({ message }) => message.id === missed.at(-1));
      bob.say('join_chat', { chatId: chat.chatId, after: before.id });
      const live = await ada.sendMessage({ chatId: chat.chatId, text: 'live' });
      await bob.hear('new_message', ({ message }) => message.id === live.id);
      const ids = () => bob.all('new_message').map(({ message }) => message.id as string);
      expect(ids()).toEqual([...missed, live.id]);
      bob.say('join_chat', { chatId: chat.chatId, after: 'x' });
      expect(await bob.hear('error')).toMatchObject({ code: 'INVALID_FRAME' });
      const carl = await open(api, chat.host);
      carl.say('join_chat', { chatId: chat.chatId, after: null });
      await carl.hear('new_message', ({ message }) => message.id === live.id);
      expect(carl.all('new_message').length).toBeGreaterThan(3);
      carl.close();
    });

    it('comes to sockets that listen to everything, once', async () => {
      bob.say('join_global', { userId: chat.host.id });
      await bob.hear('joined_global');
      await bob.joinChat(chat.chatId);
      const { id } = await ada.sendMessage({ chatId: chat.chatId, text: 'both ways' });
      await bob.hear('new_message', ({ message }) => message.id === id);
      const mark = await ada.sendMessage({ chatId: chat.chatId, text: 'mark' });
      await bob.hear('new_message', ({ message }) => message.id === mark.id);
      expect(bob.all('new_message')).toHaveLength(2);
    });

    it('sent over HTTP comes as well', async () => {
      await bothJoin();
      const answer = await chat.host.browser.post(`/api/chats/${chat.chatId}/messages`, { message: 'by HTTP' });
      expect(answer.status).toBe(201);
      await ada.hear('new_message', ({ message }) => message.text === 'by HTTP');
    });
  });

  describe('typing', () => {
    it('is seen by the other side alone, and ends', async () => {
      await bothJoin();
      ada.say('typing_start', { chatId: chat.chatId });
      const typing = { chatId: chat.chatId, userId: chat.initiator.id, typing: true };
      expect(await bob.hear('user_typing')).toEqual(typing);
      for (let n = 0; n < 5; n++) ada.say('typing_start', { chatId: chat.chatId });
      ada.say('typing_stop', { chatId: chat.chatId });
      expect(await bob.hear('user_typing')).toEqual({ ...typing, typing: false });
      expect(bob.all('user_typing')).toHaveLength(2);
      expect(ada.all('user_typing')).toEqual([]);
    });

    it('ends with the socket', async () => {
      await bothJoin();
      ada.say('typing_start', { chatId: chat.chatId });
      await bob.hear('user_typing');
      ada.close();
      expect(await bob.hear('user_typing')).toMatchObject({ typing: false });
    });

    it('is seen in an open chat alone', async () => {
      const { chatId, initiator, host } = await activeChat(api, admin);
      const [one, two] = [await open(api, initiator), await open(api, host)];
      await Promise.all([one.joinChat(chatId), two.joinChat(chatId)]);
      await host.browser.post(`/api/chats/${chatId}/exit`);
      await one.hear('chat_terminated');
      one.say('typing_start', { chatId });
      await pause(200);
      expect(two.all('user_typing')).toEqual([]);
      for (const socket of [one, two]) socket.close();
    });
  });

  describe('what cannot be understood is answered, and the socket stays:', () => {
    const staysOpen = async () => {
      ada.say('join_global', { userId: chat.initiator.id });
      await ada.hear('joined_global');
    };

    it('an unknown type', async () => {
      for (const type of ['nonsense', '__proto__', 'constructor', 'error', 'x'.repeat(1_000)]) {
        ada.say(type, {});
        expect(await ada.hear('error')).toMatchObject({ code: 'UNKNOWN_TYPE' });
      }
      await staysOpen();
    });

    it('malformed JSON', async () => {
      const bodies = ['{', '', '[]', '"text"', 'null', '7', '\u0000', '{"type":"ping"', '['.repeat(20_000)];
      const events = ['2{', '2["a"', '2nonsense', '2', '2[]', '51-["a",{"_placeholder":true,"num":0}]', '9'];
      for (const text of protocol === 'Socket.IO' ? events : bodies) {
        ada.raw(text);
        expect(await ada.hear('error')).toMatchObject({ message: expect.any(String), code: expect.any(String) });
      }
      await staysOpen();
    });

    it('a payload that is no object', async () => {
      if (protocol === 'plain frames') return;
      for (const payload of [7, 'x', [1]]) {
        ada.say('join_chat', payload as never);
        expect(await ada.hear('error')).toMatchObject({ code: 'MALFORMED_FRAME' });
      }
      await staysOpen();
    });

    it('a frame over 64 kB', async () => {
      for (const size of [64 * KILOBYTE + 1, 900 * KILOBYTE]) {
        ada.say('chat_message', { chatId: chat.chatId, text: 'x'.repeat(size) });
        expect(await ada.hear('error')).toMatchObject({ code: 'FRAME_TOO_LARGE' });
      }
      await staysOpen();
    });
  });

  it('a frame over all bounds ends its socket alone', async () => {
    ada.say('chat_message', { text: 'x'.repeat(3_000 * KILOBYTE) });
    await ada.untilClosed();
    await bob.joinChat(chat.chatId);
  });

  it('a flood is slowed, told so, and then closed', async () => {
    const eve = await open(api, await api.member());
    const wasSlowed = () => eve.all('error').some(({ code }) => code === 'TOO_FAST');
    for (let n = 1; !wasSlowed(); n++) {
      eve.say('ping', {});
      if (n % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(eve.isOpen).toBe(true);
    for (let n = 0; n < 5_000 && eve.isOpen; n++) eve.say('ping', {});
    await eve.untilClosed();
    await bob.joinChat(chat.chatId);
  });

  describe('the end of', () => {
    it('a session closes its sockets, and no others', async () => {
      const member = await api.member();
      const other = api.browser();
      await other.post('/api/auth/signin', {
        email: member.email,
        password: member.password,
        tcConsent: true,
        tcVersion: '1.0',
      });
      const [here, there] = [await open(api, member), await open(api, { ...member, browser: other })];
      await member.browser.post('/api/auth/signout');
      await here.untilClosed();
      there.say('join_global', { userId: member.id });
      await there.hear('joined_global');
      there.close();
    });

    it('a device closes its sockets', async () => {
      const member = await api.member();
      const socket = await open(api, member);
      const { email, password } = member;
      const { body } = await api.browser().post('/api/devices/by-email', { email, password });
      const removed = await api.browser().delete(`/api/devices/${body.devices[0].id}`, { email, password });
      expect(removed.status).toBe(200);
      await socket.untilClosed();
    });

    it('a session by its age closes its sockets', async () => {
      const member = await api.member();
      const socket = await open(api, member);
      await api.database.pool.query(`update sessions set expires_at = now() - interval '1 s' where account_id = $1`, [
        member.id,
      ]);
      // Processes that listen for changes learn that something happened to this account.
      await api.database.pool.query(`select pg_notify('nova_identity', $1)`, [
        JSON.stringify({ kind: 'account', accountId: member.id }),
      ]);
      await socket.untilClosed();
    });
  });

  describe('what happens to a chat', () => {
    it('reaches whom it concerns', async () => {
      const requested = await requestedChat(api, admin);
      const [initiator, host] = [await open(api, requested.initiator), await open(api, requested.host)];
      initiator.say('join_global', { userId: requested.initiator.id });
      host.say('join_global', { userId: requested.host.id });
      await Promise.all([initiator.hear('joined_global'), host.hear('joined_global')]);
      await acceptChat(requested);
      const { chatId } = requested;
      expect(await initiator.hear('chat_accepted')).toEqual({ chatId, message: 'Your chat request was accepted!' });
      expect(await host.hear('chat_updated')).toEqual({ chatId, status: 'active' });
      expect(host.all('chat_accepted')).toEqual([]);
      await requested.host.browser.post(`/api/chats/${chatId}/nudge`);
      expect(await initiator.hear('chat_nudged')).toMatchObject({ chatId, message: expect.stringContaining('Member') });
      await requested.host.browser.post(`/api/chats/${chatId}/exit`);
      for (const side of [initiator, host]) {
        expect(await side.hear('chat_terminated')).toEqual({ chatId, terminatedBy: requested.host.id });
      }
      expect(host.all('chat_nudged')).toEqual([]);
      initiator.close();
      host.close();
    });

    it('tells a host of requests, and both of a refusal', async () => {
      const [one, two] = [await api.member({ displayName: 'Carl' }), await api.member()];
      await admin.browser.post(`/api/admin/users/${one.id}/add-nova`, { amount: 10_000 });
      const [initiator, host] = [await open(api, one), await open(api, two)];
      initiator.say('join_global', { userId: one.id });
      host.say('join_global', { userId: two.id });
      await Promise.all([initiator.hear('joined_global'), host.hear('joined_global')]);
      const { body } = await one.browser.post('/api/chats/initiate', { hostId: two.id });
      const { chatId } = body as { chatId: string };
      expect(await host.hear('chat_requested')).toEqual({ chatId, message: 'Carl would like to chat with you.' });
      expect(initiator.all('chat_requested')).toEqual([]);
      await two.browser.post(`/api/chats/decline-request/${chatId}`);
      expect(await initiator.hear('chat_ended')).toEqual({ chatId, status: 'declined' });
      expect(await host.hear('chat_ended')).toEqual({ chatId, status: 'declined' });
      initiator.close();
      host.close();
    });
  });

  describe('video', () => {
    it('is signalled between the two of an active chat', async () => {
      await bothJoin();
      const { chatId } = chat;
      ada.say('video_start', { chatId });
      const started = await bob.hear('video_chat_started');
      expect(started).toEqual({
        chatId,
        sessionId: expect.any(String),
        startedBy: chat.initiator.id,
        starter: expect.objectContaining({ id: chat.initiator.id, displayName: expect.any(String) }),
        ringsUntil: expect.any(String),
      });
      expect(await ada.hear('video_chat_started')).toEqual(started);
      const { sessionId } = started;
      bob.say('video_start', { chatId });
      expect(await ada.hear('video_chat_started')).toMatchObject({ sessionId, startedBy: chat.host.id });
      const signal = { type: 'offer', sdp: `v=0\r\n${'a'.repeat(10_000)}` };
      ada.say('video_signal', { chatId, sessionId, signal });
      expect(await bob.hear('video_signal')).toEqual({ chatId, sessionId, from: chat.initiator.id, signal });
      expect(ada.all('video_signal')).toEqual([]);
      bob.say('video_end', { chatId, sessionId });
      for (const side of [ada, bob]) {
        expect(await side.hear('video_ended')).toEqual({ chatId, sessionId, endedBy: chat.host.id });
      }
      ada.say('video_signal', { chatId, sessionId, signal });
      expect(await ada.hear('error')).toMatchObject({ code: 'VIDEO_NOT_FOUND' });
    });

    it('is forgotten a day after, where nobody ended one that was answered', async () => {
      const left = crypto.randomUUID();
      await api.database.pool.query(
        `insert into video_sessions (chat_id, session_id, started_by, started_at, answered_at)
         values ($1, $1, $2, now() - interval '25 hours', now()), ($2, $2, $2, now() - interval '23 hours', now())`,
        [left, chat.host.id],
      );
      await bothJoin();
      ada.say('video_start', { chatId: chat.chatId });
      await bob.hear('video_chat_started');
      await api.nova.app.get(VideoSessions).sweep();
      const { rows } = await api.database.pool.query('select chat_id from video_sessions');
      const kept = rows.map(({ chat_id }) => chat_id);
      expect(kept).toEqual(expect.arrayContaining([chat.chatId, chat.host.id]));
      expect(kept).not.toContain(left);
    });

    it('is declined for both sides, on all of their connections', async () => {
      await bothJoin();
      const other = await open(api, chat.host);
      await other.joinChat(chat.chatId);
      ada.say('video_start', { chatId: chat.chatId });
      const { chatId, sessionId } = await bob.hear('video_chat_started');
      bob.say('video_decline', { chatId, sessionId });
      const declined = { chatId, sessionId, declinedBy: chat.host.id };
      for (const each of [ada, bob, other]) expect(await each.hear('video_declined')).toEqual(declined);
      ada.say('video_signal', { chatId, sessionId, signal: {} });
      expect(await ada.hear('error')).toMatchObject({ code: 'VIDEO_NOT_FOUND' });
      other.close();
    });

    it('does not ring at a member who has blocked the caller, nor lets one call whom one has blocked', async () => {
      await bothJoin();
      const { chatId } = chat;
      await chat.host.browser.post(`/api/users/${chat.initiator.id}/block`);
      ada.say('video_start', { chatId });
      expect(await ada.hear('error')).toMatchObject({ chatId, code: 'CALL_REFUSED' });
      bob.say('video_start', { chatId });
      expect(await bob.hear('error')).toMatchObject({ chatId, code: 'BLOCKED_BY_YOU' });
      for (const side of [ada, bob]) expect(side.all('video_chat_started')).toEqual([]);
      await chat.host.browser.delete(`/api/users/${chat.initiator.id}/block`);
      ada.say('video_start', { chatId });
      const { sessionId } = await bob.hear('video_chat_started');
      bob.say('video_end', { chatId, sessionId });
      await ada.hear('video_ended');
    });

    it('goes on where one page answers while another declines', async () => {
      await bothJoin();
      ada.say('video_start', { chatId: chat.chatId });
      const { chatId, sessionId } = await bob.hear('video_chat_started');
      bob.say('video_start', { chatId });
      expect(await bob.hear('video_chat_started')).toMatchObject({ startedBy: chat.host.id });
      bob.say('video_decline', { chatId, sessionId });
      expect(await bob.hear('video_declined')).toEqual({ chatId, sessionId, declinedBy: chat.host.id });
      expect(ada.all('video_declined')).toEqual([]);
      bob.say('video_end', { chatId, sessionId });
      await ada.hear('video_ended');
    });

    it('rings at a page that connects while it rings, and at none afterwards', async () => {
      await bothJoin();
      ada.say('video_start', { chatId: chat.chatId });
      const ring = await bob.hear('video_chat_started');
      const late = await open(api, chat.host);
      late.say('join_global', { userId: chat.host.id });
      expect(await late.hear('video_chat_started')).toEqual(ring);
      bob.say('video_start', { chatId: chat.chatId });
      await ada.hear('video_chat_started', ({ startedBy }) => startedBy === chat.host.id);
      const later = await open(api, chat.host);
      later.say('join_global', { userId: chat.host.id });
      await later.hear('joined_global');
      later.say('ping', {});
      await later.hear('pong');
      expect(later.all('video_chat_started')).toEqual([]);
      for (const each of [late, later]) each.close();
      bob.say('video_end', { chatId: chat.chatId, sessionId: ring['sessionId'] });
      await ada.hear('video_ended');
    });

    it('is told to other areas: that it rings, and how it was over', async () => {
      const told: object[] = [];
      const listening = api.nova.app.get(EventBus).subscribe((event) => {
        if (event instanceof CallRings || event instanceof CallOver) told.push(event);
      });
      await bothJoin();
      const { chatId } = chat;
      const [callerId, calledId] = [chat.initiator.id, chat.host.id];
      ada.say('video_start', { chatId });
      const { sessionId } = await bob.hear('video_chat_started');
      ada.say('video_end', { chatId, sessionId });
      await bob.hear('video_ended');
      ada.say('video_start', { chatId });
      const { sessionId: second } = await bob.hear('video_chat_started');
      bob.say('video_start', { chatId });
      await bob.hear('video_chat_started');
      bob.say('video_end', { chatId, sessionId: second });
      await ada.hear('video_ended');
      await eventually(() => told.length === 4);
      expect(told).toEqual([
        new CallRings(chatId, sessionId as string, callerId, calledId),
        new CallOver(chatId, sessionId as string, callerId, calledId, callerId, null),
        new CallRings(chatId, second as string, callerId, calledId),
        new CallOver(chatId, second as string, callerId, calledId, calledId, expect.any(Number) as unknown as number),
      ]);
      listening.unsubscribe();
    });

    it.each([
      [undefined, 'INVALID_SIGNAL'],
      ['x', 'INVALID_SIGNAL'],
      [null, 'INVALID_SIGNAL'],
      [{ a: 'x'.repeat(40_000) }, 'INVALID_SIGNAL'],
      [JSON.parse('['.repeat(20) + ']'.repeat(20)), 'FRAME_TOO_COMPLEX'],
    ])('takes no signal %#', async (signal, code) => {
      ada.say('video_start', { chatId: chat.chatId });
      await ada.joinChat(chat.chatId);
      ada.say('video_signal', { chatId: chat.chatId, sessionId: chat.chatId, signal });
      expect(await ada.hear('error')).toMatchObject({ code });
    });

    it('is not for a chat that was not accepted', async () => {
      const requested = await requestedChat(api, admin);
      const initiator = await open(api, requested.initiator);
      initiator.say('video_start', { chatId: requested.chatId });
      expect(await initiator.hear('error')).toMatchObject({ code: 'CHAT_NOT_ACTIVE' });
      initiator.close();
    });
  });

  it('shows to the other side who is there', async () => {
    const { initiator, host, chatId } = await activeChat(api, admin);
    const watching = await open(api, initiator);
    await watching.joinChat(chatId);
    const watched = await open(api, host);
    expect(await watching.hear('presence')).toEqual({ userId: host.id, isOnline: true });
    const seen = async () => (await initiator.browser.get(`/api/discovery/feed?search=${host.displayName}`)).body;
    const isOnline = async () => (await seen()).profiles.find(({ id }: { id: string }) => id === host.id)?.isOnline;
    expect(await eventually(isOnline, (online) => online === true)).toBe(true);
    watched.close();
    expect(await watching.hear('presence')).toEqual({ userId: host.id, isOnline: false });
    expect(await isOnline()).toBe(false);
    watching.close();
  });

  it('tells nobody when those come and go who are not shown online', async () => {
    const { initiator, host, chatId } = await activeChat(api, admin);
    const watching = await open(api, initiator);
    await watching.joinChat(chatId);
    const show = (isOnline: boolean) => host.browser.send('PATCH', '/api/profile/settings', { body: { isOnline } });
    const connections = async () =>
      (await api.database.pool.query('select from presence where user_id = $1', [host.id])).rowCount;
    await show(false);
    expect(await watching.hear('presence')).toEqual({ userId: host.id, isOnline: false });

    const unseen = await open(api, host);
    expect(await eventually(connections, (count) => count === 1)).toBe(1);
    unseen.close();
    expect(await eventually(connections, (count) => count === 0)).toBe(0);

    await show(true);
    const seen = await open(api, host);
    await watching.hear('presence', ({ isOnline }) => isOnline);
    // Of hiding, of showing oneself again, and of coming then.
    expect(watching.all('presence').map(({ isOnline }) => isOnline)).toEqual([false, false, true]);
    for (const client of [watching, seen]) client.close();
  });
});

describe('the two protocols', () => {
  it('speak with each other', async () => {
    const { api, admin } = await signInAdmin(startTestApi);
    const chat = await activeChat(api, admin);
    const [plain, socketIo] = [await openPlain(api, chat.initiator), await openSocketIo(api, chat.host, ['polling'])];
    await Promise.all([plain.joinChat(chat.chatId), socketIo.joinChat(chat.chatId)]);
    await plain.sendMessage({ chatId: chat.chatId, text: 'from plain' });
    await socketIo.hear('new_message', ({ message }) => message.text === 'from plain');
    await socketIo.sendMessage({ chatId: chat.chatId, text: 'from Socket.IO' });
    await plain.hear('new_message', ({ message }) => message.text === 'from Socket.IO');
    await api.close();
  });
});
