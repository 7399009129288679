import { ChatReadModels } from '../../apps/api/src/chats/chat-read-models.js';
import { AccountClosings } from '../../apps/api/src/chats/process/account-closings.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { rate, talk, wallet } from '../support/chats.js';
import { eventually } from '../support/eventually.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { activeChat, requestChat } from '../support/open-chat.js';

describe('closing the account of a member with chats', () => {
  let api: TestApi;
  let admin: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
  });
  afterAll(() => api?.close());

  const close = async (member: TestMember): Promise<void> => {
    await api.nova.app.get(AccountClosings).begin(member.id, `admin:${admin.id}`, undefined);
    const rows = async () =>
      (await api.database.pool.query('select from account_closings where account_id = $1', [member.id])).rowCount;
    await eventually(rows, (count) => count === 0);
  };
  const leftOf = async (member: TestMember): Promise<number> => {
    const { rows } = await api.database.pool.query<{ total: string }>(
      'select purchased + earned + pending + karma + influence as total from read.member_balance where user_id = $1',
      [member.id],
    );
    return Number(rows[0]?.total ?? 0);
  };
  const statusOf = async (member: TestMember, chatId: string) =>
    (await member.browser.get(`/api/chats/${chatId}`)).body.status;

  it('gives a host\u2019s open chats and requests back to those who asked', async () => {
    const chat = await activeChat(api, admin);
    await talk(chat, 2);
    const other = await api.member();
    await grantNova(admin, other.id, 10_000);
    const request = await requestChat(other, chat.host);
    await close(chat.host);
    for (const member of [other, chat.initiator]) {
      await eventually(
        () => wallet(member),
        ({ novaBalance }) => novaBalance === 10_000,
      );
    }
    expect(await statusOf(other, request)).toBe('terminated');
    expect(await statusOf(chat.initiator, chat.chatId)).toBe('terminated');
  });

  it('is begun anew where the read model did not show a chat yet', async () => {
    const chat = await activeChat(api, admin);
    const { chats } = api.nova.app.get(ChatReadModels);
    const behind = jest.spyOn(chats, 'openOf').mockResolvedValue([]);
    const closed = close(chat.host);
    await eventually(() => behind.mock.calls.some(([memberId]) => memberId === chat.host.id));
    behind.mockRestore();
    await closed;
    expect(await statusOf(chat.initiator, chat.chatId)).toBe('terminated');
    await eventually(
      () => wallet(chat.initiator),
      ({ novaBalance }) => novaBalance === 10_000,
    );
  });

  it('pays what an initiator owes, and takes what they have left', async () => {
    const chat = await activeChat(api, admin);
    await talk(chat, 2);
    await close(chat.initiator);
    // (120 + 240) / 600 of 1,250 are due, half of it to the host.
    await eventually(
      () => wallet(chat.host),
      ({ earnedNova }) => earnedNova === 375,
    );
    await eventually(
      () => leftOf(chat.initiator),
      (total) => total === 0,
    );
  });

  it('releases what is pending, and leaves the other side free to rate', async () => {
    const chat = await activeChat(api, admin);
    await talk(chat, 5);
    await close(chat.host);
    await eventually(
      () => leftOf(chat.host),
      (total) => total === 0,
    );
    const rated = await rate(chat.initiator, chat.chatId);
    expect([rated.status, rated.body.influencePointsEarned]).toEqual([200, 1]);
    const again = await chat.initiator.browser.post('/api/chats/initiate', { hostId: chat.host.id });
    expect([again.status, again.body.code]).toEqual([404, 'RECIPIENT_CLOSED']);
  });
});
