import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { type LiveClient, openPlain, PROTOCOLS } from '../support/live.js';
import { grantNova, novaBalance, signInAdmin } from '../support/money.js';
import { requestChat } from '../support/open-chat.js';
import { somebodyWaitsFor, whileTableStands } from '../support/standing-table.js';

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

const gift = (sender: TestMember, recipient: TestMember, amount: number) =>
  sender.browser.post('/api/gifts/send', { recipientId: recipient.id, amount });

describe.each(PROTOCOLS)('money that moves elsewhere, by %s', (_, open) => {
  let ada: TestMember;
  let bob: TestMember;
  const opened: LiveClient[] = [];
  const listening = async (member: TestMember, at = api): Promise<LiveClient> => {
    const client = await open(at, member);
    opened.push(client);
    client.say('join_global', { userId: member.id });
    await client.hear('joined_global');
    return client;
  };

  beforeEach(async () => {
    ada = await api.member({ displayName: 'Ada <b>' });
    bob = await api.member({ displayName: 'Bob' });
    // Both servers have announced it before a test begins.
    const early = [await listening(ada), await listening(ada, there)];
    await grantNova(admin, ada.id, 5_000);
    for (const client of early) await client.hear('balance_changed');
  });
  afterEach(() => {
    for (const client of opened.splice(0)) client.close();
  });

  it.each([
    ['this server', () => api],
    ['another server', () => there],
  ])('is told to both sides of a gift at %s, and to the recipient from whom it is', async (__, where) => {
    const [hers, his] = [await listening(ada, where()), await listening(bob, where())];
    const { body } = await gift(ada, bob, 1_000.01);
    expect(await his.hear('gift_received')).toEqual({
      giftId: body.gift.id,
      senderId: ada.id,
      senderName: 'Ada <b>',
      amount: 1_000.01,
      recipientShare: 500.01,
    });
    expect(await his.hear('balance_changed')).toEqual({});
    expect(await hers.hear('balance_changed')).toEqual({});
    expect(hers.all('gift_received')).toEqual([]);
  });

  it('is told where an admin grants it, and where one takes it back', async () => {
    const his = await listening(bob);
    await grantNova(admin, bob.id, 100);
    await his.hear('balance_changed');
    await admin.browser.post(`/api/admin/users/${bob.id}/deduct-nova`, { amount: 10 });
    await his.hear('balance_changed');
    expect(await novaBalance(bob)).toBe(90);
  });

  it('is told where it is held for a chat, and where it comes back', async () => {
    const hers = await listening(ada);
    const chatId = await requestChat(ada, bob);
    await hers.hear('balance_changed');
    await bob.browser.post(`/api/chats/decline-request/${chatId}`);
    await hers.hear('balance_changed');
    expect(await novaBalance(ada)).toBe(5_000);
  });

  it('is told once it shows', async () => {
    const his = await listening(bob);
    await whileTableStands(api.database.pool, 'read.member_balance', async () => {
      const sending = gift(ada, bob, 1_000);
      await somebodyWaitsFor(api.database.pool, 'read.member_balance');
      expect((await sending).body).toMatchObject({ projected: false });
      // The list of notices follows the ledger and says nothing of balances.
      const said = his.heard.map(({ type }) => type).filter((type) => type !== 'notices_changed');
      expect(said).toEqual(['joined_global']);
    });
    await his.hear('gift_received');
    expect(await novaBalance(bob)).toBe(500);
    await his.hear('balance_changed');
  });

  it('is told to nobody else, and to no socket that did not ask for everything', async () => {
    const eve = await listening(await api.member());
    const silent = await open(api, bob);
    opened.push(silent);
    const his = await listening(bob);
    await gift(ada, bob, 1_000);
    await his.hear('balance_changed');
    // Frames of one event are sent in one turn, so frames that these two do not have by now will not come.
    for (const client of [eve, silent]) {
      client.say('ping');
      await client.hear('pong');
      expect([...client.all('balance_changed'), ...client.all('gift_received')]).toEqual([]);
    }
  });
});

it('many movements at once are told together', async () => {
  const ada = await api.member();
  const [bob, mark] = [await api.member(), await api.member()];
  await grantNova(admin, ada.id, 50_000);
  const [his, marks] = [await openPlain(api, bob), await openPlain(api, mark)];
  for (const [client, { id }] of [
    [his, bob],
    [marks, mark],
  ] as const) {
    client.say('join_global', { userId: id });
    await client.hear('joined_global');
  }
  await Promise.all(Array.from({ length: 20 }, () => gift(ada, bob, 1_000)));
  await gift(ada, mark, 1_000);
  await marks.hear('gift_received');
  while (his.all('gift_received').length < 20) await his.hear('gift_received');
  expect(his.all('balance_changed').length).toBeLessThan(10);
  his.close();
  marks.close();
});
