import { ECDH, randomBytes } from 'node:crypto';
import { CALL_RINGS_MS } from '@app/domain';
import { holdUntilEnd, inTransaction } from '../../apps/api/src/platform/database/in-transaction.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { openPlain } from '../support/live.js';
import { anotherBrowser } from '../support/oauth.js';
import { acceptChat, requestChat } from '../support/open-chat.js';
import { type PushReceiver, PushService, vapidClaims } from '../support/push-service.js';

let api: TestApi;
let there: TestApi;
let admin: TestMember;
let service: PushService;

beforeAll(async () => {
  service = await PushService.start();
  // Servers that share no data folder share the key.
  const environment = { VAPID_PRIVATE_KEY: randomBytes(32).toString('base64url') };
  ({ api, admin } = await signInAdmin(startTestApi, { environment }));
  there = await startTestApi({ database: api.database, environment });
});
afterAll(async () => {
  await there?.close();
  await api?.close();
  service?.close();
});

const subscribe = ({ browser }: TestMember, { subscription }: PushReceiver) =>
  browser.post('/api/push/subscription', subscription);

/** A member with a browser that gets notifications. */
async function notified(given = {}): Promise<{ member: TestMember; receiver: PushReceiver }> {
  const member = await api.member(given);
  const receiver = service.receiver();
  expect((await subscribe(member, receiver)).status).toBe(201);
  return { member, receiver };
}

async function rich(given = {}): Promise<TestMember> {
  const member = await api.member(given);
  await grantNova(admin, member.id, 20_000);
  return member;
}

describe('notifications of a browser', () => {
  it('tell a host of a chat request, signed and encrypted, and of nobody’s name', async () => {
    const [ada, { member: bob, receiver }] = [await rich({ displayName: 'Ada Zanzibar' }), await notified()];
    const chatId = await requestChat(ada, bob);
    expect(await service.read(receiver)).toEqual([
      {
        title: 'New chat request',
        body: 'You have 2 minutes to accept.',
        path: '/?tab=status',
        topic: `request:${chatId}`,
      },
    ]);
    const { headers = {} } = service.of(receiver)[0] ?? {};
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high' });
    expect(Number(headers['ttl'])).toBeGreaterThan(90);
    expect(Number(headers['ttl'])).toBeLessThanOrEqual(120);
    const { key, aud, exp } = vapidClaims(headers);
    expect([key, aud]).toEqual([(await bob.browser.get('/api/push')).body.publicKey, service.origin]);
    expect(exp * 1_000).toBeGreaterThan(Date.now());
  });

  it('tell of an acceptance, messages and a gift', async () => {
    const [ada, bob] = [await notified(), await rich()];
    await grantNova(admin, ada.member.id, 20_000);
    const chatId = await requestChat(ada.member, bob);
    await acceptChat({ chatId, initiator: ada.member, host: bob });
    await service.read(ada.receiver, 1);
    await bob.browser.post(`/api/chats/${chatId}/messages`, { message: 'a secret' });
    await service.read(ada.receiver, 2);
    await bob.browser.post('/api/gifts/send', { recipientId: ada.member.id, amount: 1_000 });
    expect((await service.read(ada.receiver, 3)).map(({ title, body, path }) => [title, body, path])).toEqual([
      ['Chat request accepted', 'The chat is open.', `/chat/${chatId}`],
      ['New message', '', `/chat/${chatId}`],
      ['You received a gift', '', '/gifts'],
    ]);
  });

  it('tell of a call at once, for as long as it rings', async () => {
    const [ada, { member: bob, receiver }] = [await rich(), await notified()];
    const chatId = await requestChat(ada, bob);
    await acceptChat({ chatId, initiator: ada, host: bob });
    await service.read(receiver, 1);
    const page = await openPlain(api, ada);
    page.say('join_global', { userId: ada.id });
    page.say('video_start', { chatId });
    const [, call] = await service.read(receiver, 2);
    expect(call).toMatchObject({ title: 'Incoming call', body: 'Open Nova to answer.', path: `/chat/${chatId}` });
    const { headers } = service.of(receiver)[1]!;
    expect(headers['urgency']).toBe('high');
    expect(Number(headers['ttl'])).toBeLessThanOrEqual(CALL_RINGS_MS / 1_000);
    page.close();
  });

  it('show names and texts where the member allows it', async () => {
    const [ada, { member: bob, receiver }] = [await rich({ displayName: 'Ada Zanzibar' }), await notified()];
    await choose(bob, { showsText: true });
    const chatId = await requestChat(ada, bob);
    await acceptChat({ chatId, initiator: ada, host: bob });
    await service.read(receiver, 1);
    await ada.browser.post(`/api/chats/${chatId}/messages`, { message: `a secret ${'x'.repeat(500)}` });
    const [request, message] = await service.read(receiver, 2);
    expect(request.title).toBe('Ada Zanzibar would like to chat with you');
    expect(message).toMatchObject({ title: 'Ada Zanzibar', body: expect.stringMatching(/^a secret x+…$/) });
    expect([...message.body]).toHaveLength(160);
  });

  it('come for what the member chose, and not in quiet hours of their day', async () => {
    const [ada, { member: bob, receiver }] = [await rich(), await notified()];
    const give = () => ada.browser.post('/api/gifts/send', { recipientId: bob.id, amount: 1_000 });
    const unread = async () => (await bob.browser.get('/api/notices/unread')).body.unread;
    await choose(bob, { kinds: ['message'] });
    await give();
    await eventually(async () => (await unread()) === 1);
    const hour = hourIn('Asia/Tokyo');
    const quietHours = { from: minuteOf(hour - 1), to: minuteOf(hour + 2), timeZone: 'Asia/Tokyo' };
    await choose(bob, { quietHours });
    await give();
    await eventually(async () => (await unread()) === 2);
    await eventually(async () => (await waiting(bob)).length === 0);
    await choose(bob, { quietHours: { ...quietHours, timeZone: 'America/Los_Angeles' } });
    await give();
    await service.read(receiver, 1);
    expect(service.of(receiver)).toHaveLength(1);
  });

  it('do not fail for others where one member’s time zone has an unusual name', async () => {
    const [ada, { member: bob, receiver }, other] = [await rich(), await notified(), await notified()];
    const timeZone = 'AET';
    const hour = hourIn(timeZone);
    await choose(bob, { quietHours: { from: minuteOf(hour - 1), to: minuteOf(hour + 2), timeZone } });
    for (const { id } of [bob, other.member])
      await ada.browser.post('/api/gifts/send', { recipientId: id, amount: 1_000 });
    await service.read(other.receiver);
    await eventually(async () => (await waiting(bob)).length === 0);
    expect(service.of(receiver)).toEqual([]);
  });

  it('do not come in quiet hours that begin while they wait, and are not kept by the service for them', async () => {
    const [ada, { member: bob }] = [await rich(), await notified()];
    const busy = service.receiver((response) => void response.writeHead(503).end());
    await subscribe(bob, busy);
    const hour = hourIn('Asia/Tokyo');
    const soon = { from: minuteOf(hour + 2), to: minuteOf(hour + 3), timeZone: 'Asia/Tokyo' };
    await choose(bob, { quietHours: soon });
    await ada.browser.post('/api/gifts/send', { recipientId: bob.id, amount: 1_000 });
    await eventually(() => service.of(busy).length === 1);
    const ttl = Number(service.of(busy)[0]?.headers['ttl']);
    expect(ttl).toBeGreaterThan(55 * 60);
    expect(ttl).toBeLessThanOrEqual(2 * 60 * 60);
    service.answers.clear();
    await choose(bob, { quietHours: { ...soon, from: minuteOf(hour - 1) } });
    await hurry(busy);
    await eventually(async () => (await waiting(bob)).length === 0);
    expect(service.of(busy)).toHaveLength(1);
  });

  it('wait for one browser in a limited number, so that none fills the queue for all', async () => {
    const [ada, member] = [await rich(), await api.member()];
    await subscribe(
      member,
      service.receiver((response) => void response.writeHead(503).end()),
    );
    const [{ id } = { id: '' }] = (
      await api.database.pool.query('select id from push_subscriptions where account_id = $1', [member.id])
    ).rows;
    await api.database.pool.query(
      `insert into pushes (id, subscription_id, account_id, kind, topic, facts, attempts, next_at, expires_at)
       select gen_random_uuid(), $1, $2, 'gift', 'gift:' || i, '{}', 1, now() + interval '1 hour', now() + interval '1 day'
       from generate_series(1, 20) i`,
      [id, member.id],
    );
    await ada.browser.post('/api/gifts/send', { recipientId: member.id, amount: 1_000 });
    await eventually(async () => (await member.browser.get('/api/notices/unread')).body.unread === 1);
    expect(await waiting(member)).toHaveLength(20);
  });

  it.each([
    [{ kinds: ['lottery'] }, 'INVALID_KIND'],
    [{ showsText: 'yes' }, 'INVALID_CHOICE'],
    [{ quietHours: { from: 1_440, to: 0, timeZone: 'UTC' } }, 'INVALID_QUIET_HOURS'],
    [{ quietHours: { from: 0, to: 60, timeZone: 'Mars/Olympus' } }, 'INVALID_QUIET_HOURS'],
    [{ quietHours: { from: 0, to: 60, timeZone: '+05:30' } }, 'INVALID_QUIET_HOURS'],
  ])('do not take %j', async (wrong, code) => {
    const answer = await (await api.member()).browser.send('PUT', '/api/push', { body: { ...EVERYTHING, ...wrong } });
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });

  it('are sent once by however many servers, and messages of a chat not one by one', async () => {
    const [ada, { member: bob, receiver }] = [await rich(), await notified()];
    const chatId = await requestChat(ada, bob);
    await acceptChat({ chatId, initiator: ada, host: bob });
    for (let count = 0; count < 10; count++) {
      await ada.browser.post(`/api/chats/${chatId}/messages`, { message: `message ${count}` });
      // The first is told of; those that follow wait behind it.
      if (count === 0) await service.read(receiver, 2);
    }
    await eventually(async () => (await waiting(bob)).length === 1);
    expect(service.of(receiver)).toHaveLength(2);
  });
});

const hourIn = (timeZone: string): number =>
  Number(new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format());
const minuteOf = (hours: number): number => ((hours + 24) % 24) * 60;

const EVERYTHING = {
  kinds: ['chat_request', 'chat_accepted', 'call', 'message', 'gift'],
  showsText: false,
  mails: true,
  quietHours: null,
};

async function choose(member: TestMember, choices: object): Promise<void> {
  const answer = await member.browser.send('PUT', '/api/push', { body: { ...EVERYTHING, ...choices } });
  expect([answer.status, answer.body]).toEqual([200, expect.objectContaining(choices)]);
}

const waiting = async ({ id }: TestMember): Promise<{ attempts: number }[]> =>
  (await api.database.pool.query('select attempts from pushes where account_id = $1 and finished_at is null', [id]))
    .rows;

/** As if the pause after a failed try were over. A try under way is waited for: its pause, written later, would undo this. */
async function hurry({ endpoint }: PushReceiver): Promise<void> {
  const ofIt = 'finished_at is null and subscription_id in (select id from push_subscriptions where endpoint = $1)';
  // While it is tried, the next time is a minute away; after the first failure ten seconds.
  const claimed = `next_at > now() + interval '11 seconds'`;
  await eventually(async () => {
    const due = `update pushes set next_at = now() where ${ofIt} and attempts > 0 and not ${claimed}`;
    return (await api.database.pool.query(due, [endpoint])).rowCount === 1;
  });
}

const browsers = async (member: Pick<TestMember, 'browser'>): Promise<{ browsers: number; here: boolean }> => {
  const { browsers: count, here } = (await member.browser.get('/api/push')).body;
  return { browsers: count, here };
};

describe('browsers that are notified', () => {
  it('are 20 of a member at most, and one that renews is no other', async () => {
    const { member, receiver } = await notified();
    for (let count = 1; count < 20; count++) expect((await subscribe(member, service.receiver())).status).toBe(201);
    const refused = await subscribe(member, service.receiver());
    expect([refused.status, refused.body.code]).toEqual([409, 'PUSH_LIMIT']);
    expect((await subscribe(member, receiver)).status).toBe(201);
    expect(await browsers(member)).toEqual({ browsers: 20, here: true });
  });

  it.each([
    ['at a private address', 'https://10.0.0.1/push'],
    ['at an address of a cloud', 'https://169.254.169.254/latest'],
    ['without https', 'http://push.example.net/push'],
    ['with a password', 'https://a:b@push.example.net/push'],
    ['nowhere', 'push'],
  ])('are not %s', async (_, endpoint) => {
    const member = await api.member();
    const { keys } = service.receiver().subscription;
    const answer = await member.browser.post('/api/push/subscription', { endpoint, keys });
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_PUSH_SUBSCRIPTION']);
  });

  it('have keys of P-256', async () => {
    const member = await api.member();
    const { endpoint, keys } = service.receiver().subscription;
    const compressed = ECDH.convertKey(keys.p256dh, 'prime256v1', 'base64url', 'base64url', 'compressed') as string;
    for (const wrong of [{ p256dh: 'AAAA' }, { p256dh: compressed }, { auth: 'AAAA' }]) {
      const answer = await member.browser.post('/api/push/subscription', { endpoint, keys: { ...keys, ...wrong } });
      expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_PUSH_SUBSCRIPTION']);
    }
  });

  it.each([404, 410])('are forgotten when their service answers %i', async (status) => {
    const member = await api.member();
    const gone = service.receiver((response) => void response.writeHead(status).end());
    await subscribe(member, gone);
    await (await rich()).browser.post('/api/gifts/send', { recipientId: member.id, amount: 1_000 });
    await eventually(async () => (await browsers(member)).browsers === 0);
    expect(service.of(gone)).toHaveLength(1);
  });

  it('are not looked for where their service sends elsewhere', async () => {
    const member = await api.member();
    const elsewhere = service.receiver();
    const moved = service.receiver((response) => void response.writeHead(307, { location: elsewhere.endpoint }).end());
    await subscribe(member, moved);
    await (await rich()).browser.post('/api/gifts/send', { recipientId: member.id, amount: 1_000 });
    await eventually(() => service.of(moved).length === 1);
    await eventually(async () => (await waiting(member)).length === 0);
    expect(service.of(elsewhere)).toEqual([]);
  });

  it('are tried again when their service is busy, and hold nobody up when it is slow', async () => {
    const member = await api.member();
    const busy = service.receiver((response) => void response.writeHead(503).end());
    const slow = service.receiver(() => undefined);
    const quick = service.receiver();
    for (const receiver of [slow, busy, quick]) await subscribe(member, receiver);
    await (await rich()).browser.post('/api/gifts/send', { recipientId: member.id, amount: 1_000 });
    await service.read(quick);
    await eventually(() => service.of(busy).length === 1);
    await eventually(async () => (await waiting(member)).length === 2);
    service.answers.clear();
    await hurry(busy);
    await eventually(() => service.of(busy).length === 2);
  });

  const nobodyHears = async ({ member, receiver }: { member: TestMember; receiver: PushReceiver }) => {
    const { rows } = await api.database.pool.query('select from push_subscriptions where endpoint = $1', [
      receiver.endpoint,
    ]);
    expect([member.id, rows]).toEqual([member.id, []]);
  };

  it('hear nothing more once their member signs out there, and others do', async () => {
    const signedOut = await notified();
    const { member } = signedOut;
    const other = { ...member, browser: await anotherBrowser(api, member) };
    const receiver = service.receiver();
    await subscribe(other, receiver);
    expect((await member.browser.post('/api/auth/signout')).status).toBe(200);
    await nobodyHears(signedOut);
    expect(await browsers(other)).toEqual({ browsers: 1, here: true });
  });

  it('are not added by a request that was under way when their member signed out', async () => {
    const { member, receiver } = { member: await api.member(), receiver: service.receiver() };
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
    let late: ReturnType<typeof subscribe> | undefined;
    await inTransaction(api.database.pool, async (other) => {
      await holdUntilEnd(other, `push subscriptions of ${member.id}`);
      late = subscribe(member, receiver);
      await eventually(async () => (await api.database.pool.query(waits)).rowCount === 1);
      expect((await member.browser.post('/api/auth/signout')).status).toBe(200);
    });
    const { status, body } = (await late)!;
    expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED']);
    await nobodyHears({ member, receiver });
  });

  it('go with their device, with a recovery, and with the account', async () => {
    const removed = await notified();
    const { email, password, pin } = removed.member;
    const { body } = await api.browser().post('/api/devices/by-email', { email, password });
    await api.browser().delete(`/api/devices/${body.devices[0].id}`, { email, password });
    await nobodyHears(removed);

    const recovered = await notified();
    const newPassword = 'quite another horse';
    await api.browser().post('/api/auth/recover', { email: recovered.member.email, pin, newPassword });
    await nobodyHears(recovered);

    const deleted = await notified();
    expect((await admin.browser.delete(`/api/admin/users/${deleted.member.id}`)).status).toBe(200);
    await eventually(async () => {
      const { rowCount } = await api.database.pool.query('select from push_subscriptions where endpoint = $1', [
        deleted.receiver.endpoint,
      ]);
      return rowCount === 0;
    });
  });

  it('belong to whoever signed in there last', async () => {
    const { member, receiver } = await notified();
    const next = await api.member();
    expect((await subscribe(next, receiver)).status).toBe(201);
    expect(await browsers(member)).toEqual({ browsers: 0, here: false });
    // Who knows the address alone takes nothing from anybody.
    const stranger = await api.member();
    const { keys } = service.receiver().subscription;
    await stranger.browser.post('/api/push/subscription', { endpoint: receiver.endpoint, keys });
    expect(await browsers(next)).toEqual({ browsers: 1, here: true });
  });

  it('can be turned off', async () => {
    const { member } = await notified();
    expect((await member.browser.delete('/api/push/subscription')).body).toMatchObject({ browsers: 0, here: false });
  });
});

// Last: passport's strategies are the process's, so members of the server above are strangers from then on.
describe('browsers of an installation that strangers reach', () => {
  it('are not on the server’s own machine where strangers reach it', async () => {
    const open = await startTestApi({ environment: { PUBLIC_URL: 'https://nova.example' } });
    const member = await open.member();
    const answer = await member.browser.post('/api/push/subscription', service.receiver().subscription);
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_PUSH_SUBSCRIPTION']);
    await open.close();
  });
});
