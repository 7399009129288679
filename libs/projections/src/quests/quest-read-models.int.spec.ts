import { randomUUID } from 'node:crypto';
import {
  type ChatEvent,
  encodeModerationEvent,
  encodeQuestCountingEvent,
  encodeQuestEvent,
  type LedgerCommand,
  moderationStream,
  QUEST_COUNTING_STREAM,
  type ModerationEvent,
  QUEST_RULES,
  type QuestCreated,
  questStepsOfChat,
  questStepsOfLedger,
  questStream,
} from '@app/domain';
import { MemoryEventStore } from '@app/event-store';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { readModels } from '../read-models.js';
import { recomputeReadModels } from '../rebuild/recompute.js';
import { ProjectionRunner } from '../runner/projection-runner.js';
import { projectionMigrations } from '../schema.js';
import { ChatWorld } from '../testing/chat-world.js';
import { TestJournal } from '../testing/test-journal.js';

jest.setTimeout(100_000);

const HOUR = 60 * 60 * 1_000;
/** The time between two commands of a `TestJournal`. */
const JOURNAL_STEP_MS = 7;
const MODELS = readModels.filter(({ name }) =>
  ['quests', 'audit', 'ratings', 'cards', 'balances', 'daily'].includes(name),
);

describe('the read models of quests and of what admins did', () => {
  let database: TestDatabase;
  let store: MemoryEventStore;

  beforeEach(async () => {
    database = await createTestDatabase('quest_models');
    for (const { sql } of projectionMigrations) await database.pool.query(sql);
    store = new MemoryEventStore();
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });

  async function project(): Promise<void> {
    const errors: unknown[] = [];
    const logger = {
      info: () => undefined,
      error: (message: string, error?: unknown) => errors.push([message, error]),
    };
    const runner = new ProjectionRunner({ store, connectionString: database.url, models: MODELS, logger });
    await runner.start();
    let last = -1n;
    for await (const batch of store.readAll({ direction: 'backwards', limit: 1 })) last = batch[0]?.position ?? -1n;
    expect(
      await runner.waitForPosition(
        MODELS.map(({ name }) => name),
        last,
        20_000,
      ),
    ).toEqual({ projected: true });
    await runner.stop();
    expect(errors).toEqual([]);
  }

  const differing = async (): Promise<string[]> =>
    (await recomputeReadModels({ store, connectionString: database.url, models: MODELS }))
      .filter(({ matched }) => !matched)
      .map(({ name }) => name);

  const append = (stream: string, type: string, data: string) =>
    store.append(stream, [{ id: randomUUID(), type, data, metadata: '{}' }], 'any');

  it('count what happens between start and end, and agree with a rebuild', async () => {
    const world = new ChatWorld(store, { seed: 11, members: 5 });
    await world.start();
    const quests: QuestCreated[] = [];
    let chatEventsBefore = 0;
    for (let step = 0; step < 1_200; step++) {
      if (step % 100 === 50) {
        const rule = QUEST_RULES[quests.length % QUEST_RULES.length] ?? 'gifts_sent';
        const [at, questId] = [world.now, `quest-${quests.length}`];
        const startsAt = at + (quests.length % 3 === 0 ? 2 * HOUR : -HOUR);
        const quest: QuestCreated = {
          type: 'QuestCreated',
          questId,
          adminId: 'root',
          rule,
          target: rule === 'nova_earned' ? 100_000n : 4n,
          reward: 500_00n,
          startsAt,
          endsAt: startsAt + 12 * HOUR,
          at,
        };
        quests.push(quest);
        await append(questStream(questId), quest.type, encodeQuestEvent(quest));
      }
      await world.step();
      if (step === 500) {
        const event = { type: 'MessagesCountOnceSuccessful', at: world.now } as const;
        chatEventsBefore = world.chatEvents.length;
        await append(QUEST_COUNTING_STREAM, event.type, encodeQuestCountingEvent(event));
      }
      if (step === 400 || step === 800) await project();
    }
    const claim: LedgerCommand = { type: 'ClaimQuestReward', userId: 'member-0', questId: 'quest-1', amount: 500_00n };
    await world.journal.execute(claim);
    await project();
    const steps = [
      ...world.chatEvents.flatMap((event) => questStepsOfChat(event).map((step) => ({ ...step, at: event.at }))),
      ...world.ledgerEvents.flatMap((event) => questStepsOfLedger(event).map((step) => ({ ...step, at: event.at }))),
    ];
    const expected = new Map<string, bigint>();
    for (const { questId, rule, startsAt, endsAt, at: made } of quests) {
      for (const { userId, rule: counted, amount, at } of steps) {
        if (counted !== rule || at < Math.max(startsAt, made) || at >= endsAt) continue;
        const key = `${userId} ${questId}`;
        expected.set(key, (expected.get(key) ?? 0n) + amount);
      }
      if (rule !== 'messages_sent') continue;
      const counts = ({ at }: ChatEvent) => at >= Math.max(startsAt, made) && at < endsAt;
      world.chatEvents.forEach((event, index) => {
        if (event.type !== 'ChatMessageSent' || !counts(event)) return;
        const later = world.chatEvents.slice(index).filter(({ chatId }) => chatId === event.chatId);
        const success = later.find(({ type }) => type === 'ChatSucceeded');
        // Under the older rule a message counts when it is sent; under the newer one, once its chat is successful.
        if (index >= chatEventsBefore && !(success && counts(success))) return;
        const key = `${event.senderId} ${questId}`;
        expected.set(key, (expected.get(key) ?? 0n) + 1n);
      });
    }
    const byOldRule = world.chatEvents.slice(0, chatEventsBefore).filter(({ type }) => type === 'ChatMessageSent');
    expect(byOldRule.length).toBeGreaterThan(50);
    const { rows } = await database.pool.query('select * from read.quest_progress');
    const counted = new Map(rows.map((row) => [`${row.user_id} ${row.quest_id}`, BigInt(row.count)]));
    counted.forEach((count, key) => count === 0n && counted.delete(key));
    expect(counted).toEqual(expected);
    const targets = new Map(quests.map(({ questId, target }) => [questId, target]));
    for (const { quest_id, count, completed_at } of rows) {
      expect(completed_at !== null).toBe(BigInt(count) >= (targets.get(quest_id) ?? 0n));
    }
    expect(rows.some(({ completed_at }) => completed_at !== null)).toBe(true);
    const claimed = rows.filter(({ claimed_at }) => claimed_at !== null);
    expect(claimed.map(({ user_id, quest_id }) => [user_id, quest_id])).toEqual([['member-0', 'quest-1']]);
    const figures = await database.pool.query(
      `select * from (select quest_id, members, completed, claimed from read.quests) as told
       full join (
         select quest_id, count(*)::int as members, count(completed_at)::int as completed, count(claimed_at)::int as claimed
         from read.quest_progress group by quest_id
       ) as counted using (quest_id, members, completed, claimed)
       where (told is null or counted is null) and members > 0`,
    );
    expect(figures.rows).toEqual([]);
    expect(await differing()).toEqual([]);
  });

  it('count from the very millisecond of the start, and not that of the end', async () => {
    const journal = new TestJournal(store);
    await journal.execute({ type: 'GrantNova', userId: 'ada', adminId: 'root', amount: 1_000_000n });
    const gift: LedgerCommand = { type: 'SendGift', senderId: 'ada', recipientId: 'bob', amount: 100_000n };
    const startsAt = journal.now + HOUR;
    const quest: QuestCreated = {
      type: 'QuestCreated',
      questId: 'quest-brief',
      adminId: 'root',
      rule: 'gifts_sent',
      target: 4n,
      reward: 500_00n,
      startsAt,
      endsAt: startsAt + 2 * JOURNAL_STEP_MS,
      at: journal.now,
    };
    await append(questStream(quest.questId), quest.type, encodeQuestEvent(quest));
    journal.now = startsAt - 2 * JOURNAL_STEP_MS;
    const gifts = [];
    for (let index = 0; index < 4; index++) gifts.push(...(await journal.execute(gift)));
    expect(gifts.map(({ at }) => at)).toEqual([-1, 0, 1, 2].map((steps) => startsAt + steps * JOURNAL_STEP_MS));
    await project();
    const { rows } = await database.pool.query('select user_id, count from read.quest_progress');
    expect(rows).toEqual([{ user_id: 'ada', count: '2' }]);
  });

  describe('messages', () => {
    const quest = (
      questId: string,
      { at, startsAt = at, endsAt = at + 12 * HOUR }: Partial<QuestCreated> & { at: number },
    ) => ({
      ...({
        type: 'QuestCreated',
        questId,
        adminId: 'root',
        rule: 'messages_sent',
        target: 5n,
        reward: 50_000n,
      } as const),
      startsAt,
      endsAt,
      at,
    });
    const make = (made: QuestCreated) => append(questStream(made.questId), made.type, encodeQuestEvent(made));
    const newRule = (at: number) =>
      append(
        QUEST_COUNTING_STREAM,
        'MessagesCountOnceSuccessful',
        encodeQuestCountingEvent({ type: 'MessagesCountOnceSuccessful', at }),
      );
    const progress = async (): Promise<unknown[]> => {
      await project();
      const { rows } = await database.pool.query(
        'select quest_id, user_id, count::int from read.quest_progress order by quest_id, user_id',
      );
      return rows.map((row) => Object.values(row));
    };
    const waiting = async (): Promise<number> =>
      Number((await database.pool.query('select count(*) from read.quest_messages')).rows[0].count);

    /** Sends messages in a new chat, `messages` of them, and leaves it open. */
    async function talk(world: ChatWorld, chatId: string, messages: number): Promise<void> {
      const parties = { chatId, initiatorId: 'member-0', hostId: 'member-1' };
      await world.pay({ type: 'HoldChatPayment', ...parties, amount: 62_500n });
      await world.act(chatId, { type: 'RequestChat', ...parties, price: 62_500n });
      await world.act(chatId, { type: 'AcceptChat', memberId: 'member-1' });
      await say(world, chatId, messages);
    }
    async function say(world: ChatWorld, chatId: string, messages: number): Promise<void> {
      for (let n = 0; n < messages; n++) {
        await world.act(chatId, {
          type: 'SendChatMessage',
          memberId: `member-${n % 2}`,
          messageId: `${chatId} ${world.chatEvents.length}`,
          characters: 40,
          nonBlankCharacters: 40,
        });
      }
    }

    it('count nothing in a chat that is not successful, and all at once when it is', async () => {
      const world = new ChatWorld(store, { seed: 1, members: 2 });
      await world.start();
      await newRule(world.now);
      await make(quest('q', { at: world.now }));
      await talk(world, 'broken', 9);
      await world.act('broken', { type: 'TerminateChat', memberId: 'member-0', cause: 'exit' });
      await talk(world, 'c', 9);
      expect([await progress(), await waiting()]).toEqual([[], 1]);
      await say(world, 'c', 1);
      expect(world.chats.get('c')?.status).toBe('active');
      world.journal.now += JOURNAL_STEP_MS;
      // The tenth is the initiator's: the host's reply makes the fifth exchange.
      await world.act('c', {
        type: 'SendChatMessage',
        memberId: 'member-1',
        messageId: 'last',
        characters: 40,
        nonBlankCharacters: 40,
      });
      expect(world.chats.get('c')?.status).toBe('successful');
      expect(await progress()).toEqual([
        ['q', 'member-0', 6],
        ['q', 'member-1', 5],
      ]);
      expect([await waiting(), await differing()]).toEqual([0, []]);
    });

    it('keep what they have counted by the older rule, and count no message twice', async () => {
      const world = new ChatWorld(store, { seed: 1, members: 2 });
      await world.start();
      await make(quest('q', { at: world.now }));
      await talk(world, 'never', 3);
      await talk(world, 'c', 4);
      expect(await progress()).toEqual([
        ['q', 'member-0', 4],
        ['q', 'member-1', 3],
      ]);
      await newRule(world.now);
      await say(world, 'c', 6);
      const expected = [
        ['q', 'member-0', 4 + 3],
        ['q', 'member-1', 3 + 3],
      ];
      expect(world.chats.get('c')?.status).toBe('successful');
      expect(await progress()).toEqual(expected);
      expect([await waiting(), await differing()]).toEqual([0, []]);
    });
  });

  it('let an admin’s rating stand until the next, and list what admins did', async () => {
    const world = new ChatWorld(store, { seed: 3, members: 3 });
    await world.start();
    const act = { adminId: 'root', targetId: 'member-0', subjectId: null, reasonId: null } as const;
    const events: ModerationEvent[] = [
      { type: 'MemberRatingChanged', ...act, reasonId: 'why', rating: 2.5, at: world.now },
      { type: 'PasswordReset', ...act, at: world.now },
    ];
    for (const event of events)
      await append(moderationStream(event.targetId), event.type, encodeModerationEvent(event));
    await project();
    const ratingOf = async (): Promise<unknown[]> => {
      const { rows } = await database.pool.query(
        `select r.value::text, r.count, c.shown_rating::text from read.member_ratings r join read.cards c using (user_id)
         where user_id = 'member-0'`,
      );
      return rows;
    };
    expect(await ratingOf()).toEqual([{ value: '2.50', count: 0, shown_rating: '2.50' }]);
    await world.makeThread('member-1', 'member-0');
    await project();
    // 90 of 100 after 2.50, which counts as one.
    expect(await ratingOf()).toEqual([{ value: '5.75', count: 1, shown_rating: '5.75' }]);
    const { rows } = await database.pool.query(
      `select action, admin_id, target_id, reason_id, rating from read.audit where action <> 'NovaGranted' order by position`,
    );
    expect(rows).toEqual([
      { action: 'MemberRatingChanged', admin_id: 'root', target_id: 'member-0', reason_id: 'why', rating: 2.5 },
      { action: 'PasswordReset', admin_id: 'root', target_id: 'member-0', reason_id: null, rating: null },
    ]);
    expect(await differing()).toEqual([]);
  });
});
