import { randomUUID } from 'node:crypto';
import {
  encodeModerationEvent,
  encodeQuestEvent,
  type LedgerCommand,
  moderationStream,
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
/** Between two commands of a `TestJournal`. */
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
      if (step === 600) await project();
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
    }
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
