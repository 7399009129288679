import { randomUUID } from 'node:crypto';
import { affinityScores, memberStream } from '@app/domain';
import { type Ledger, LedgerBusy } from '@app/ledger';
import { AccountDeletionSweeper } from '../../apps/api/src/admin/account-deletion-sweeper.js';
import { verify } from '../../apps/api/src/finance/verify.js';
import { MemberStore } from '../../apps/api/src/members/member-relations.js';
import { AccountErasure } from '../../apps/api/src/platform/account-erasure.js';
import { JOURNAL } from '../../apps/api/src/platform/journal/injected-journal.js';
import type { Journal } from '../../apps/api/src/platform/journal/journal.js';
import { LEDGER } from '../../apps/api/src/platform/ledger/injected-ledger.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { authorize, registerApplication } from '../support/applications.js';
import { rate, REVIEW, send, talk } from '../support/chats.js';
import { eventually } from '../support/eventually.js';
import { openPlain } from '../support/live.js';
import { picture } from '../support/media.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { registerApplication as register, tokensFor } from '../support/oauth.js';
import { activeChat, type OpenChat } from '../support/open-chat.js';

const terms = { tcConsent: true, tcVersion: '1.0' };
/** Words that only the deleted member types. */
const WORDS = 'Zanzibar';
const RESONANCE = { horizon: 'long_term', ...affinityScores(() => 50), currentTraits: ['Calm'], idealTraits: ['Wise'] };
/** Rows of a member, by their id, that are deleted with the account. */
const PERSONAL = [
  'chat_reviews where rater_id = $1',
  'wall_comments where commenter_id = $1',
  'contents where owner_id = $1',
  'uploads where member_id = $1',
  'profiles where account_id = $1',
  'devices where account_id = $1',
  'security_notices where account_id = $1',
  'chat_settings where account_id = $1',
  'resonance_profiles where account_id = $1',
  'oauth_consents where user_id = $1',
  'oauth_payloads where account_id = $1',
  `oauth_payloads join oauth_applications using (client_id) where owner_id = $1`,
  `oauth_applications where owner_id = $1 and (deleted_at is null or secret_hash is not null or is_active)`,
];

describe('deleting an account', () => {
  let api: TestApi;
  let admin: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
    // Sweeps run only on request.
    await api.nova.app.get(AccountDeletionSweeper).beforeApplicationShutdown();
  });
  afterAll(() => api?.close());

  const remove = ({ id }: { id: string }, body?: unknown) => admin.browser.delete(`/api/admin/users/${id}`, body);
  const count = async (sql: string, values: unknown[]): Promise<number> =>
    (await api.database.pool.query<{ n: number }>(`select count(*)::int as n from ${sql}`, values)).rows[0]?.n ?? -1;
  const closed = ({ id }: { id: string }) =>
    eventually(
      () => count('account_closings where account_id = $1', [id]),
      (left) => left === 0,
    );

  async function publish(member: TestMember, surface: 'scroll-feed' | 'discovery'): Promise<string> {
    const { uploadURL, mediaUrl } = (await member.browser.post('/api/content/upload-url', {})).body;
    const body = new Uint8Array(await picture(64, 48).jpeg().toBuffer());
    await fetch(new URL(uploadURL, api.url), { method: 'PUT', body, headers: { 'content-type': 'image/jpeg' } });
    const answer = await member.browser.post(`/api/content/${surface}`, { mediaUrl, caption: `${WORDS} at dusk` });
    if (answer.status !== 201) throw new Error(`publishing failed: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.id as string;
  }

  /** A host who has done everything that leaves data behind. */
  async function busyMember(): Promise<{ chat: OpenChat; postId: string; member: TestMember; other: TestMember }> {
    const chat = await activeChat(api, admin);
    const { host: member, initiator: other } = chat;
    await send(member, chat.chatId, `${WORDS} is where I would like to live.`);
    await talk(chat, 5);
    await rate(other, chat.chatId);
    await rate(member, chat.chatId, { comment: `${WORDS}! ${REVIEW}` });
    await grantNova(admin, member.id, 5_000);
    await member.browser.post(`/api/gifts/send`, { recipientId: other.id, amount: 1_000 });
    await member.browser.post(`/api/profile/${other.id}/wall`, { comment: `Come to ${WORDS}` });
    await member.browser.send('PATCH', '/api/profile', { body: { bio: `I live in ${WORDS}` } });
    const postId = await publish(member, 'scroll-feed');
    const cardId = await publish(member, 'discovery');
    await member.browser.send('PUT', '/api/profile/card-content', { body: { contentId: cardId } });
    await member.browser.send('PATCH', '/api/profile/settings', { body: { minimumChatPrice: 2.5 } });
    await member.browser.post('/api/resonance', RESONANCE);
    const own = await register(member, { description: `Maps of ${WORDS}` });
    await tokensFor(api, other, own, { scopes: ['openid'] });
    const used = await authorize(api, member, await registerApplication(other));
    await used.post('/api/tokens/spend', { amount: 1, description: `A map of ${WORDS}` });
    return { chat, postId, member, other };
  }

  /** Every row of every table outside the journal that holds a text, as one text. */
  async function rowsWith(text: string): Promise<string[]> {
    const { rows: tables } = await api.database.pool.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema in ('public', 'read') and table_type = 'BASE TABLE'`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      if ((await count(`${name} t where t::text ilike '%' || $1 || '%'`, [text])) > 0) found.push(name);
    }
    return found;
  }

  /** The member's personal data that still exists. */
  async function personal({ id }: TestMember): Promise<string[]> {
    const found = await Promise.all(PERSONAL.map(async (sql) => ((await count(sql, [id])) > 0 ? [sql] : [])));
    return found.flat();
  }

  it('ends sessions at once, erases what is personal, and leaves the books right', async () => {
    const { chat, postId, member, other } = await busyMember();
    const socket = await openPlain(api, member);
    expect((await rowsWith(WORDS)).length).toBeGreaterThan(4);
    expect(await personal(member)).toEqual(PERSONAL);
    const file = `/objects/uploads/${postId}`;
    expect((await other.browser.get(file)).status).toBe(200);

    const answer = await remove(member, { reason: 'Asked for it by letter' });
    expect([answer.status, answer.body.message]).toEqual([200, `The account of ${member.displayName} was deleted.`]);

    await socket.untilClosed();
    expect((await member.browser.get('/api/auth/user')).status).toBe(401);
    const { email, password } = member;
    expect((await api.browser().post('/api/auth/signin', { email, password, ...terms })).status).toBe(401);
    expect((await admin.browser.get(`/api/admin/users?search=${email}`)).body.pagination.total).toBe(0);
    expect((await other.browser.get(`/api/discovery/profiles/${member.id}`)).status).toBe(404);
    expect((await other.browser.get(`/api/content/posts/${postId}`)).status).toBe(404);
    expect((await other.browser.get(file)).status).toBe(404);
    expect((await remove(member)).status).toBe(404);

    await closed(member);
    for (const text of [email, WORDS]) expect([text, await rowsWith(text)]).toEqual([text, []]);
    // The other member's own words stay.
    const theirs = await api.database.pool.query('select sender_id from chat_messages_text where chat_id = $1', [
      chat.chatId,
    ]);
    expect(new Set(theirs.rows.map(({ sender_id }) => sender_id))).toEqual(new Set([other.id]));
    expect(await personal(member)).toEqual([]);
    const wall = (await other.browser.get(`/api/profile/${other.id}/wall`)).body;
    expect(wall).toEqual({ comments: [], nextCursor: null, total: 0 });
    expect((await other.browser.get(`/api/discovery/profiles/${other.id}`)).body).toMatchObject({ wallCount: 0 });
    expect(await count('read.posts where author_id = $1 and not removed', [member.id])).toBe(0);

    const history = (await other.browser.get('/api/gifts/history')).body.gifts;
    expect(history[0].sender.displayName).toBe('Deleted member');
    const statement = (await other.browser.get('/api/nova/transactions')).body.transactions;
    expect(statement.map(({ description }: { description: string }) => description)).toContainEqual(
      expect.stringContaining('Deleted member'),
    );
    expect(JSON.stringify(statement)).not.toContain(member.displayName);

    const { rows } = await api.database.pool.query(
      `select a.action, r.reason from read.audit a left join admin_reason r on r.id::text = a.reason_id
       where target_id = $1 and action = 'AccountDeletionOrdered'`,
      [member.id],
    );
    expect(rows).toEqual([{ action: 'AccountDeletionOrdered', reason: 'Asked for it by letter' }]);
    expect(await breaches()).toEqual([]);
  });

  async function breaches(): Promise<string[]> {
    const { store } = api.nova.app.get<Journal>(JOURNAL);
    const wrong: string[] = [];
    const { pool, url: connectionString } = api.database;
    for await (const { what, breaches: found } of verify({ store, pool, connectionString })) {
      for (const breach of found) wrong.push(`${what}: ${breach}`);
    }
    return wrong;
  }

  it('leaves no comment counted whose payment was shown only after its words had gone', async () => {
    const [member, other] = [await api.member(), await api.member()];
    await grantNova(admin, member.id, 100);
    const behind = await api.database.pool.connect();
    try {
      await behind.query('begin; lock table read.wall in exclusive mode');
      const posted = await member.browser.post(`/api/profile/${other.id}/wall`, { comment: 'Hello' });
      expect(posted.status).toBe(201);
      expect((await remove(member)).status).toBe(200);
      expect(await count('wall_comments where commenter_id = $1', [member.id])).toBe(0);
      expect(await count('read.wall where commenter_id = $1', [member.id])).toBe(0);
    } finally {
      await behind.query('rollback');
      behind.release();
    }
    await eventually(
      () => count('read.wall where commenter_id = $1', [member.id]),
      (shown) => shown === 1,
    );
    expect((await other.browser.get(`/api/profile/${other.id}/wall`)).body.total).toBe(0);
    expect((await other.browser.get(`/api/discovery/profiles/${other.id}`)).body).toMatchObject({ wallCount: 0 });
  });

  it('leaves no comment counted whose words a server of the release before has taken', async () => {
    const [member, other] = [await api.member(), await api.member()];
    await grantNova(admin, member.id, 100);
    await member.browser.post(`/api/profile/${other.id}/wall`, { comment: 'Hello' });
    await api.database.pool.query('delete from wall_comments where commenter_id = $1', [member.id]);
    expect((await remove(member)).status).toBe(200);
    expect((await other.browser.get(`/api/profile/${other.id}/wall`)).body.total).toBe(0);
  });

  it('ends its follows on both sides; others can still unblock it', async () => {
    const [member, other] = [await api.member(), await api.member()];
    const towards = (from: TestMember, to: TestMember, what: string, method = 'POST') =>
      from.browser.send(method, `/api/users/${to.id}/${what}`);
    await towards(member, other, 'follow');
    await towards(other, member, 'follow');
    const figures = async () => {
      const { followingCount } = (await other.browser.get('/api/auth/user')).body.user;
      const { followPermissions } = (await other.browser.get('/api/status/dashboard')).body;
      const follows = await count('read.follows where $1 in (follower_id, followed_id)', [other.id]);
      return { followingCount, followed: followPermissions.length, follows };
    };
    expect(await figures()).toEqual({ followingCount: 1, followed: 1, follows: 2 });
    await remove(member);
    await eventually(
      () => count('read.follows where $1 in (follower_id, followed_id)', [other.id]),
      (left) => left === 0,
    );
    expect(await figures()).toEqual({ followingCount: 0, followed: 0, follows: 0 });

    const blocker = await api.member();
    const blocked = await api.member();
    await towards(blocker, blocked, 'block');
    await remove(blocked);
    expect((await towards(blocker, blocked, 'follow')).status).toBe(404);
    expect((await towards(blocker, blocked, 'block', 'DELETE')).status).toBe(200);
    expect(await count('read.blocks where blocker_id = $1', [blocker.id])).toBe(0);
  });

  it('frees the address', async () => {
    const member = await api.member();
    expect((await remove(member)).status).toBe(200);
    const again = await api.member({ email: member.email });
    expect(again.id).not.toBe(member.id);
  });

  it('is finished by the sweep after a crash anywhere', async () => {
    const { member, other } = await busyMember();
    const broken = jest.spyOn(api.nova.app.get(AccountErasure), 'erase').mockRejectedValue(new Error('killed'));
    expect((await remove(member)).status).toBe(200);
    expect((await member.browser.get('/api/auth/user')).status).toBe(401);
    expect(await count('contents where owner_id = $1', [member.id])).toBe(2);
    broken.mockRestore();

    const sweep = async (ordered: string) => {
      await api.database.pool.query(
        `update account_deletions set next_at = now(), ordered_at = ordered_at - $2::interval
         where account_id = $1`,
        [member.id, ordered],
      );
      await api.nova.app.get(AccountDeletionSweeper).sweep();
    };
    // As if killed after the event, before that was recorded.
    await api.database.pool.query('update account_deletions set recorded_at = null');
    await sweep('0 s');
    expect(await count('contents where owner_id = $1', [member.id])).toBe(0);
    // A request that was in progress when the order came wrote this.
    await api.database.pool.query('insert into profiles (account_id, bio) values ($1, $2)', [member.id, WORDS]);
    await closed(member);
    await sweep('2 minutes');
    expect(await count('profiles where account_id = $1', [member.id])).toBe(0);
    expect(await count('account_deletions where account_id = $1', [member.id])).toBe(0);
    // Recorded again, it is still one event.
    expect(await count(`read.audit where target_id = $1 and action = 'AccountDeletionOrdered'`, [member.id])).toBe(1);
    expect((await other.browser.get(`/api/discovery/profiles/${member.id}`)).status).toBe(404);
    expect(await breaches()).toEqual([]);
  });

  it('is answered once files are gone, however many follow, and goes on until it is stopped', async () => {
    const member = await api.member();
    const postId = await publish(member, 'scroll-feed');
    const members = api.nova.app.get(MemberStore);
    const follow = (memberId: string) =>
      members.execute({ memberId, otherId: member.id }, () => ({ type: 'Follow' }), { actor: `member:${memberId}` });
    await Promise.all(Array.from({ length: 120 }, () => follow(randomUUID())));
    const followers = () => count('read.follows where followed_id = $1', [member.id]);
    await eventually(followers, (found) => found === 120);

    expect((await remove(member)).status).toBe(200);
    expect((await admin.browser.get(`/objects/uploads/${postId}`)).status).toBe(404);
    expect(await followers()).toBeGreaterThan(0);

    await closed(member);
    const isUnfinished = () => count('account_deletions where account_id = $1', [member.id]);
    await api.database.pool.query(`update account_deletions set ordered_at = ordered_at - interval '2 minutes'`);
    const [sweeper, stop] = [api.nova.app.get(AccountDeletionSweeper), new AbortController()];
    const original = members.unfollow.bind(members);
    const ending = jest.spyOn(members, 'unfollow').mockImplementation((...given) => {
      stop.abort();
      return original(...given);
    });
    await sweeper.sweep(stop.signal);
    ending.mockRestore();
    expect(await followers()).toBeGreaterThan(0);
    expect(await isUnfinished()).toBe(1);

    await sweeper.sweep();
    expect(await isUnfinished()).toBe(0);
    expect(await eventually(followers, (left) => left === 0)).toBe(0);
  });

  it('ends the member’s own follows together', async () => {
    const member = await api.member();
    const followed = Array.from({ length: 20 }, () => randomUUID());
    const by = { actor: `member:${member.id}` };
    for (const otherId of followed) {
      const pair = { memberId: member.id, otherId };
      await api.nova.app.get(MemberStore).execute(pair, () => ({ type: 'Follow' }), by);
    }
    const follows = () => count('read.follows where follower_id = $1', [member.id]);
    await eventually(follows, (found) => found === followed.length);
    const appends = jest.spyOn(api.nova.app.get<Journal>(JOURNAL).store, 'append');
    expect((await remove(member)).status).toBe(200);
    const own = appends.mock.calls.filter(([stream]) => stream === memberStream(member.id));
    appends.mockRestore();
    expect(own.map(([, events]) => events.length)).toEqual([followed.length]);
    await eventually(follows, (left) => left === 0);
  });

  it('is gone on with by one process at a time', async () => {
    const member = await api.member();
    expect((await remove(member)).status).toBe(200);
    await api.database.pool.query('update account_deletions set next_at = now() where account_id = $1', [member.id]);
    const erasing = jest.spyOn(api.nova.app.get(AccountErasure), 'erase');
    const sweeper = api.nova.app.get(AccountDeletionSweeper);
    await Promise.all(Array.from({ length: 5 }, () => sweeper.sweep()));
    const rounds = erasing.mock.calls.filter(([accountId]) => accountId === member.id);
    erasing.mockRestore();
    expect(rounds).toHaveLength(1);
  });

  /** The code with which the ledger refuses a gift to the member. */
  const giftTo = async ({ id }: { id: string }): Promise<string> => {
    const command = { type: 'SendGift', senderId: admin.id, recipientId: id, amount: 100_000n } as const;
    const outcome = await api.nova.app
      .get<Pick<Ledger, 'execute'>>(LEDGER)
      .execute({ command, actor: `member:${admin.id}`, dryRun: true });
    return outcome.status === 'refused' ? outcome.rejection.code : outcome.status;
  };

  it('has closed the account in the ledger when it says so', async () => {
    await grantNova(admin, admin.id, 5_000);
    const member = await api.member();
    expect(await giftTo(member)).toBe('accepted');
    expect((await remove(member)).status).toBe(200);
    expect(await giftTo(member)).toBe('RECIPIENT_CLOSED');
  });

  it('does not say so while the ledger cannot be asked, and goes on when it is ordered again', async () => {
    const member = await api.member();
    const ledger = api.nova.app.get<Pick<Ledger, 'execute'>>(LEDGER);
    const execute = ledger.execute.bind(ledger);
    // The deletions of other tests' accounts continue in the meantime.
    const unavailable = jest.spyOn(ledger, 'execute').mockImplementation(async (request) => {
      const { command } = request;
      if (command.type === 'CloseAccount' && command.userId === member.id) throw new LedgerBusy('the queue is full');
      return execute(request);
    });
    const refused = await remove(member);
    unavailable.mockRestore();
    expect([refused.status, await giftTo(member)]).toEqual([503, 'accepted']);
    expect(await remove(member)).toMatchObject({ status: 200, body: { message: 'The account was deleted.' } });
    expect(await giftTo(member)).toBe('RECIPIENT_CLOSED');
    expect((await remove(member)).status).toBe(404);
  });

  it('happens once when two admins order it at once', async () => {
    const member = await api.member();
    const answers = await Promise.all([remove(member, { reason: 'One' }), remove(member, { reason: 'Two' })]);
    // The second caller finds the account gone, or waits for the ledger with the first.
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect([
      [200, 404],
      [200, 200],
    ]).toContainEqual(statuses);
    expect(await count('admin_reason where user_id = $1', [member.id])).toBe(1);
  });

  it('is refused for oneself and for admins', async () => {
    expect(await remove(admin)).toMatchObject({ status: 409, body: { code: 'CANNOT_DELETE_SELF' } });
    const other = await api.member();
    await api.database.pool.query('update accounts set is_admin = true where id = $1', [other.id]);
    expect(await remove(other)).toMatchObject({ status: 409, body: { code: 'CANNOT_DELETE_ADMIN' } });
    expect(await remove(await api.member(), { reason: 5 })).toMatchObject({ status: 400 });
    for (const { browser } of [admin, other]) expect((await browser.get('/api/auth/user')).status).toBe(200);
  });
});
