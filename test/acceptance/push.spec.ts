import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { acceptChat, requestChat } from '../support/open-chat.js';
import { type PushReceiver, PushService, vapidClaims } from '../support/push-service.js';

let api: TestApi;
let admin: TestMember;
let service: PushService;

beforeAll(async () => {
  service = await PushService.start();
  ({ api, admin } = await signInAdmin(startTestApi));
});
afterAll(async () => {
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
    const [{ headers } = { headers: {} }] = service.of(receiver);
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
});
