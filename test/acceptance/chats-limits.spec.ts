import { startTestApi, type TestApi } from '../support/api.js';
import { send } from '../support/chats.js';
import { stopWindows } from '../support/limits.js';
import { openPlain, openSocketIo } from '../support/live.js';
import { signInAdmin } from '../support/money.js';
import { activeChat } from '../support/open-chat.js';

describe('how fast members can write', () => {
  let api: TestApi;
  afterEach(() => api?.close());

  it('is limited by member, and what is refused is not sent', async () => {
    const started = await signInAdmin(startTestApi, { environment: { RATE_LIMIT_FACTOR: '1' } });
    api = started.api;
    const chat = await activeChat(api, started.admin);
    stopWindows(api, 'chatMessages');
    const answers = await Promise.all(Array.from({ length: 40 }, () => send(chat.initiator, chat.chatId, 'Hello')));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(20);
    expect(refused[0]?.body.code).toBe('TOO_MANY_REQUESTS');
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect((await send(chat.host, chat.chatId, 'Hello')).status).toBe(201);
    const sent = answers.filter(({ status }) => status === 201).length + 1;
    const { body } = await chat.host.browser.get(`/api/chats/${chat.chatId}`);
    expect(body.messages).toHaveLength(sent);
  });

  it('slows a live connection, which is refused nothing for it, however many sockets a member has', async () => {
    const started = await signInAdmin(startTestApi, { environment: { RATE_LIMIT_FACTOR: '1' } });
    api = started.api;
    const { chatId, initiator } = await activeChat(api, started.admin);
    const sockets = [await openPlain(api, initiator), await openSocketIo(api, initiator)];
    const begin = performance.now();
    const sending = sockets.flatMap((socket) =>
      Array.from({ length: 21 }, (_, n) => socket.sendMessage({ chatId, text: `Hello ${n}` })),
    );
    const answers = await Promise.all(sending);
    expect(answers.filter(({ ok }) => !ok)).toEqual([]);
    expect(performance.now() - begin).toBeGreaterThan(1_000);
    for (const socket of sockets) socket.close();
  });

  it('is limited for calls, so that nobody is rung without end', async () => {
    const started = await signInAdmin(startTestApi, { environment: { RATE_LIMIT_FACTOR: '1' } });
    api = started.api;
    const { chatId, initiator, host } = await activeChat(api, started.admin);
    stopWindows(api, 'calls');
    const [ada, bob] = [await openPlain(api, initiator), await openPlain(api, host)];
    await Promise.all([ada.joinChat(chatId), bob.joinChat(chatId)]);
    for (let count = 1; count <= 10; count++) {
      ada.say('video_start', { chatId });
      const { sessionId } = await bob.hear('video_chat_started');
      ada.say('video_end', { chatId, sessionId });
    }
    ada.say('video_start', { chatId });
    expect(await ada.hear('error')).toMatchObject({ chatId, code: 'TOO_MANY_REQUESTS' });
    // The other side calls when it wants to.
    bob.say('video_start', { chatId });
    expect(await ada.hear('video_chat_started', ({ startedBy }) => startedBy === host.id)).toMatchObject({ chatId });
    expect(bob.all('video_chat_started').filter(({ startedBy }) => startedBy === initiator.id)).toHaveLength(10);
    for (const socket of [ada, bob]) socket.close();
  });
});
