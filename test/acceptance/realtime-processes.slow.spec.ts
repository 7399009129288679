import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { type LiveClient, openPlain, openSocketIo } from '../support/live.js';
import { signInAdmin } from '../support/money.js';
import { activeChat, type OpenChat, requestedChat } from '../support/open-chat.js';

describe('two servers on one database', () => {
  let here: TestApi;
  let there: TestApi;
  let admin: TestMember;
  let chat: OpenChat;
  let ada: LiveClient;
  let bob: LiveClient;

  beforeAll(async () => {
    ({ api: here, admin } = await signInAdmin(startTestApi));
    there = await startTestApi({ database: here.database, environment: { RATE_LIMIT_FACTOR: '1000' } });
    chat = await activeChat(here, admin);
    ada = await openPlain(here, chat.initiator);
    bob = await openSocketIo(there, chat.host);
    await Promise.all([ada.joinChat(chat.chatId), bob.joinChat(chat.chatId)]);
  });
  afterAll(async () => {
    ada?.close();
    bob?.close();
    await there?.close();
    await here?.close();
  });

  it('deliver messages to each other’s sockets, both ways', async () => {
    const one = await ada.sendMessage({ chatId: chat.chatId, text: 'from here' });
    await bob.hear('new_message', ({ message }) => message.id === one.id);
    const two = await bob.sendMessage({ chatId: chat.chatId, text: 'from there' });
    for (const side of [ada, bob]) await side.hear('new_message', ({ message }) => message.id === two.id);
    for (const side of [ada, bob]) expect(side.all('new_message')).toHaveLength(2);
  });

  it('take a message once, whichever gets it again', async () => {
    const message = { chatId: chat.chatId, text: 'once', clientMessageId: 'once' };
    const other = await openPlain(there, chat.initiator);
    const answers = await Promise.all([ada.sendMessage(message), other.sendMessage(message)]);
    expect(answers.map(({ ok }) => ok)).toEqual([true, true]);
    expect(answers[0].id).toBe(answers[1].id);
    const mark = await ada.sendMessage({ chatId: chat.chatId, text: 'mark' });
    await bob.hear('new_message', ({ message: { id } }) => id === mark.id);
    expect(bob.all('new_message').filter(({ message: { text } }) => text === 'once')).toHaveLength(1);
    other.close();
  });

  it('hand on typing and signals, large ones too', async () => {
    const { chatId } = chat;
    ada.say('typing_start', { chatId });
    expect(await bob.hear('user_typing')).toMatchObject({ typing: true, userId: chat.initiator.id });
    ada.say('video_start', { chatId });
    const { sessionId } = await bob.hear('video_chat_started');
    for (let n = 0; n < 20; n++) {
      ada.say('video_signal', { chatId, sessionId, signal: { n, sdp: 'x'.repeat(n % 2 === 0 ? 10 : 12_000) } });
    }
    while (bob.all('video_signal').length < 20) await bob.hear('video_signal');
    const heard = bob.all('video_signal').map(({ signal }) => signal.n as number);
    expect(heard.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('know each other’s members as online', async () => {
    const { initiator, host, chatId } = await activeChat(here, admin);
    const watching = await openPlain(here, initiator);
    await watching.joinChat(chatId);
    const watched = [await openPlain(there, host), await openPlain(here, host)];
    expect(await watching.hear('presence')).toEqual({ userId: host.id, isOnline: true });
    watched[0]?.close();
    // Long enough for the other server to have said so, were it wrong.
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    expect(watching.all('presence').filter(({ isOnline }) => !isOnline)).toEqual([]);
    watched[1]?.close();
    expect(await watching.hear('presence', ({ isOnline }) => !isOnline)).toMatchObject({ userId: host.id });
    watching.close();
  });

  it('tell of what the other was asked for', async () => {
    const requested = await requestedChat(here, admin);
    const initiator = await openPlain(there, requested.initiator);
    initiator.say('join_global', { userId: requested.initiator.id });
    await initiator.hear('joined_global');
    await requested.host.browser.post(`/api/chats/accept-request/${requested.chatId}`);
    await initiator.hear('chat_accepted', ({ chatId }) => chatId === requested.chatId);
    initiator.close();
  });

  it('close the sockets of a session that ends at the other', async () => {
    const member = await here.member();
    const socket = await openPlain(there, member);
    await member.browser.post('/api/auth/signout');
    await socket.untilClosed();
    expect(socket.closeCode).toBe(4401);
  });

  it('tell that members have gone with a server that stopped', async () => {
    // The last test: Passport's strategies belong to the process, and from here on to a server that has stopped.
    const stopping = await startTestApi({ database: here.database });
    const { initiator, host, chatId } = await activeChat(here, admin);
    const watching = await openPlain(here, initiator);
    await watching.joinChat(chatId);
    const watched = await openPlain(stopping, host);
    expect(await watching.hear('presence')).toEqual({ userId: host.id, isOnline: true });
    await stopping.close();
    await watched.untilClosed();
    expect(await watching.hear('presence', ({ isOnline }) => !isOnline)).toMatchObject({ userId: host.id });
    watching.close();
  });
});
