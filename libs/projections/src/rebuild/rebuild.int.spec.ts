import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BOOKS_STREAM,
  cardStream,
  contentStream,
  encodeBooksEvent,
  encodeContentEvent,
  encodeEngagementEvent,
  encodeModerationEvent,
  encodeQuestEvent,
  engagementStream,
  moderationStream,
  perksStream,
  questStream,
} from '@app/domain';
import { MemoryEventStore, PostgresEventStore } from '@app/event-store';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { BalanceQueries } from '../wallet/balance-queries.js';
import { balances } from '../wallet/balances.js';
import { gifts } from '../gifts/gifts.js';
import type { ReadModel } from '../read-model.js';
import { readModels } from '../read-models.js';
import { ensureReadModel } from '../runner/checkpoints.js';
import { ProjectionRunner } from '../runner/projection-runner.js';
import { projectionMigrations } from '../schema.js';
import { ChatWorld } from '../testing/chat-world.js';
import { TestJournal } from '../testing/test-journal.js';
import { readRebuilds } from './rebuild-log.js';
import { type ReadStore, rebuildReadModels } from './rebuild.js';
import { recomputeReadModels } from './recompute.js';
import { RebuildUnderWay } from './replica.js';
import { OlderThanLive } from './swap.js';

jest.setTimeout(120_000);

const WAIT_MS = 30_000;
const NAMES = readModels.map(({ name }) => name);
/** The first key of the locks that an append takes, fixed in the journal's migrations. */
const APPEND_LOCK_CLASS = 1_246_709_844;
const TABLES = readModels.flatMap(({ tables }) => tables);

const newer = (model: ReadModel): ReadModel => ({
  ...model,
  version: model.version + 1,
  ddl: model.ddl.replace('client_id text', 'note text, client_id text'),
});
/** The next release: one of its read models has one more column. */
const NEWER_MODELS = readModels.map((model) => (model === gifts ? newer(model) : model));

/** Read models whose tables drop their cached rows after almost every batch. */
const FORGETFUL_MODELS = readModels.map((model): ReadModel => ({
  ...model,
  createApplier: (options) => model.createApplier({ ...options, cachedRowsMax: 2 }),
}));

describe('rebuilding read models while everything goes on', () => {
  let database: TestDatabase;
  let store: MemoryEventStore;
  let world: ChatWorld;
  let steps = 0;
  const runners: ProjectionRunner[] = [];
  const errors: unknown[] = [];

  const newRunner = async (models = readModels): Promise<ProjectionRunner> => {
    const logger = { info: () => undefined, error: (message: string, error: unknown) => errors.push([message, error]) };
    const runner = new ProjectionRunner({ store, connectionString: database.url, models, logger });
    runners.push(runner);
    await runner.start();
    return runner;
  };

  beforeEach(async () => {
    database = await createTestDatabase('rebuild');
    for (const { sql } of projectionMigrations) await database.pool.query(sql);
    store = new MemoryEventStore();
    world = new ChatWorld(store, { seed: 5, members: 6 });
    await world.start();
    errors.length = 0;
    steps = 0;
  });

  afterEach(async () => {
    for (const runner of runners.splice(0)) await runner.stop();
    await store.close();
    await database.drop();
  });

  /** Adds an event to every kind of stream that read models use. */
  async function step(): Promise<void> {
    await world.step();
    steps += 1;
    if (steps % 5 !== 0) return;
    const [at, number] = [world.now, steps];
    const bought = { userId: `member-${number % 6}`, amount: 125_000n, paymentIntentId: `pi_${number}` } as const;
    await world.pay({ type: 'RecordPurchase', ...bought, chargedCents: 100, livemode: false });
    await world.pay({
      type: 'ReversePurchase',
      ...bought,
      amount: 1_250n,
      reversalId: `re_${number}`,
      reason: 'refund',
    });
    await world.pay({ type: 'DeductNova', userId: bought.userId, adminId: 'root', amount: 60_000n });
    const append = (stream: string, event: { readonly type: string }, data: string) =>
      store.append(stream, [{ id: randomUUID(), type: event.type, data, metadata: '{}' }], 'any');
    const moved = {
      type: 'ProviderMoved',
      movementId: `txn_${number}`,
      kind: 'payment',
      currency: 'usd',
      amount: 100,
      fee: 30,
      providerId: null,
      paymentIntentId: bought.paymentIntentId,
      livemode: false,
      createdAt: at,
      arrivesAt: null,
      postedAt: at,
      at,
    } as const;
    const decided = { adminId: 'root', reasonId: 'reason', at };
    const policy = { type: 'PolicySet', allowancePercent: 60, effectiveAt: at, ...decided } as const;
    for (const event of [moved, { type: 'ProviderRead', until: at, at } as const, policy]) {
      await append(BOOKS_STREAM, event, encodeBooksEvent(event));
    }
    const [authorId, viewerId, contentId] = [`member-${number % 6}`, `member-${(number + 1) % 6}`, `post-${number}`];
    const published = { type: 'ContentPublished', contentId, authorId, surface: 'feed', at } as const;
    await append(contentStream(contentId), published, encodeContentEvent(published));
    const chosen = { type: 'CardContentChosen', memberId: authorId, contentId, at } as const;
    await append(cardStream(authorId), chosen, encodeContentEvent(chosen));
    const onPost = { postId: contentId, authorId, viewerId, at };
    const seen = { type: 'PostEngaged', ...onPost, kind: 'qualified_view', points: 120 } as const;
    const liked = { type: 'PostLiked', ...onPost } as const;
    for (const event of [seen, liked]) {
      await append(engagementStream(contentId, viewerId), event, encodeEngagementEvent(event));
    }
    const boosted = { type: 'PostBoosted', memberId: authorId, postId: contentId, until: at + 60_000, at } as const;
    await append(perksStream(authorId), boosted, encodeEngagementEvent(boosted));
    const act = { adminId: 'root', targetId: viewerId, subjectId: null, reasonId: null, at };
    const rated = { type: 'MemberRatingChanged', ...act, rating: (number % 900) / 100 } as const;
    await append(moderationStream(viewerId), rated, encodeModerationEvent(rated));
    const questId = `quest-${number}`;
    const times = { startsAt: at, endsAt: at + 86_400_000, at };
    const money = { target: 3n, reward: 100n };
    const quest = {
      type: 'QuestCreated',
      questId,
      adminId: 'root',
      rule: 'messages_sent',
      ...money,
      ...times,
    } as const;
    await append(questStream(questId), quest, encodeQuestEvent(quest));
  }

  /** Waits for one more ledger event, which every read model reaches. */
  const caughtUp = async (runner: ProjectionRunner, names = NAMES): Promise<void> => {
    await world.pay({ type: 'GrantNova', userId: 'member-0', adminId: 'root', amount: 1n });
    let last = -1n;
    for await (const batch of store.readAll({ direction: 'backwards', limit: 1 })) last = batch[0]?.position ?? -1n;
    expect(await runner.waitForPosition(names, last, WAIT_MS)).toEqual({ projected: true });
  };

  const differing = async (models = readModels): Promise<string[]> =>
    (await recomputeReadModels({ store, connectionString: database.url, models }))
      .filter(({ matched }) => !matched)
      .map(({ name }) => name);

  const counts = async (): Promise<number[]> => {
    const { rows } = await database.pool.query<{ rows: number }>(
      TABLES.map((table, place) => `select ${place} as place, count(*)::int as rows from read.${table}`).join(
        ' union all ',
      ) + ' order by place',
    );
    return rows.map((row) => row.rows);
  };

  const leftovers = async (): Promise<unknown[]> =>
    (await database.pool.query(`select nspname from pg_namespace where nspname like 'read\\_%'`)).rows;

  /** Checks that readers see whole tables at every moment. */
  function watch(atLeast: readonly number[]): { end(): Promise<number> } {
    let looks = 0;
    const state = { goesOn: true };
    const looking = (async () => {
      while (state.goesOn) {
        const seen = await counts();
        looks += 1;
        // Some rows may disappear by themselves, but never half of a table.
        const torn = TABLES.filter((_, place) => (seen[place] ?? 0) < Math.floor((atLeast[place] ?? 0) / 2));
        if (torn.length > 0) throw new Error(`a reader saw less than all of ${torn.join(', ')}`);
      }
    })();
    looking.catch(() => undefined);
    return {
      end: async () => {
        state.goesOn = false;
        await looking;
        return looks;
      },
    };
  }

  function traffic(): { end(): Promise<void> } {
    const state = { goesOn: true };
    const running = (async () => {
      while (state.goesOn) {
        await step();
        await sleep(2);
      }
    })();
    return {
      end: async () => {
        state.goesOn = false;
        await running;
      },
    };
  }

  it('finds where read models of another version must come to without reading back for their streams', async () => {
    for (let round = 0; round < 5; round++) await step();
    await (await newRunner()).stop();
    await database.pool.query('update read.checkpoint set version = 0');
    const reading = jest.spyOn(store, 'readAll');
    const outcomes = await rebuildReadModels({ store, connectionString: database.url, models: readModels });
    expect(outcomes.every(({ swapped }) => swapped)).toBe(true);
    const backwards = reading.mock.calls.filter(([options]) => options?.direction === 'backwards');
    reading.mockRestore();
    expect(backwards.length).toBeGreaterThan(0);
    // A store without an index of streams would read the whole journal backwards if none of these has an event.
    expect(backwards.filter(([options]) => options?.streamPrefixes)).toEqual([]);
    expect(await differing()).toEqual([]);
  });

  it('swaps each of them under traffic, and readers see whole tables', async () => {
    const runner = await newRunner();
    for (let round = 0; round < 150; round++) await step();
    for (const initiatorId of ['member-0', 'member-2']) await world.makeThread(initiatorId, 'member-1');
    await world.settle();
    for (const kind of ['unlock', 'wall'] as const) {
      const payment = { senderId: 'member-0', recipientId: 'member-1', subjectId: 'member-1', amount: 100n };
      await world.pay({ type: 'PayForCard', kind, ...payment });
    }
    await caughtUp(runner);
    const before = await counts();
    expect(before.filter((rows) => rows > 0).length).toBeGreaterThan(TABLES.length * 0.8);
    const [load, readers] = [traffic(), watch(before)];
    for (const name of NAMES) {
      // As from the command line: by a process that owns no read model.
      const models = readModels.filter((model) => model.name === name);
      const outcomes = await rebuildReadModels({ store, connectionString: database.url, models });
      expect(outcomes).toMatchObject([{ name, swapped: true, matched: true }]);
    }
    await load.end();
    expect(await readers.end()).toBeGreaterThan(NAMES.length);
    await caughtUp(runner);
    expect(await differing()).toEqual([]);
    expect(await leftovers()).toEqual([]);
    const records = await readRebuilds(database.pool);
    expect(records.map(({ name, phase, running }) => [name, phase, running])).toEqual(
      NAMES.toSorted().map((name) => [name, 'done', false]),
    );
    expect(records.every(({ eventsDone, eventsTotal }) => eventsDone > 0 && eventsDone <= eventsTotal)).toBe(true);
    expect(errors.filter((error) => !String(error).includes('still held'))).toEqual([]);
  });

  it('gives the same rows, however few of them stay in memory', async () => {
    const runner = await newRunner(FORGETFUL_MODELS);
    // One after the other: rows written in one batch need no look-up.
    for (let round = 0; round < 100; round++) {
      await step();
      if (round % 5 === 4) await caughtUp(runner);
    }
    for (const initiatorId of ['member-0', 'member-2']) await world.makeThread(initiatorId, 'member-1');
    await world.settle();
    await caughtUp(runner);
    expect(await differing()).toEqual([]);
    const outcomes = await rebuildReadModels({ store, connectionString: database.url, models: FORGETFUL_MODELS });
    expect(outcomes.filter(({ matched, swapped }) => !matched || !swapped)).toEqual([]);
    expect(outcomes).toHaveLength(NAMES.length);
  });

  it('leaves live rows that differ as they are, says what differs, and replaces them when asked to', async () => {
    const runner = await newRunner();
    for (let round = 0; round < 60; round++) await step();
    await caughtUp(runner);
    await database.pool.query(`update read.member_balance set earned = earned + 1 where user_id = 'member-1'`);
    const gone = await database.pool.query(
      `delete from read.sent_gift where revision = (select max(revision) from read.sent_gift)`,
    );
    expect(gone.rowCount).toBeGreaterThan(0);
    const outcomes = await runner.rebuild(['balances', 'sent_gifts', 'totals']);
    const byName = new Map(outcomes.map((outcome) => [outcome.name, outcome]));
    expect(byName.get('totals')).toMatchObject({ swapped: true, matched: true });
    expect(byName.get('balances')).toMatchObject({
      swapped: false,
      matched: false,
      difference: expect.stringMatching(/^The live rows of balances .*: member_balance has \d+ rows in both/),
    });
    expect(byName.get('sent_gifts')).toMatchObject({
      swapped: false,
      difference: expect.stringMatching(/gift has \d+ rows, the journal gives \d+/),
    });
    expect((await differing()).toSorted()).toEqual(['balances', 'sent_gifts']);
    expect((await readRebuilds(database.pool)).filter(({ phase }) => phase === 'differs')).toHaveLength(2);

    // Its owner, when asked, checks once and leaves it too.
    await runner.requestRebuild('balances');
    const asked = async (): Promise<boolean> =>
      (await database.pool.query(`select 1 from read.checkpoint where rebuild_requested`)).rowCount === 1;
    while (await asked()) await sleep(25);
    expect(await differing()).toEqual(['balances', 'sent_gifts']);

    const replaced = await runner.rebuild(['balances', 'sent_gifts'], { onDifference: 'replace' });
    expect(replaced.map(({ swapped, matched }) => [swapped, matched])).toEqual([
      [true, false],
      [true, false],
    ]);
    expect(await differing()).toEqual([]);
    await step();
    await caughtUp(runner);
    expect(await differing()).toEqual([]);

    // Asked again, it finds no difference, and the request is gone.
    await runner.requestRebuild('balances');
    while (await asked()) await sleep(25);
  });

  it('leaves the live tables as they are when it is killed half-way, and can be begun again', async () => {
    const runner = await newRunner();
    for (let round = 0; round < 60; round++) await step();
    await caughtUp(runner);
    const before = await counts();
    for (const phase of ['reading', 'indexing', 'comparing', 'swapping'] as const) {
      let killed: Promise<unknown> | undefined;
      const onProgress = (progress: { readonly phase: string }): void => {
        if (progress.phase !== phase) return;
        killed ??= database.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'nova read\\_next%'
             and datname = current_database()`,
        );
      };
      const rebuild = rebuildReadModels({ store, connectionString: database.url, models: readModels, onProgress });
      await expect(rebuild).rejects.toThrow();
      await killed;
      expect(await counts()).toEqual(before);
      // The server ends connections in its own time.
      while ((await readRebuilds(database.pool)).some(({ running }) => running)) await sleep(25);
    }
    await step();
    await caughtUp(runner);
    const outcomes = await runner.rebuild(NAMES);
    expect(outcomes.every(({ swapped, matched }) => swapped && matched)).toBe(true);
    expect(await leftovers()).toEqual([]);
  });

  it('lets readers in at once when the journal fails while it holds the live tables', async () => {
    const runner = await newRunner();
    for (let round = 0; round < 20; round++) await step();
    await caughtUp(runner);
    const observer = await database.pool.connect();
    const holds = async (): Promise<boolean> =>
      (
        await database.pool.query(
          `select from pg_locks where relation = 'read.sent_gift'::regclass and mode = 'AccessExclusiveLock' and granted`,
        )
      ).rowCount === 1;
    let failed: () => void = () => undefined;
    const failure = new Promise<void>((resolve) => (failed = resolve));
    const failing: ReadStore = {
      head: (stream) => store.head(stream),
      async *readAll(options) {
        if (await holds()) {
          // Keeps the rebuild from writing its last word, and so from ending.
          await observer.query('begin; lock table read.rebuild in exclusive mode');
          failed();
          throw new Error('the journal is away');
        }
        yield* store.readAll(options);
      },
    };
    const options = { store: failing, connectionString: database.url, models: [newer(gifts)] };
    const rebuild = expect(rebuildReadModels(options)).rejects.toThrow('the journal is away');
    try {
      await failure;
      await observer.query(`set local statement_timeout = '5s'; select count(*) from read.sent_gift`);
    } finally {
      await observer.query('rollback');
      observer.release();
    }
    await rebuild;
    expect(await leftovers()).toEqual([]);
  });

  it('lets one process rebuild a read model at a time, and every process go on afterwards', async () => {
    const [first, second] = [await newRunner(), await newRunner()];
    for (let round = 0; round < 40; round++) await step();
    await caughtUp(first);
    let other: Promise<unknown> | undefined;
    const options = { store, connectionString: database.url, models: readModels };
    const onProgress = (): void => void (other ??= expect(rebuildReadModels(options)).rejects.toThrow(RebuildUnderWay));
    await rebuildReadModels({ ...options, onProgress });
    await other;
    for (let round = 0; round < 20; round++) await step();
    await Promise.all([caughtUp(first), caughtUp(second)]);
    expect(await differing()).toEqual([]);
  });

  it('is done by a newer release beside an older one, which then leaves the read model alone', async () => {
    const old = await newRunner();
    for (let round = 0; round < 40; round++) await step();
    await caughtUp(old);
    expect(await old.isBetweenVersions()).toBe(false);

    const next = await newRunner(NEWER_MODELS);
    expect(await next.isBetweenVersions()).toBe(true);
    const version = async (): Promise<number> =>
      (await database.pool.query(`select version from read.checkpoint where name = 'sent_gifts'`)).rows[0].version;
    while ((await version()) === gifts.version) await step();
    expect(await old.isBetweenVersions()).toBe(true);
    const ofOld = (await old.status()).filter(({ isOfOtherVersion }) => isOfOtherVersion);
    expect(ofOld.map(({ name }) => name)).toEqual(['sent_gifts']);
    for (let round = 0; round < 40; round++) await step();
    await caughtUp(next);
    expect(await differing(NEWER_MODELS)).toEqual([]);
    const columns = `select 1 from information_schema.columns where table_schema = 'read' and table_name = 'sent_gift' and column_name = 'note'`;
    expect((await database.pool.query(columns)).rowCount).toBe(1);
    await expect(rebuildReadModels({ store, connectionString: database.url, models: [gifts] })).rejects.toThrow(
      OlderThanLive,
    );
    expect((await database.pool.query(columns)).rowCount).toBe(1);
  });

  it('fills a read model that a long journal has none of, and shows no empty tables before', async () => {
    for (let round = 0; round < 40; round++) await step();
    const client = await database.pool.connect();
    await ensureReadModel(client, gifts, { toBeRebuilt: true });
    client.release();
    await expect(database.pool.query('select * from read.sent_gift')).rejects.toMatchObject({ code: '42P01' });
    const runner = await newRunner();
    await caughtUp(runner);
    while ((await runner.status()).some(({ isOfOtherVersion }) => isOfOtherVersion)) await sleep(25);
    expect(await differing()).toEqual([]);
    expect(errors).toEqual([]);
  });
});

describe('rebuilding read models from a journal in Postgres', () => {
  it('leaves out nothing where what is settled goes back between two questions', async () => {
    const database = await createTestDatabase('rebuild_settled');
    for (const { sql } of projectionMigrations) await database.pool.query(sql);
    const store = await PostgresEventStore.open({ connectionString: database.url });
    const [older, begun] = [await database.pool.connect(), await database.pool.connect()];
    await older.query('begin; select pg_current_xact_id()');
    const journal = new TestJournal(store);
    for (let n = 0; n < 5; n += 1) {
      await journal.execute({ type: 'GrantNova', userId: 'ada', adminId: 'root', amount: 100n });
    }
    await ensureReadModel(begun, balances, { toBeRebuilt: true });

    // Once the journal's end has been looked up, an append takes its locks, but no transaction id yet.
    const readAll = store.readAll.bind(store);
    jest.spyOn(store, 'readAll').mockImplementation(async function* (options) {
      if (options?.direction !== 'backwards') {
        await begun.query(`begin; select pg_advisory_xact_lock(${APPEND_LOCK_CLASS}, 1)`);
      }
      yield* readAll(options);
    });
    const outcomes = await rebuildReadModels({ store, connectionString: database.url, models: [balances] });
    const { nova } = await new BalanceQueries(database.pool).member('ada');
    for (const client of [begun, older]) {
      await client.query('rollback');
      client.release();
    }
    await store.close();
    await database.drop();
    expect(outcomes).toMatchObject([{ name: 'balances', swapped: true, revision: 4 }]);
    expect(nova).toBe(500n);
  });
});
