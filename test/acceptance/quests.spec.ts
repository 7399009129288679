import { randomUUID } from 'node:crypto';
import { Quests } from '../../apps/api/src/quests/quests.js';
import { startTestApi, type TestAnswer, type TestApi, type TestMember } from '../support/api.js';
import { talk } from '../support/chats.js';
import { eventually } from '../support/eventually.js';
import { grantNova, novaBalance, signInAdmin } from '../support/money.js';
import { activeChat } from '../support/open-chat.js';
import { whileTableStands } from '../support/standing-table.js';

const HOUR = 3_600_000;
const REWARD = 'Reward must be a positive number.';
const MISSING = 'Please fill in all required fields.';

describe('quests', () => {
  let api: TestApi;
  let admin: TestMember;
  let ada: TestMember;
  let bob: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
    ada = await api.member({ displayName: 'Ada' });
    bob = await api.member({ displayName: 'Bob' });
    await grantNova(admin, ada.id, 100_000);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => api?.close());

  /** Moves the time by which quests are decided. The ledger's own time is not affected. */
  const forward = (ms: number): void => {
    const quests = api.nova.app.get(Quests);
    const real = quests.now.bind(quests);
    jest.spyOn(quests, 'now').mockImplementation(() => real() + ms);
  };

  /** Begins a minute ago by default: the server's clock may be behind the test's. */
  const draft = (more: object = {}, startsIn = -60_000) => ({
    title: 'A generous day',
    description: 'Send two gifts.',
    reward: 250.5,
    startTime: new Date(Date.now() + startsIn).toISOString(),
    endTime: new Date(Date.now() + startsIn + HOUR).toISOString(),
    rules: { type: 'gifts_sent', target: 2 },
    ...more,
  });
  const create = (body: object, key?: string) =>
    admin.browser.post('/api/admin/quests', body, key === undefined ? undefined : { 'idempotency-key': key });
  const journalled = async (): Promise<number> => {
    const { rows } = await api.database.pool.query(
      `select count(*)::int as count from journal.events where type = 'QuestCreated'`,
    );
    return rows[0].count;
  };
  const inLists = async (id: string) => {
    const { body } = await admin.browser.get('/api/admin/quests');
    return body.quests.find((quest: { readonly id: string }) => quest.id === id);
  };
  const created = async (body: object): Promise<string> => {
    const answer = await create(body);
    if (answer.status !== 201) throw new Error(`no quest: ${JSON.stringify(answer.body)}`);
    return answer.body.id;
  };
  const claim = (member: TestMember, questId: string, key?: string): Promise<TestAnswer> =>
    member.browser.post(
      `/api/quests/${questId}/claim`,
      undefined,
      key === undefined ? undefined : { 'idempotency-key': key },
    );
  const give = async (times: number): Promise<void> => {
    for (let count = 0; count < times; count++) {
      const answer = await ada.browser.post('/api/gifts/send', { recipientId: bob.id, amount: 1_000 });
      if (answer.status !== 201) throw new Error(`no gift: ${JSON.stringify(answer.body)}`);
    }
  };
  const progressOf = async (member: TestMember, questId: string) =>
    (await member.browser.get('/api/quests/progress')).body.progress.find(
      (entry: { questId: string }) => entry.questId === questId,
    );
  const completed = (member: TestMember, questId: string) =>
    eventually(
      () => progressOf(member, questId),
      ({ isCompleted }) => isCompleted,
    );
  const listed = async (member: TestMember, questId: string) =>
    (await member.browser.get('/api/quests')).body.quests.find(({ id }: { id: string }) => id === questId);
  const figures = async (questId: string) =>
    (await admin.browser.get('/api/admin/quests?limit=100')).body.quests.find(
      ({ id }: { id: string }) => id === questId,
    );

  it('are counted from their start, completed and claimed once', async () => {
    await give(1);
    const answer = await create(draft());
    expect(answer.status).toBe(201);
    const { id } = answer.body;
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      title: 'A generous day',
      description: 'Send two gifts.',
      reward: 250.5,
      startTime: expect.any(String),
      endTime: expect.any(String),
      isActive: true,
      status: 'active',
      rules: { type: 'gifts_sent', target: 2 },
      createdAt: expect.any(String),
      createdBy: 'Rhea',
      underWay: 0,
      completed: 0,
      claimed: 0,
      novaPaid: 0,
      leastCost: 1_000,
      warning: null,
    });
    expect(await progressOf(ada, id)).toEqual({
      questId: id,
      isCompleted: false,
      rewardClaimed: false,
      countersJSON: { gifts_sent: 0 },
      percent: 0,
      claimableUntil: new Date(Date.parse(answer.body.endTime) + 24 * HOUR).toISOString(),
    });
    await give(1);
    await eventually(
      () => progressOf(ada, id),
      ({ countersJSON, percent }) => countersJSON.gifts_sent === 1 && percent === 50,
    );
    expect(await figures(id)).toMatchObject({ underWay: 1, completed: 0 });
    expect((await claim(ada, id)).body).toMatchObject({ statusCode: 409, code: 'QUEST_NOT_COMPLETED' });
    await give(2);
    expect(await completed(ada, id)).toMatchObject({ countersJSON: { gifts_sent: 3 }, percent: 100 });
    const before = await novaBalance(ada);
    const paid = await claim(ada, id);
    expect(paid.status).toBe(200);
    expect(paid.body).toEqual({
      reward: 250.5,
      novaBalance: before + 250.5,
      message: 'You received 250.50 Nova.',
      eventId: expect.any(String),
      projected: true,
    });
    expect(await progressOf(ada, id)).toMatchObject({ isCompleted: true, rewardClaimed: true });
    expect(await listed(ada, id)).toMatchObject({ isCompleted: true, rewardClaimed: true });
    expect(await listed(bob, id)).toMatchObject({ isCompleted: false, rewardClaimed: false });
    expect((await claim(ada, id)).body).toMatchObject({ statusCode: 409, code: 'QUEST_CLAIMED' });
    expect(await novaBalance(ada)).toBe(before + 250.5);
    expect(await figures(id)).toMatchObject({ underWay: 0, completed: 1, claimed: 1, novaPaid: 250.5 });
    const { body } = await ada.browser.get('/api/nova/transactions?type=quest_reward');
    expect(body.transactions[0]).toMatchObject({ amount: 250.5, eventId: paid.body.eventId });
  });

  it('count messages at the moment their chat is successful, and none of another chat', async () => {
    const rules = { type: 'messages_sent', target: 5 };
    const id = await created(draft({ rules }));
    const chat = await activeChat(api, admin);
    const broken = await activeChat(api, admin);
    const counted = async (member: TestMember) => (await progressOf(member, id)).countersJSON.messages_sent;
    for (const each of [chat, broken]) await talk(each, 4);
    await broken.host.browser.post(`/api/chats/${broken.chatId}/exit`);
    expect([await counted(chat.initiator), await counted(chat.host), await counted(broken.host)]).toEqual([0, 0, 0]);
    await talk(chat, 1);
    expect(await completed(chat.host, id)).toMatchObject({ countersJSON: { messages_sent: 5 }, isCompleted: true });
    expect([await counted(chat.initiator), await counted(broken.initiator)]).toEqual([5, 0]);
    expect((await claim(chat.host, id)).status).toBe(200);
    expect((await claim(broken.host, id)).body.code).toBe('QUEST_NOT_COMPLETED');
  });

  it.each([
    [{ type: 'chats_completed', target: 2 }, 312.5],
    [{ type: 'messages_sent', target: 10 }, 156.25],
    [{ type: 'gifts_sent', target: 3 }, 1_500],
    [{ type: 'nova_earned', target: 40.5 }, 40.5],
  ])('say what earning %j costs at least, and warn of rewards above it', async (rules, leastCost) => {
    const fair = await create(draft({ rules, reward: leastCost }));
    expect(fair).toMatchObject({ status: 201, body: { leastCost, warning: null } });
    const dear = await create(draft({ rules, reward: leastCost + 0.01 }));
    expect(dear).toMatchObject({
      status: 201,
      body: { leastCost, warning: expect.stringMatching(/ Nova each\. .*\.$/) },
    });
    expect(await figures(dear.body.id)).toMatchObject({ leastCost, warning: dear.body.warning });
  });

  it('pay exactly one of many parallel claims, and answer its repetition as it was', async () => {
    const id = await created(draft({ rules: { type: 'gifts_sent' } }));
    await give(1);
    await completed(ada, id);
    const before = await novaBalance(ada);
    const keys = Array.from({ length: 8 }, () => randomUUID());
    const answers = await Promise.all(keys.map((key) => claim(ada, id, key)));
    const paid = answers.findIndex(({ status }) => status === 200);
    expect(answers.filter(({ body }) => body.code === 'QUEST_CLAIMED')).toHaveLength(7);
    expect(paid).toBeGreaterThanOrEqual(0);
    expect(await novaBalance(ada)).toBe(before + 250.5);
    const again = await claim(ada, id, keys[paid]);
    expect([again.status, again.body]).toEqual([200, answers[paid]?.body]);
    expect((await claim(ada, id, randomUUID())).body.code).toBe('QUEST_CLAIMED');
    expect(await novaBalance(ada)).toBe(before + 250.5);
  });

  it('take the key that claimed one for no other', async () => {
    const rules = { type: 'gifts_sent' };
    const [one, other] = [await created(draft({ rules })), await created(draft({ rules }))];
    await give(1);
    await Promise.all([one, other].map((id) => completed(ada, id)));
    const key = randomUUID();
    expect((await claim(ada, one, key)).status).toBe(200);
    const before = await novaBalance(ada);
    expect(await claim(ada, other, key)).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(await novaBalance(ada)).toBe(before);
    expect((await claim(ada, other, randomUUID())).status).toBe(200);
  });

  it('pay every member who has completed them, whatever keys others have sent', async () => {
    const rules = { type: 'gifts_sent' };
    const [one, other] = [await created(draft({ rules })), await created(draft({ rules }))];
    await give(1);
    await grantNova(admin, bob.id, 1_000);
    expect((await bob.browser.post('/api/gifts/send', { recipientId: ada.id, amount: 1_000 })).status).toBe(201);
    const before = await novaBalance(bob);
    const key = randomUUID();
    await completed(ada, one);
    expect((await claim(ada, one, key)).status).toBe(200);
    await Promise.all([one, other].map((id) => completed(bob, id)));
    expect((await claim(bob, other, key)).status).toBe(200);
    expect((await claim(bob, one)).status).toBe(200);
    expect(await novaBalance(bob)).toBe(before + 2 * 250.5);
  });

  it('count Nova earned as Nova', async () => {
    const id = await created(draft({ rules: { type: 'nova_earned', target: 700.5 }, reward: ' 10 ' }));
    await give(1);
    const seen = await eventually(
      () => progressOf(bob, id),
      ({ percent }) => percent > 0,
    );
    expect(seen).toMatchObject({ countersJSON: { nova_earned: 500 }, percent: 71, isCompleted: false });
    expect(await progressOf(ada, id)).toMatchObject({ countersJSON: { nova_earned: 0 } });
    expect(await listed(bob, id)).toMatchObject({ reward: 10, rules: { type: 'nova_earned', target: 700.5 } });
  });

  it('are hidden from members until they start', async () => {
    const id = await created(draft({}, HOUR));
    expect(await listed(ada, id)).toBeUndefined();
    expect(await progressOf(ada, id)).toBeUndefined();
    expect((await claim(ada, id)).body).toMatchObject({ statusCode: 404, code: 'QUEST_NOT_FOUND' });
    expect(await listed(admin, id)).toMatchObject({ isActive: false, status: 'scheduled' });
    const of = async (status: string) =>
      (await admin.browser.get(`/api/admin/quests?status=${status}`)).body.quests.map(
        (quest: { id: string }) => quest.id,
      );
    expect(await of('scheduled')).toEqual([id]);
    expect(await of('active')).not.toContain(id);
    forward(HOUR + 60_000);
    expect(await listed(ada, id)).toMatchObject({ isActive: true, status: 'active' });
    expect((await claim(ada, randomUUID())).status).toBe(404);
    expect((await claim(ada, 'nothing')).status).toBe(404);
  });

  it('can be claimed for 24 hours after their end, and are active for admins’ figures while they run', async () => {
    const active = async (): Promise<number> => {
      const { quests } = (await admin.browser.get('/api/quests')).body;
      const { activeQuests } = (await admin.browser.get('/api/admin/stats')).body;
      expect(activeQuests).toBe(quests.filter(({ isActive }: { isActive: boolean }) => isActive).length);
      return activeQuests;
    };
    const before = await active();
    const [early, late] = [await created(draft()), await created(draft())];
    expect(await active()).toBe(before + 2);
    await give(2);
    await Promise.all([completed(ada, early), completed(ada, late)]);
    forward(HOUR + 60_000);
    expect(await active()).toBeLessThan(before + 2);
    expect(await listed(ada, early)).toMatchObject({ isActive: false, status: 'expired', isCompleted: true });
    expect((await claim(ada, early)).status).toBe(200);
    jest.restoreAllMocks();
    forward(25 * HOUR + 60_000);
    expect(await listed(ada, late)).toBeUndefined();
    expect((await claim(ada, late)).body).toMatchObject({ statusCode: 409, code: 'QUEST_CLAIM_OVER' });
    expect((await claim(ada, early)).body.code).toBe('QUEST_CLAIMED');
    expect(await figures(late)).toMatchObject({ status: 'expired', completed: 1, claimed: 0, novaPaid: 0 });
  });

  it('are made by admins only, once under one key, and the audit tells who', async () => {
    expect((await ada.browser.post('/api/admin/quests', draft())).status).toBe(403);
    expect((await ada.browser.get('/api/admin/quests')).status).toBe(403);
    for (const path of ['/api/quests', '/api/quests/progress'])
      expect((await api.browser().get(path)).status).toBe(401);
    const [body, key] = [draft({ title: '  <b>قهوة</b> ' }), randomUUID()];
    const [first, second] = await Promise.all([create(body, key), create(body, key)]);
    expect([first?.status, second?.body.id]).toEqual([201, first?.body.id]);
    expect(first?.body.title).toBe('<b>قهوة</b>');
    expect((await create({ ...body, title: 'Another' }, key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    const { rows } = await api.database.pool.query(
      `select admin_id, action, amount from read.audit where subject_id = $1`,
      [first?.body.id],
    );
    expect(rows).toEqual([{ admin_id: admin.id, action: 'QuestCreated', amount: '25050' }]);
  });

  it('are answered with once they are made, be it before lists show them', async () => {
    const [body, key] = [draft({ title: 'Behind' }), randomUUID()];
    const before = await journalled();
    const [first, second] = await whileTableStands(api.database.pool, 'read.quests', async () => {
      const made = create(body, key);
      await eventually(journalled, (count) => count > before);
      return Promise.all([made, create(body, key)]);
    });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(await eventually(() => inLists(first.body.id))).toEqual(first.body);
  });

  it('keep the words of whoever came first where two come at once under one key', async () => {
    const [body, key] = [draft({ title: 'One' }), randomUUID()];
    const answers = await Promise.all([create(body, key), create({ ...body, title: 'Two' }, key)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422]);
    const made = answers.find(({ status }) => status === 201)?.body;
    expect(await eventually(() => inLists(made.id))).toEqual(made);
  });

  it('are refused in a sentence where something is wrong, and nothing is made', async () => {
    const count = async () => (await admin.browser.get('/api/admin/quests')).body.pagination.total;
    const before = await count();
    for (const reward of [0, -5, 'abc', '-5', '1e3', 0.001, true, {}, [5]]) {
      const answer = await create(draft({ reward }));
      expect([reward, answer.status, answer.body.message]).toEqual([reward, 400, REWARD]);
    }
    for (const field of ['title', 'description', 'reward', 'startTime', 'endTime', 'rules']) {
      for (const nothing of [undefined, null, '', ...(field === 'rules' ? [{}] : [])]) {
        const answer = await create(draft({ [field]: nothing }));
        expect([field, nothing, answer.status, answer.body.message]).toEqual([field, nothing, 400, MISSING]);
      }
    }
    expect((await create(draft({ title: '   ' }))).body.message).toBe(MISSING);
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const wrong: [object, string][] = [
      [{ reward: 1_000_000.01 }, 'Reward must be at most 1,000,000 Nova.'],
      [{ reward: 1e12 }, 'Reward must be at most 1,000,000 Nova.'],
      [{ endTime: at(-HOUR) }, 'A quest must end after it starts.'],
      [{ startTime: at(-2 * HOUR), endTime: at(-HOUR) }, 'A quest must end in the future.'],
      [{ startTime: 'tomorrow' }, 'The start must be a moment such as 2026-01-31T18:00:00Z.'],
      [{ endTime: '2027-02-30T00:00:00Z' }, 'The end must be a moment such as 2026-01-31T18:00:00Z.'],
      [{ title: 'x'.repeat(101) }, 'The title must have at most 100 characters.'],
      [{ description: 'x'.repeat(501) }, 'The description must have at most 500 characters.'],
    ];
    for (const [more, message] of wrong) {
      const answer = await create(draft(more));
      expect([answer.status, answer.body.message]).toEqual([400, message]);
    }
    for (const rules of [
      { type: 'steps_walked' },
      { type: 'gifts_sent', target: 0 },
      { type: 'gifts_sent', target: 1.5 },
      { type: 'gifts_sent', target: '3' },
      { type: 'nova_earned', target: 0.001 },
      { type: 'nova_earned', target: 1e12 },
      { type: 'gifts_sent', extra: 1 },
      [],
      'gifts_sent',
    ]) {
      expect([rules, (await create(draft({ rules }))).status]).toEqual([rules, 400]);
    }
    const sorted = async (query: string): Promise<number[]> =>
      (await admin.browser.get(`/api/admin/quests?sort=reward&limit=2&${query}`)).body.quests.map(
        ({ reward }: { reward: number }) => reward,
      );
    expect([await sorted('order=asc'), await sorted('')]).toEqual([
      [10, 40.5],
      [1500.01, 1500],
    ]);
    for (const query of ['page=0', 'limit=0', 'limit=101', 'status=gone', 'sort=title', 'order=up']) {
      expect((await admin.browser.get(`/api/admin/quests?${query}`)).status).toBe(400);
    }
    expect(await count()).toBe(before);
    const { rows } = await api.database.pool.query('select count(*)::int as words from quests');
    expect(rows).toEqual([{ words: before }]);
  });
});
