import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountKind, encodeMemberEvent, type LedgerEvent, memberStream, type StatementType } from '@app/domain';
import { ChannelListener, MemoryEventStore } from '@app/event-store';
import * as fc from 'fast-check';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { anyStep, OPENING } from '../../../domain/src/ledger/testing/arbitraries.js';
import { BalanceQueries } from '../wallet/balance-queries.js';
import { balances } from '../wallet/balances.js';
import { entries } from '../finance/entries.js';
import { follows } from '../members/follows.js';
import { GiftQueries } from '../gifts/gift-queries.js';
import { gifts } from '../gifts/gifts.js';
import { keyIndex } from '../key-index/key-index.js';
import { KeyIndexQueries } from '../key-index/key-index-queries.js';
import type { ReadModel } from '../read-model.js';
import { readModels } from '../read-models.js';
import { recomputeReadModels } from '../rebuild/recompute.js';
import { InvalidCursor } from '../invalid-cursor.js';
import { projectionMigrations } from '../schema.js';
import type { StatementFilter } from '../wallet/statement-filter.js';
import { type StatementLine, type StatementPage, StatementQueries } from '../wallet/statement-queries.js';
import type { StatementRow } from '../wallet/statement-row.js';
import { statement } from '../wallet/statement.js';
import { TotalQueries } from '../finance/total-queries.js';
import { randomCommands } from '../testing/random-commands.js';
import { TestJournal } from '../testing/test-journal.js';
import { LISTENER_NAME } from './progress-listener.js';
import { ProjectionRunner } from './projection-runner.js';
import type { ReadModelStatus } from './projections.js';

jest.setTimeout(60_000);

const NAMES = readModels.map(({ name }) => name);

describe('ProjectionRunner', () => {
  let database: TestDatabase;
  let store: MemoryEventStore;
  let journal: TestJournal;
  const runners: ProjectionRunner[] = [];
  const listeners: ChannelListener[] = [];
  const errors: unknown[] = [];

  const newRunner = (models = readModels): ProjectionRunner => {
    const listener = new ChannelListener({ connectionString: database.url, application_name: LISTENER_NAME });
    listeners.push(listener);
    const runner = new ProjectionRunner({
      store,
      connectionString: database.url,
      models,
      listener,
      logger: { info: () => undefined, error: (message, error) => errors.push([message, error]) },
    });
    runners.push(runner);
    return runner;
  };

  beforeEach(async () => {
    database = await createTestDatabase('projections');
    for (const { sql } of projectionMigrations) await database.pool.query(sql);
    store = new MemoryEventStore();
    journal = new TestJournal(store);
    errors.length = 0;
  });

  afterEach(async () => {
    for (const runner of runners.splice(0)) await runner.stop();
    for (const listener of listeners.splice(0)) await listener.close();
    await store.close();
    await database.drop();
  });

  it('shows at every revision what the ledger has, and adds up row by row', async () => {
    const runner = newRunner();
    await runner.start();
    const next = randomCommands(1);
    const statements = new StatementQueries(database.pool);
    const past: { revision: number; at: number; nova: Map<string, bigint> }[] = [];
    const members = Array.from({ length: 6 }, (_, index) => `member-${index}`);
    for (let round = 0; round < 1_000; round++) {
      const events = await journal.execute(next());
      if (events.length === 0) continue;
      const nova = new Map(members.map((id) => [id, journal.state.novaBalance(id)]));
      past.push({ revision: journal.state.revision, at: journal.now, nova });
    }
    expect(await runner.waitFor(NAMES, journal.state.revision, 20_000)).toEqual({ projected: true });
    expect(errors).toEqual([]);

    const queries = new BalanceQueries(database.pool);
    for (const id of members) {
      const { purchased, earned, pending, karma, influence, owed, nova } = await queries.member(id);
      expect({ purchased, earned, pending, karma, influence, owed }).toEqual({
        purchased: journal.state.balance(id, 'purchased'),
        earned: journal.state.balance(id, 'earned'),
        pending: journal.state.balance(id, 'pending'),
        karma: journal.state.balance(id, 'karma'),
        influence: journal.state.balance(id, 'influence'),
        owed: journal.state.owed(id),
      });
      const rows = [];
      let cursor: string | undefined;
      do {
        const page = await statements.page({ userId: id, limit: 7, ...(cursor && { cursor }) });
        rows.push(...page.lines.map(({ row }) => row));
        expect(page.nova).toBe(nova);
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      expect(rows.reduce((sum, { amount }) => sum + amount, 0n) + owed).toBe(nova);
      const received = rows.filter(({ type }) => type.endsWith('_receive'));
      expect(received.length).toBeGreaterThan(0);
      expect(await statements.earnedFromOthers(id)).toBe(received.reduce((sum, { amount }) => sum + amount, 0n));
      let balance = 0n;
      for (const row of rows.toReversed()) expect((balance += row.amount)).toBe(row.balance);
      for (const moment of past.filter((_, index) => index % 37 === 0)) {
        const { revision, at } = moment;
        expect((await statements.balanceAt(id, { revision })).nova).toBe(moment.nova.get(id));
        expect((await statements.balanceAt(id, { time: new Date(at) })).nova).toBe(moment.nova.get(id));
      }
    }
    expect(await differing()).toEqual([]);
  });

  it('keeps what a member earned where a reversal finds nothing to take, though another process goes on', async () => {
    const first = newRunner();
    await first.start();
    const bought = 12_345_600n;
    const payment = { amount: bought, paymentIntentId: 'pi_1' };
    await journal.execute(
      { type: 'GrantNova', userId: 'ada', adminId: 'admin', amount: 1_000_000n },
      { type: 'RecordPurchase', userId: 'bob', ...payment, chargedCents: 999, livemode: false },
      { type: 'SendGift', senderId: 'ada', recipientId: 'bob', amount: 100_000n },
      { type: 'DeductNova', userId: 'bob', adminId: 'admin', amount: bought + 50_000n },
    );
    expect(await first.waitFor(NAMES, journal.state.revision, 20_000)).toEqual({ projected: true });
    await first.stop();
    const second = newRunner();
    await second.start();
    await journal.execute({ type: 'ReversePurchase', userId: 'bob', ...payment, reversalId: 're_1', reason: 'refund' });
    expect(await second.waitFor(NAMES, journal.state.revision, 20_000)).toEqual({ projected: true });
    expect(await new StatementQueries(database.pool).earnedFromOthers('bob')).toBe(50_000n);
    expect(await differing()).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('reads again what it does not remember, whatever happens', async () => {
    const forgetful = readModels.map((model): ReadModel => ({
      ...model,
      createApplier: (options) => model.createApplier({ ...options, cachedRowsMax: 1 }),
    }));
    const runner = newRunner(forgetful);
    await runner.start();
    await journal.execute(...OPENING);
    const steps = fc.sample(anyStep, { seed: 7, numRuns: 600 });
    for (const [n, { command, waitMs }] of steps.entries()) {
      journal.now += waitMs;
      await journal.execute(command);
      if (n % 10 > 0) continue;
      expect(await runner.waitFor(NAMES, journal.state.revision, 20_000)).toEqual({ projected: true });
    }
    expect(await runner.waitFor(NAMES, journal.state.revision, 20_000)).toEqual({ projected: true });
    expect(await differing()).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('feeds each read model from one process at a time, and from another when that one stops', async () => {
    const [first, second] = [newRunner(), newRunner()];
    await first.start();
    await second.start();
    const next = randomCommands(2);
    for (let round = 0; round < 100; round++) await journal.execute(next());
    const { revision } = journal.state;
    expect(await Promise.all([first, second].map((runner) => runner.waitFor(NAMES, revision, 10_000)))).toEqual([
      { projected: true },
      { projected: true },
    ]);
    expect((await first.status()).map(({ state }) => state)).toEqual(NAMES.map(() => 'live'));
    expect((await second.status()).map(({ state }) => state)).toEqual(NAMES.map(() => 'standby'));

    await first.stop();
    for (let round = 0; round < 100; round++) await journal.execute(next());
    expect(await second.waitFor(NAMES, journal.state.revision, 10_000)).toEqual({ projected: true });
    expect((await second.status()).map(({ state }) => state)).toEqual(NAMES.map(() => 'live'));
    expect(await differing()).toEqual([]);
  });

  it('tells how far it is only where another process listens', async () => {
    const ear = await database.pool.connect();
    const heard: unknown[] = [];
    ear.on('notification', ({ payload }) => heard.push(payload));
    await ear.query('listen projection_progress');
    const grantOne = () => journal.execute({ type: 'GrantNova', userId: 'ada', adminId: 'admin', amount: 1n });
    const first = newRunner();
    await first.start();
    await grantOne();
    await first.waitFor(NAMES, 0, 10_000);
    await ear.query('select 1');
    expect(heard).toEqual([]);

    await newRunner().start();
    for (let tries = 0; tries < 100 && heard.length === 0; tries++) {
      await grantOne();
      await sleep(50);
    }
    expect(heard.length).toBeGreaterThan(0);
    // Background read models are not announced.
    expect(heard.filter((payload) => /entries|key_index/.test(String(payload)))).toEqual([]);
    ear.release(true);
  });

  it('lets a successor in when a lease has run out, and the former owner write nothing more', async () => {
    const gate = gated(balances);
    const zombie = newRunner([gate.model]);
    await zombie.start();
    await journal.execute({ type: 'GrantNova', userId: 'ada', adminId: 'admin', amount: 100n });
    await zombie.waitFor(['balances'], 0, 10_000);

    // The owner hangs before its transaction begins, and its process no longer renews: for the database it is dead.
    const supervisor = jest.spyOn(zombie as unknown as { tick(): Promise<void> }, 'tick').mockResolvedValue(undefined);
    gate.hold();
    await journal.execute({ type: 'GrantNova', userId: 'ada', adminId: 'admin', amount: 20n });
    await gate.reached();
    const successor = newRunner([balances]);
    await successor.start();
    // The batch of the former owner holds the checkpoint's lock: it is ended like a broken connection.
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and state = 'idle in transaction'`,
    );
    expect(await successor.waitFor(['balances'], 1, 15_000)).toEqual({ projected: true });
    gate.release();
    await journal.execute({ type: 'GrantNova', userId: 'ada', adminId: 'admin', amount: 3n });
    expect(await successor.waitFor(['balances'], 2, 15_000)).toEqual({ projected: true });
    expect((await new BalanceQueries(database.pool).member('ada')).earned).toBe(123n);
    supervisor.mockRestore();
  });

  it('applies nothing under an epoch that is no longer its own', async () => {
    const runner = newRunner([balances]);
    await runner.start();
    await journal.execute({ type: 'GrantNova', userId: 'ada', adminId: 'admin', amount: 100n });
    await runner.waitFor(['balances'], 0, 10_000);
    // Of a newer version, so that it stays with its new owner however long this takes.
    await database.pool.query(
      `update read.checkpoint set owner = 'another', epoch = epoch + 1, version = version + 1, lease_until = '-infinity'`,
    );
    await journal.execute({ type: 'GrantNova', userId: 'ada', adminId: 'admin', amount: 20n });
    expect(await runner.waitFor(['balances'], 1, 1_500)).toEqual({ projected: false });
    expect((await new BalanceQueries(database.pool).member('ada')).earned).toBe(100n);
    expect((await runner.status())[0]?.state).toBe('standby');
  });

  it('takes over a lease that ends later than any does: the clock was set back since', async () => {
    await newRunner([balances]).start();
    await database.pool.query(
      `update read.checkpoint set owner = 'killed', epoch = epoch + 1, lease_until = clock_timestamp() + interval '1 hour'`,
    );
    await journal.execute({ type: 'GrantNova', userId: 'ada', adminId: 'admin', amount: 100n });
    const successor = newRunner([balances]);
    await successor.start();
    expect(await successor.waitFor(['balances'], 0, 15_000)).toEqual({ projected: true });
  });

  it.each([
    ['the next event', { isBusy: true }],
    ['nothing but time', { isBusy: false }],
  ])('applies again, with %s, the batches that a crash of Postgres took back', async (_, { isBusy }) => {
    const runner = newRunner();
    await runner.start();
    const next = randomCommands(9);
    for (let round = 0; round < 50; round++) await journal.execute(next());
    expect(await runner.waitFor(NAMES, journal.state.revision, 10_000)).toEqual({ projected: true });
    const { rows } = await database.pool.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'read'`,
    );
    const tables = rows.map(({ name }) => name);
    await database.pool.query(
      `create schema kept; ${tables.map((name) => `create table kept.${name} as table read.${name}`).join('; ')}`,
    );
    for (let round = 0; round < 50; round++) await journal.execute(next());
    expect(await runner.waitFor(NAMES, journal.state.revision, 10_000)).toEqual({ projected: true });

    // Batches do not wait for the disk: after a crash, rows and checkpoints are those of some batches ago.
    const restored = tables.map((name) => `delete from read.${name}; insert into read.${name} table kept.${name}`);
    await database.pool.query(`begin; ${restored.join('; ')}; commit`);
    if (isBusy) await journal.execute(next(), { type: 'GrantNova', userId: 'ada', adminId: 'admin', amount: 1n });
    const { revision } = journal.state;
    const isBehind = async () => (await runner.status()).some((model) => model.revision < revision);
    for (let waitedMs = 0; (await isBehind()) && waitedMs < 10_000; waitedMs += 100) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await isBehind()).toBe(false);
    expect(await differing()).toEqual([]);
  });

  it('counts each event once when batches fail half-way', async () => {
    let calls = 0;
    const torn = flushing(statement, async (flush) => {
      calls += 1;
      if (calls % 5 === 3) throw new Error('torn before anything was sent');
      await flush();
      if (calls % 5 === 1) throw new Error('torn after the commit was sent');
    });
    const runner = newRunner([balances, torn]);
    await runner.start();
    const next = randomCommands(3);
    for (let round = 0; round < 9; round++) {
      await journal.execute(next(), next(), next(), { type: 'GrantNova', userId: 'ada', adminId: 'admin', amount: 1n });
      const { revision } = journal.state;
      expect(await runner.waitFor(['balances', 'statements'], revision, 10_000)).toEqual({ projected: true });
    }
    // Nine batches took effect, some only when retried, some without an answer.
    expect(calls).toBeGreaterThanOrEqual(10);
    expect(await differing([balances, statement])).toEqual([]);
  });

  it('goes on with the other read models while one fails', async () => {
    const broken: ReadModel = {
      ...gifts,
      createApplier: () => ({ apply: () => Promise.reject(new Error('broken')), flush: () => Promise.resolve() }),
    };
    const runner = newRunner([balances, broken]);
    await runner.start();
    for (let count = 0; count < 20; count++) {
      await journal.execute({ type: 'GrantNova', userId: 'ada', adminId: 'admin', amount: 1n });
    }
    expect(await runner.waitFor(['balances'], 19, 10_000)).toEqual({ projected: true });
    expect(await runner.waitFor(['sent_gifts'], 0, 200)).toEqual({ projected: false });
    expect((await runner.status()).find(({ name }) => name === 'sent_gifts')).toMatchObject({
      state: 'failing',
      error: 'broken',
      revision: -1,
    });
  });

  it('says of none that it fails because it shared a batch with one that does', async () => {
    let fails = true;
    const torn = flushing(follows, (flush) => (fails ? Promise.reject(new Error('torn')) : flush()));
    const runner = newRunner([balances, torn]);
    await runner.start();
    const data = encodeMemberEvent({ type: 'MemberFollowed', memberId: 'ada', otherId: 'ben', at: journal.now });
    const followed = { id: randomUUID(), type: 'MemberFollowed', data, metadata: '{}' };
    await store.append(memberStream('ada'), [followed], 'none');
    const seen = new Set<string>();
    for (const deadline = Date.now() + 10_000; Date.now() < deadline && !seen.has('follows failing');) {
      for (const { name, state } of await runner.status()) seen.add(`${name} ${state}`);
    }
    expect([...seen].filter((state) => state !== 'follows live')).toEqual(['balances live', 'follows failing']);
    fails = false;
    await untilStates(runner, { balances: 'live', follows: 'live' });
    expect(await differing([balances, follows])).toEqual([]);
  });

  it('is well again where what failed had taken effect', async () => {
    let isTorn = false;
    const torn = flushing(balances, async (flush) => {
      await flush();
      if (isTorn) return;
      isTorn = true;
      throw new Error('torn after the commit was sent');
    });
    const runner = newRunner([torn]);
    await runner.start();
    await journal.execute({ type: 'GrantNova', userId: 'ada', adminId: 'admin', amount: 1n });
    expect(await runner.waitFor(['balances'], 0, 10_000)).toEqual({ projected: true });
    await untilStates(runner, { balances: 'live' });
    expect(errors).toHaveLength(1);
  });

  it('holds nobody up with what no answer waits for, and brings that after', async () => {
    const gate = gated(entries);
    const runner = newRunner([balances, gate.model]);
    await runner.start();
    gate.hold();
    const grantOne = () => journal.execute({ type: 'GrantNova', userId: 'ada', adminId: 'admin', amount: 1n });
    for (let count = 0; count < 20; count++) {
      await grantOne();
      expect(await runner.waitFor(['balances'], count, 10_000)).toEqual({ projected: true });
    }
    await gate.reached();
    expect(await runner.waitFor(['ledger_entries'], 19, 100)).toEqual({ projected: false });
    gate.release();
    expect(await runner.waitFor(['ledger_entries'], 19, 10_000)).toEqual({ projected: true });
    expect(await differing([balances, entries])).toEqual([]);
  });

  it('goes on with what answers wait for while the rest fails, and makes up for it', async () => {
    let fails = true;
    const torn = flushing(entries, (flush) => (fails ? Promise.reject(new Error('torn')) : flush()));
    const runner = newRunner([balances, torn]);
    await runner.start();
    for (let count = 0; count < 20; count++) {
      await journal.execute({ type: 'GrantNova', userId: 'ada', adminId: 'admin', amount: 1n });
    }
    expect(await runner.waitFor(['balances'], 19, 10_000)).toEqual({ projected: true });
    await untilStates(runner, { balances: 'live', ledger_entries: 'failing' });
    fails = false;
    expect(await runner.waitFor(['ledger_entries'], 19, 10_000)).toEqual({ projected: true });
    expect(await differing([balances, entries])).toEqual([]);
  });

  it('answers a wait when the time is up, and at once when there is nothing to wait for', async () => {
    const runner = newRunner();
    await runner.start();
    await journal.execute({ type: 'GrantNova', userId: 'ada', adminId: 'admin', amount: 1n });
    expect(await runner.waitFor(NAMES, 0, 10_000)).toEqual({ projected: true });
    expect(await runner.waitFor(NAMES, 0, 0)).toEqual({ projected: true });
    const began = Date.now();
    expect(await runner.waitFor(NAMES, 1, 150)).toEqual({ projected: false });
    expect(Date.now() - began).toBeGreaterThanOrEqual(140);
  });

  it('rebuilds beside and swaps while events keep coming', async () => {
    const runner = newRunner();
    await runner.start();
    const next = randomCommands(4);
    for (let round = 0; round < 300; round++) await journal.execute(next());
    await runner.waitFor(NAMES, journal.state.revision, 10_000);
    const load = { goesOn: true };
    const writer = (async () => {
      while (load.goesOn) {
        await journal.execute(next());
        await sleep(2);
      }
    })();
    const reader = (async () => {
      const queries = new StatementQueries(database.pool);
      while (load.goesOn) {
        const { lines } = await queries.page({ userId: 'member-1', limit: 5 });
        expect(lines.length).toBe(5);
      }
    })();
    const outcomes = await runner.rebuild(NAMES);
    load.goesOn = false;
    await Promise.all([writer, reader]);
    expect(outcomes.map(({ name, matched }) => [name, matched])).toEqual(NAMES.map((name) => [name, true]));
    expect(await runner.waitFor(NAMES, journal.state.revision, 10_000)).toEqual({ projected: true });
    expect(await differing()).toEqual([]);
    const schemas = await database.pool.query(`select 1 from pg_namespace where nspname like 'read\\_%'`);
    expect(schemas.rowCount).toBe(0);
  });

  it('rebuilds a read model of an older version at start, and reports live rows that are wrong', async () => {
    const first = newRunner();
    await first.start();
    const next = randomCommands(5);
    for (let round = 0; round < 200; round++) await journal.execute(next());
    await first.waitFor(NAMES, journal.state.revision, 10_000);
    await database.pool.query(`update read.member_balance set earned = earned + 1 where user_id = 'member-1'`);
    expect(await differing()).toEqual(['balances']);
    const [outcome] = await first.rebuild(['balances'], { onDifference: 'replace' });
    expect(outcome?.matched).toBe(false);
    expect(outcome?.tables.filter(({ matched }) => !matched).map(({ table }) => table)).toEqual(['member_balance']);
    expect(await differing()).toEqual([]);
    await first.stop();

    const newer: ReadModel = {
      ...gifts,
      version: gifts.version + 1,
      ddl: gifts.ddl.replace('client_id text', 'note text, client_id text'),
    };
    const second = newRunner(readModels.map((model) => (model === gifts ? newer : model)));
    await second.start();
    await journal.execute({ type: 'GrantNova', userId: 'ada', adminId: 'admin', amount: 1n });
    const { revision } = journal.state;
    expect(await second.waitFor(NAMES, revision, 20_000)).toEqual({ projected: true });
    const columns = await database.pool.query(
      `select version from read.checkpoint join information_schema.columns on table_schema = 'read'
       and table_name = 'sent_gift' and column_name = 'note' where name = 'sent_gifts'`,
    );
    expect(columns.rows).toEqual([{ version: gifts.version + 1 }]);
  });

  it('recomputes keys with the index that no key passes twice', async () => {
    const runner = newRunner([keyIndex]);
    await runner.start();
    await database.pool.query('alter table read.ledger_key drop constraint ledger_key_pkey');
    await journal.execute({ type: 'GrantNova', userId: 'ada', adminId: 'root', amount: 1n });
    const granted = (await store.head('ledger'))!;
    await store.append('ledger', [{ ...granted, id: randomUUID() }], 0);
    expect(await runner.waitFor(['key_index'], 1, 20_000)).toEqual({ projected: true });
    const options = { store, connectionString: database.url, models: [keyIndex] };
    expect(await recomputeReadModels(options)).toMatchObject([
      { matched: true, breach: expect.stringContaining('took effect twice') },
    ]);
  });

  it('takes a read model that is no more out of the database', async () => {
    await database.pool.query(`
      create table read.chat_messages (message_id text);
      insert into read.checkpoint (name, version, position, revision, tables) values ('chat_messages', 1, 7, 7, '{chat_messages}');
      insert into read.rebuild (name) values ('chat_messages')`);
    await database.pool.query(projectionMigrations.at(-1)?.sql ?? '');
    const { rows } = await database.pool.query(
      `select to_regclass('read.chat_messages') as rows, (select count(*)::int from read.checkpoint) as checkpoints,
         (select count(*)::int from read.rebuild) as rebuilds`,
    );
    expect(rows).toEqual([{ rows: null, checkpoints: 0, rebuilds: 0 }]);
  });

  it('answers from gifts, keys and totals what the ledger has', async () => {
    const runner = newRunner();
    await runner.start();
    const next = randomCommands(6);
    const events: LedgerEvent[] = [];
    for (let round = 0; round < 600; round++) events.push(...(await journal.execute(next())));
    await runner.waitFor(NAMES, journal.state.revision, 10_000);

    const given = events.filter((event) => event.type === 'GiftSent');
    const mine = given.filter(({ senderId, recipientId }) => [senderId, recipientId].includes('member-2'));
    const queries = new GiftQueries(database.pool);
    const seen: bigint[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<GiftQueries['history']>> = await queries.history({
        userId: 'member-2',
        limit: 3,
        ...(cursor !== null && { cursor }),
      });
      seen.push(...page.gifts.map(({ amount }) => amount));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(mine.length).toBeGreaterThan(3);
    expect(seen).toEqual(mine.map(({ amount }) => amount).toReversed());
    const sent = mine.filter(({ senderId }) => senderId === 'member-2');
    const received = mine.filter(({ recipientId }) => recipientId === 'member-2');
    expect(await queries.summary('member-2')).toEqual({
      sentCount: sent.length,
      receivedCount: received.length,
      totalSent: sent.reduce((sum, { amount }) => sum + amount, 0n),
      totalReceived: received.reduce((sum, { recipientShare }) => sum + recipientShare, 0n),
    });
    await expect(queries.history({ userId: 'member-2', limit: 3, cursor: '1; drop' })).rejects.toThrow(InvalidCursor);

    const keyed = events.findIndex(({ key }) => key !== undefined);
    const { hash, fingerprint } = events[keyed]!.key!;
    const found = await new KeyIndexQueries(database.pool).find([hash, 'ff'.repeat(16)]);
    expect(found).toEqual({
      through: journal.state.revision,
      found: new Map([[hash, { fingerprint, revision: keyed }]]),
    });

    const sums = new TotalQueries(database.pool);
    const kinds = new Map<string, bigint>();
    let circulating = 0n;
    for (const [account, currency, balance] of journal.state.accounts()) {
      const kind = `${accountKind(account)} ${currency}`;
      kinds.set(kind, (kinds.get(kind) ?? 0n) + balance);
      if (currency === 'NOVA' && /^(user|app|chat|pool):/.test(account)) circulating += balance;
    }
    const totals = await database.pool.query<{ name: string; total: string }>(
      `select kind || ' ' || currency as name, total from read.account_kind_total`,
    );
    const stored = new Map(totals.rows.map(({ name, total }) => [name, BigInt(total)]));
    for (const [kind, total] of kinds) expect([kind, stored.get(kind) ?? 0n]).toEqual([kind, total]);
    expect(await sums.novaInCirculation()).toBe(circulating);
    expect((await sums.eventCounts()).get('GiftSent')).toBe(given.length);
    const accounts = await database.pool.query<{ account: string; balance: string }>(
      'select * from read.account_balance',
    );
    const standing = new Map(accounts.rows.map(({ account, balance }) => [account, BigInt(balance)]));
    expect(standing.get('treasury')).toBe(journal.state.platformBalance('treasury'));
    for (const [account, balance] of standing) if (account.startsWith('chat:')) expect(balance).toBeGreaterThan(0n);
  });

  it('lists, counts, searches and streams statements by every filter', async () => {
    const runner = newRunner();
    await runner.start();
    await database.pool.query(
      `create table people (id bytea, name text); insert into people values ('member-3', 'Ada')`,
    );
    const next = randomCommands(7);
    const times: number[] = [];
    for (let round = 0; round < 600; round++) {
      if ((await journal.execute(next())).length > 0) times.push(journal.now);
      journal.now += 300;
    }
    await runner.waitFor(NAMES, journal.state.revision, 10_000);
    const queries = new StatementQueries(database.pool, {
      memberSearch: ([text]) => `select id from people where name ilike '%' || ${text} || '%'`,
      partySearch: ([text]) => `r.counterparty_id in (select id from people where name ilike '%' || ${text} || '%')`,
    });
    const whole = (await queries.list({}, { page: 1, limit: 1 })).total;
    const all: readonly StatementRow[] = (await queries.list({}, { page: 1, limit: whole })).rows;
    expect(all).toHaveLength(whole);
    const from = new Date(times[100]!);
    const before = new Date(times[300]!);
    const filters: [StatementFilter, (row: StatementRow) => boolean][] = [
      [{ types: ['gift_send', 'gift_receive'] }, ({ type }) => type === 'gift_send' || type === 'gift_receive'],
      [{ userIds: ['member-1', 'member-2'] }, ({ userId }) => userId === 'member-1' || userId === 'member-2'],
      [{ search: ['ad'] }, ({ userId }) => userId === 'member-3'],
      [{ from }, ({ createdAt }) => createdAt >= from],
      [{ before }, ({ createdAt }) => createdAt < before],
      [
        { from, before, types: ['purchase'] },
        (row) => row.type === 'purchase' && row.createdAt >= from && row.createdAt < before,
      ],
      [{ direction: 'in' }, ({ amount }) => amount > 0n],
      [
        { about: { types: ['purchase'], texts: ['ad'] } },
        ({ type, counterpartyId }) => type === 'purchase' || counterpartyId === 'member-3',
      ],
      [{ userIds: [] }, () => false],
    ];
    for (const [filter, matches] of filters) {
      const expected = all.filter(matches).map(({ id }) => id);
      const { rows, total } = await queries.list(filter, { page: 2, limit: 4 });
      expect(total).toBe(expected.length);
      expect(rows.map(({ id }) => id)).toEqual(expected.slice(4, 8));
      let text = '';
      for await (const batch of queries.text(filter, { line: "r.revision || '-' || r.idx || ' '", joins: '' }))
        text += batch;
      expect(text).toBe(expected.map((id) => `${id} `).join(''));
    }
    const mine = all.filter(({ userId }) => userId === 'member-1');
    const got = mine.filter(({ amount }) => amount > 0n);
    const byDay: StatementType[] = ['card_upvote_send', 'card_upvote_receive', 'influence_reward'];
    const sumOf = (rows: readonly StatementRow[]) => rows.reduce((sum, { amount }) => sum + amount, 0n);
    expect(await queries.totals('member-1')).toEqual({
      count: mine.length,
      in: sumOf(got),
      out: sumOf(got) - sumOf(mine),
    });
    for (const filter of [{}, { from, before }, { about: { types: byDay, texts: ['ad'] } }] as const) {
      const { count, ...totals } = await queries.totals('member-1', filter);
      const lines: StatementLine[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: StatementPage = await queries.page({
          userId: 'member-1',
          limit: 3,
          byDay,
          filter,
          ...(cursor && { cursor }),
        });
        lines.push(...page.lines);
        cursor = page.nextCursor;
      }
      expect(lines.length).toBeLessThan(count);
      expect(lines.reduce((sum, line) => sum + line.count, 0)).toBe(count);
      expect(lines.reduce((sum, { amount }) => sum + amount, 0n)).toBe(totals.in - totals.out);
      const days = lines
        .filter(({ row }) => byDay.includes(row.type))
        .map(({ row: { type, createdAt } }) => `${type} ${createdAt.toISOString().slice(0, 10)}`);
      expect(new Set(days).size).toBe(days.length);
    }
    const [row] = all;
    expect(await queries.row(row!.id, row!.userId)).toEqual(row);
    expect(await queries.row(row!.id, 'nobody')).toBeUndefined();
    expect(await queries.row('no-such-row')).toBeUndefined();
    await expect(queries.page({ userId: 'member-1', limit: 3, cursor: 'x' })).rejects.toThrow(InvalidCursor);
  });

  const differing = async (models = readModels): Promise<string[]> =>
    (await recomputeReadModels({ store, connectionString: database.url, models }))
      .filter(({ matched }) => !matched)
      .map(({ name }) => name);
});

async function untilStates(
  runner: ProjectionRunner,
  expected: Record<string, ReadModelStatus['state']>,
): Promise<void> {
  const states = async () => Object.fromEntries((await runner.status()).map(({ name, state }) => [name, state]));
  const isReached = async () => JSON.stringify(await states()) === JSON.stringify(expected);
  for (const deadline = Date.now() + 10_000; Date.now() < deadline && !(await isReached());) await sleep(20);
  expect(await states()).toEqual(expected);
}

/** A read model whose flushes the test controls. */
function flushing(model: ReadModel, each: (flush: () => Promise<void>) => Promise<void>): ReadModel {
  const createApplier: ReadModel['createApplier'] = (options) => {
    const applier = model.createApplier(options);
    return {
      apply: (client, events) => applier.apply(client, events),
      flush: (client) => each(() => applier.flush(client)),
    };
  };
  return { ...model, createApplier };
}

/** A read model whose next batch stops inside its transaction until it is released. */
function gated(model: ReadModel): {
  readonly model: ReadModel;
  hold(): void;
  release(): void;
  reached(): Promise<void>;
} {
  let held: Promise<void> | undefined;
  let release: (() => void) | undefined;
  let arrive: (() => void) | undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  return {
    model: {
      ...model,
      createApplier: (options) => {
        const applier = model.createApplier(options);
        return {
          apply: (client, events) => applier.apply(client, events),
          flush: async (client) => {
            await applier.flush(client);
            if (!held) return;
            arrive?.();
            await held;
          },
        };
      },
    },
    hold: () => {
      held = new Promise((resolve) => (release = resolve));
    },
    release: () => {
      held = undefined;
      release?.();
    },
    reached: () => arrived,
  };
}
