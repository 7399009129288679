import { addNotices, Notices } from '../../apps/api/src/notices/notices.js';
import { NOTICES_KEPT_MAX } from '../../apps/api/src/notices/limits.js';
import { VideoSessions } from '../../apps/api/src/realtime/video-calls.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { rate, talk } from '../support/chats.js';
import { eventually } from '../support/eventually.js';
import { type LiveClient, openPlain } from '../support/live.js';
import { MailServer, tokenIn } from '../support/mail-server.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { anotherBrowser } from '../support/oauth.js';
import { acceptChat, activeChat, type OpenChat, requestChat } from '../support/open-chat.js';
import { PushReceiver } from '../support/push-service.js';

interface Notice {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly path: string;
  readonly isRead: boolean;
}

let api: TestApi;
let there: TestApi;
let admin: TestMember;

beforeAll(async () => {
  ({ api, admin } = await signInAdmin(startTestApi));
  there = await startTestApi({ database: api.database });
});
afterAll(async () => {
  await there?.close();
  await api?.close();
});

const noticesOf = async ({ browser }: Pick<TestMember, 'browser'>): Promise<Notice[]> =>
  (await browser.get('/api/notices')).body.notices;
const unreadOf = async ({ browser }: Pick<TestMember, 'browser'>): Promise<number> =>
  (await browser.get('/api/notices/unread')).body.unread;
const texts = async (member: TestMember): Promise<string[]> => (await noticesOf(member)).map(({ text }) => text);
/** Waits until these are all notices, the newest first. */
const told = (member: TestMember, ...sentences: string[]): Promise<string[]> =>
  eventually(
    () => texts(member),
    (seen) => JSON.stringify(seen) === JSON.stringify(sentences),
  );

async function pair(): Promise<{ ada: TestMember; bob: TestMember }> {
  const [ada, bob] = [await api.member({ displayName: 'Ada' }), await api.member({ displayName: 'Bob <i>' })];
  await grantNova(admin, ada.id, 20_000);
  return { ada, bob };
}

describe('notices', () => {
  it('tell the host of a request, and the initiator of what came back when it is declined', async () => {
    const { ada, bob } = await pair();
    const chatId = await requestChat(ada, bob);
    await told(bob, 'Ada would like to chat with you.');
    expect(await noticesOf(bob)).toMatchObject([{ kind: 'chat_request', path: '/?tab=status', isRead: false }]);
    await bob.browser.post(`/api/chats/decline-request/${chatId}`);
    await told(ada, 'Bob <i> declined your chat request. 1,250 Nova came back to you.');
    expect(await noticesOf(ada)).toMatchObject([{ kind: 'chat_declined', path: `/chat/${chatId}` }]);
    expect((await ada.browser.get('/api/nova/balance')).body.novaBalance).toBe(20_000);
  });

  it('tell both sides of a chat that ended early, and what each has of it', async () => {
    const { ada, bob } = await pair();
    const chatId = await requestChat(ada, bob);
    await acceptChat({ chatId, initiator: ada, host: bob });
    await talk({ chatId, initiator: ada, host: bob }, 1);
    await ada.browser.post(`/api/chats/${chatId}/exit`);
    const accepted = 'Bob <i> accepted your chat request.';
    await eventually(async () => (await texts(ada)).length === 2 && (await texts(bob)).length === 2);
    const [ended, before] = await texts(ada);
    expect(before).toBe(accepted);
    const [, back] = /^Your chat with Bob <i> ended early\. ([\d,.]+) Nova came back to you\.$/.exec(ended ?? '') ?? [];
    expect(18_750 + Number(back?.replace(',', ''))).toBe((await ada.browser.get('/api/nova/balance')).body.novaBalance);
    expect((await texts(bob))[0]).toMatch(/^Your chat with Ada ended early\. [\d.,]+ Nova are yours\.$/);
  });

  it('tell of success, of rewards once they are released, and of gifts', async () => {
    const { ada, bob } = await pair();
    const chatId = await requestChat(ada, bob);
    const chat: OpenChat = { chatId, initiator: ada, host: bob };
    await acceptChat(chat);
    await talk(chat, 5);
    const requested = 'Ada would like to chat with you.';
    const successful = 'Your chat with Ada was successful. Rate it to get your reward.';
    await told(bob, successful, requested);
    await rate(bob, chatId);
    const reward = 'The reward of a chat is yours: 625 Nova.';
    await told(bob, reward, successful, requested);
    await ada.browser.post('/api/gifts/send', { recipientId: bob.id, amount: 1_000 });
    await told(bob, 'Ada sent you a gift. 500 Nova are yours.', reward, successful, requested);
  });

  it('tell of quests that were completed', async () => {
    const { ada, bob } = await pair();
    const [from, to] = [new Date(Date.now() - 60_000), new Date(Date.now() + 3_600_000)];
    const quest = await admin.browser.post('/api/admin/quests', {
      title: 'Be generous',
      description: 'Send a gift.',
      reward: 100,
      rules: { type: 'gifts_sent', target: 1 },
      startTime: from.toISOString(),
      endTime: to.toISOString(),
    });
    expect([quest.status, quest.body]).toEqual([201, expect.anything()]);
    await ada.browser.post('/api/gifts/send', { recipientId: bob.id, amount: 1_000 });
    await told(ada, 'You completed “Be generous”. Claim your reward.');
  });

  it('tell of security events, beside the notices that each device sees for itself', async () => {
    const member = await api.member();
    const other = await anotherBrowser(api, member);
    const [notice] = await eventually(
      () => noticesOf(member),
      (seen) => seen.length === 1,
    );
    expect(notice).toMatchObject({ kind: 'security', text: expect.stringContaining('A new device signed in') });
    await other.post('/api/notices/read', { newestId: notice?.id });
    const { body } = await member.browser.get('/api/auth/security-notices');
    expect(body.notices).toMatchObject([{ isUnseen: true }]);
  });

  it('are told to pages at every server at once, and read on all devices', async () => {
    const { ada, bob } = await pair();
    const other = { browser: await anotherBrowser(api, bob) };
    const pages: LiveClient[] = [];
    for (const server of [api, there]) {
      const page = await openPlain(server, bob);
      page.say('join_global', { userId: bob.id });
      await page.hear('joined_global');
      pages.push(page);
    }
    const before = await unreadOf(bob);
    await requestChat(ada, bob);
    for (const page of pages) await page.hear('notices_changed');
    await eventually(async () => (await unreadOf(other)) === before + 1);
    const [newest] = await noticesOf(bob);
    expect((await bob.browser.post('/api/notices/read', { newestId: newest?.id })).body).toEqual({ unread: 0 });
    for (const page of pages) await page.hear('notices_changed');
    expect(await unreadOf(other)).toBe(0);
    expect((await noticesOf(other)).every(({ isRead }) => isRead)).toBe(true);
    for (const page of pages) page.close();
  });

  it('of a chat that is looked at are read, and no others', async () => {
    const { ada, bob } = await pair();
    const chatId = await requestChat(ada, bob);
    await told(bob, 'Ada would like to chat with you.');
    await ada.browser.post('/api/gifts/send', { recipientId: bob.id, amount: 1_000 });
    await eventually(async () => (await unreadOf(bob)) === 2);
    const seen = await bob.browser.post('/api/notices/read', { chatId });
    expect(seen.body).toEqual({ unread: 1 });
    expect((await noticesOf(bob)).map(({ kind, isRead }) => [kind, isRead])).toEqual([
      ['gift_received', false],
      ['chat_request', true],
    ]);
    for (const read of [{}, { chatId: 'x' }, { chatId: null }])
      expect((await bob.browser.post('/api/notices/read', read)).status).toBe(400);
  });

  it('stay unread when they came after the one that was shown, and are nobody else’s to read', async () => {
    const { ada, bob } = await pair();
    await requestChat(ada, bob);
    await told(bob, 'Ada would like to chat with you.');
    const [shown] = await noticesOf(bob);
    await ada.browser.post('/api/gifts/send', { recipientId: bob.id, amount: 1_000 });
    await eventually(async () => (await unreadOf(bob)) === 2);
    await ada.browser.post('/api/notices/read', { newestId: shown?.id });
    expect(await unreadOf(bob)).toBe(2);
    await bob.browser.post('/api/notices/read', { newestId: shown?.id });
    expect((await noticesOf(bob)).map(({ isRead }) => isRead)).toEqual([false, true]);
    expect((await bob.browser.post('/api/notices/read', { newestId: 'x' })).status).toBe(400);
    expect((await api.browser().get('/api/notices')).status).toBe(401);
  });

  it('are told once by however many servers, and a member keeps the newest of them', async () => {
    const { ada, bob } = await pair();
    for (let count = 0; count < 3; count++) {
      await ada.browser.post('/api/gifts/send', { recipientId: bob.id, amount: 1_000 });
    }
    await told(bob, ...Array.from({ length: 3 }, () => 'Ada sent you a gift. 500 Nova are yours.'));
    const { pool } = api.database;
    const many = Array.from({ length: NOTICES_KEPT_MAX + 20 }, (_, index) => ({
      memberId: bob.id,
      source: `test ${index}`,
      kind: 'call_missed' as const,
      facts: { otherId: ada.id },
      at: Date.now(),
    }));
    const run = (sql: string, values: unknown[]) => pool.query(sql, values);
    for (let again = 0; again < 2; again++) await addNotices(run, many);
    expect(await texts(bob)).toEqual(Array.from({ length: NOTICES_KEPT_MAX }, () => 'Ada called you.'));
    await api.nova.app.get(Notices).forget([bob.id]);
    const { rows } = await pool.query('select count(*)::int as kept from notices where account_id = $1', [bob.id]);
    expect(rows).toEqual([{ kept: NOTICES_KEPT_MAX }]);
  });
});

describe('notices of calls', () => {
  async function calling(): Promise<{
    hers: LiveClient;
    his: LiveClient;
    ada: TestMember;
    bob: TestMember;
    chatId: string;
  }> {
    const { chatId, initiator: ada, host: bob } = await activeChat(api, admin);
    const [hers, his] = [await openPlain(api, ada), await openPlain(there, bob)];
    for (const [page, { id }] of [
      [hers, ada],
      [his, bob],
    ] as const) {
      page.say('join_global', { userId: id });
      await page.hear('joined_global');
    }
    hers.say('video_start', { chatId });
    return { hers, his, ada, bob, chatId };
  }
  const kinds = async (member: TestMember): Promise<string[]> =>
    (await noticesOf(member)).map(({ kind }) => kind).filter((kind) => kind.startsWith('call_'));

  it('say that one was missed, to the one who missed it', async () => {
    const { hers, his, ada, bob, chatId } = await calling();
    const { sessionId } = await his.hear('video_chat_started');
    hers.say('video_end', { chatId, sessionId });
    await his.hear('video_ended');
    await eventually(async () => (await kinds(bob)).join() === 'call_missed');
    expect(await kinds(ada)).toEqual([]);
    hers.close();
    his.close();
  });

  it('say how long one lasted, to both', async () => {
    const { hers, his, ada, bob, chatId } = await calling();
    const { sessionId } = await his.hear('video_chat_started');
    his.say('video_start', { chatId });
    await hers.hear('video_chat_started', ({ startedBy }) => startedBy === bob.id);
    hers.say('video_end', { chatId, sessionId });
    for (const member of [ada, bob]) await eventually(async () => (await kinds(member)).join() === 'call_ended');
    // The notice of the chat's request is made by another process: it may come after the call's.
    expect(await texts(bob)).toContainEqual(expect.stringMatching(/ lasted 0:0\d\.$/));
    hers.close();
    his.close();
  });

  it('say that one was missed that rang out while both sides disappeared, once', async () => {
    const { hers, his, ada, bob, chatId } = await calling();
    await his.hear('video_chat_started');
    hers.close();
    his.close();
    const { pool } = api.database;
    await pool.query(`update video_sessions set started_at = now() - interval '49 seconds' where chat_id = $1`, [
      chatId,
    ]);
    expect(await kinds(bob)).toEqual([]);
    await eventually(async () => (await kinds(bob)).join() === 'call_missed');
    const sweeps = [api, there].map(({ nova }) => nova.app.get(VideoSessions).sweep());
    expect((await Promise.all(sweeps)).flat().filter(({ chat_id }) => chat_id === chatId)).toEqual([]);
    expect([await kinds(ada), await kinds(bob)]).toEqual([[], ['call_missed']]);
  });

  it('do not tell the one who declined', async () => {
    const { hers, his, bob, chatId } = await calling();
    const { sessionId } = await his.hear('video_chat_started');
    his.say('video_decline', { chatId, sessionId });
    await hers.hear('video_declined');
    expect(await kinds(bob)).toEqual([]);
    hers.close();
    his.close();
  });
});

// Last: passport's strategies are the process's, so members of the servers above are strangers from then on.
describe('a mail instead', () => {
  const REQUESTED = 'Somebody would like to chat with you';
  let mails: MailServer;
  let mailing: TestApi;
  let root: TestMember;

  beforeAll(async () => {
    mails = await MailServer.start();
    const environment = { ...mails.environment, PUBLIC_URL: 'https://nova.example', ADMIN_PASSKEYS: 'false' };
    ({ api: mailing, admin: root } = await signInAdmin(startTestApi, { environment }));
  });
  afterAll(async () => {
    await mailing?.close();
    await mails?.close();
  });

  async function host(): Promise<TestMember> {
    const member = await mailing.member();
    const token = tokenIn(await mails.mailTo(member.email, 'Confirm your email address'));
    expect((await member.browser.post('/api/auth/verification/confirm', { token })).status).toBe(200);
    return member;
  }
  async function ask(member: TestMember): Promise<void> {
    const guest = await mailing.member({ displayName: 'Zanzibar' });
    await grantNova(root, guest.id, 10_000);
    await requestChat(guest, member);
    await eventually(async () => (await noticesOf(member)).length > 0);
  }
  const queued = async ({ id }: TestMember): Promise<number> => {
    const sql = `select from mails where account_id = $1 and purpose = 'request'`;
    return (await mailing.database.pool.query(sql, [id])).rowCount ?? 0;
  };

  it('tells a host who is away of a request, without a name, and once an hour', async () => {
    const away = await host();
    await ask(away);
    const mail = await mails.mailTo(away.email, REQUESTED);
    expect(mail.text).toContain('https://nova.example/?tab=status');
    expect(mail.text + mail.html).not.toContain('Zanzibar');
    await ask(away);
    await eventually(async () => (await noticesOf(away)).length === 2);
    expect(await queued(away)).toBe(1);
  });

  it('does not come to who is connected, wants none, or has a browser that is notified', async () => {
    const connected = await host();
    const page = await openPlain(mailing, connected);
    page.say('join_global', { userId: connected.id });
    await page.hear('joined_global');
    await eventually(async () => (await mailing.database.pool.query('select from presence')).rowCount === 1);
    await ask(connected);
    page.close();

    const unwilling = await host();
    const choices = { kinds: [], showsText: false, mails: false, quietHours: null };
    await unwilling.browser.send('PUT', '/api/push', { body: choices });
    await ask(unwilling);

    const notified = await host();
    const { keys } = new PushReceiver('').subscription;
    const subscription = { endpoint: 'https://push.nova.example/1', keys };
    expect((await notified.browser.post('/api/push/subscription', subscription)).status).toBe(201);
    await ask(notified);
    expect(await Promise.all([connected, unwilling, notified].map(queued))).toEqual([0, 0, 0]);
  });
});
