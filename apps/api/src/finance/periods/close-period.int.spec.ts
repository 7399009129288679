import { generateKeyPairSync } from 'node:crypto';
import { LEDGER_STREAM, type LedgerEvent, PERIODS_STREAM } from '@app/domain';
import { PostgresEventStore } from '@app/event-store';
import {
  chainHash,
  eventIdOf,
  hashOf,
  type JournalClock,
  journalEventOf,
  JournalSigner,
  JournalStopped,
  LedgerWriter,
  SignedStore,
  StoredLedger,
  VerifiedLedger,
} from '@app/ledger';
import { KeyIndexQueries, projectionMigrations } from '@app/projections';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/postgres.js';
import { StreamMetadata } from '../../platform/journal/stream-metadata.js';
import { replay } from '../replay.js';
import { closePeriod, type PeriodBooks } from './close-period.js';
import { periodsMigrations } from './migrations.js';
import { PeriodAudit } from './period-audit.js';
import { PeriodBlocks } from './period-blocks.js';
import { SealedPeriods } from './sealed-periods.js';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);

/** A clock that stands where it is put. */
class SetClock implements JournalClock {
  readonly ready = true;
  constructor(public time: number) {}
  now = (): number => this.time;
}

describe('closing a period', () => {
  let database: TestDatabase;
  let store: PostgresEventStore;
  const servers: { writer: LedgerWriter; clock: SetClock; books: PeriodBooks }[] = [];

  beforeEach(async () => {
    database = await createTestDatabase('periods');
    for (const { sql } of [...projectionMigrations, ...periodsMigrations]) await database.pool.query(sql);
    store = await PostgresEventStore.open({ connectionString: database.url });
  });
  afterEach(async () => {
    for (const { writer } of servers.splice(0)) await writer.stop();
    await store.close();
    await database.drop();
  });

  async function server(time: number) {
    const clock = new SetClock(time);
    const writer = new LedgerWriter({ store, clock, keyIndex: new KeyIndexQueries(database.pool) });
    await writer.start();
    const periods = new SealedPeriods(store);
    const blocks = new PeriodBlocks(database.pool, store);
    const books = {
      store,
      events: new StoredLedger(store),
      ledger: writer,
      clock,
      periods,
      blocks,
      metadata: new StreamMetadata(2),
    };
    servers.push({ writer, clock, books });
    return { writer, clock, books };
  }
  const grant = (writer: LedgerWriter, userId = 'ann', amount = 100n) =>
    writer.execute({ command: { type: 'GrantNova', userId, adminId: 'root', amount }, actor: 'admin:root' });
  const close = (books: PeriodBooks, endsAt: number) =>
    closePeriod(books, { endsAt, adminId: null, by: { actor: 'process' } });
  const journal = async (): Promise<LedgerEvent[]> => {
    const events: LedgerEvent[] = [];
    for await (const batch of store.readStream(LEDGER_STREAM)) {
      events.push(...batch.map((recorded) => journalEventOf(recorded).event));
    }
    return events;
  };
  const audit = async (): Promise<readonly string[]> => {
    const checker = new PeriodAudit(await new SealedPeriods(store).all());
    await replay(store, { onEvent: (event, head) => checker.see(event, head) });
    return checker.end();
  };

  it('seals what happened, and what follows is never dated inside, whatever the clocks of the servers say', async () => {
    const one = await server(START + 1_000);
    const other = await server(START + 1_000);
    for (let n = 0; n < 5; n++) await grant(one.writer);
    one.clock.time = START + 2 * DAY;
    const endsAt = START + DAY - 1;
    const period = await close(one.books, endsAt);
    expect(period).toMatchObject({ number: 1, firstRevision: 0, lastRevision: 4, endsAt });
    expect(period.totals).toBe('user:earned NOVA 500\nissuance NOVA -500');
    // Both clocks jump back into the period that is closed; the second server has not even read the journal since.
    one.clock.time = START + 5_000;
    other.clock.time = START - DAY;
    await Promise.all([grant(one.writer), grant(other.writer), grant(one.writer), grant(other.writer)]);
    const later = (await journal()).slice(period.lastRevision + 1);
    expect(later.map(({ type }) => type)).toEqual(['PeriodClosed', ...Array.from({ length: 4 }, () => 'NovaGranted')]);
    for (const { at } of later) expect(at).toBeGreaterThan(endsAt);
    expect(await audit()).toEqual([]);
  });

  it('needs no event of its own where the journal has passed the moment already', async () => {
    const { writer, clock, books } = await server(START);
    await grant(writer);
    clock.time = START + DAY;
    await grant(writer);
    expect(await close(books, START + DAY - 1)).toMatchObject({ firstRevision: 0, lastRevision: 0 });
    expect((await journal()).map(({ type }) => type)).toEqual(['NovaGranted', 'NovaGranted']);
    clock.time = START + 3 * DAY;
    expect(await close(books, START + 2 * DAY)).toMatchObject({ number: 2, firstRevision: 1, lastRevision: 1 });
    expect(await audit()).toEqual([]);
  });

  it('does not take an event that nobody signed for the end of a period', async () => {
    const signer = new JournalSigner(generateKeyPairSync('ed25519').privateKey);
    const { publicKey } = signer;
    const { clock, books } = await server(START);
    const more = { envelope: 2, signerFor: () => signer } as const;
    const writer = new LedgerWriter({ store, clock, keyIndex: new KeyIndexQueries(database.pool), ...more });
    await writer.start();
    const command = { type: 'BeginSigning', journal: 'a'.repeat(32), publicKey } as const;
    await writer.execute({ command, actor: 'terminal' });
    clock.time = START + DAY;
    const last = await store.head(LEDGER_STREAM);
    const { type, data } = { type: 'SigningBegan', data: last?.data.replace(String(START), String(clock.time)) ?? '' };
    const hash = chainHash(hashOf(last?.metadata ?? ''), 1, type, data);
    await store.append(LEDGER_STREAM, [{ id: eventIdOf(hash, 1), type, data, metadata: `{"hash":"${hash}"}` }], 0);
    const signed = new SignedStore(store, { trust: [{ journal: command.journal, publicKey, from: 0 }] });
    const events = new VerifiedLedger(signed, () => ({ revision: 0, hash: hashOf(last?.metadata ?? '') }));
    const ours = { ...books, store: signed, events, ledger: writer };
    await expect(close(ours, START + 1)).rejects.toThrow(JournalStopped);
    expect(await books.periods.all()).toEqual([]);
    expect(await close({ ...ours, events: events.asStored }, START + 1)).toMatchObject({ number: 1, lastRevision: 0 });
    await writer.stop();
  });

  it('says who did it', async () => {
    const { writer, clock, books } = await server(START);
    await grant(writer);
    clock.time = START + DAY;
    const period = await closePeriod(books, { endsAt: START + 1, adminId: null, by: { actor: 'terminal' } });
    expect(await new SealedPeriods(store).all()).toEqual([period]);
    expect(period.actor).toBe('terminal');
  });

  it('is refused for what is not over, is closed, or is empty', async () => {
    const { writer, clock, books } = await server(START);
    await grant(writer);
    await expect(close(books, START - 1)).rejects.toMatchObject({
      code: 'PERIOD_EMPTY',
      message: `Up to ${new Date(START - 1).toISOString()} everything is closed already.`,
    });
    await expect(close(books, START)).rejects.toMatchObject({ code: 'PERIOD_NOT_OVER' });
    await expect(close(books, START + DAY)).rejects.toMatchObject({ code: 'PERIOD_NOT_OVER' });
    clock.time = START + 1;
    const first = await close(books, START);
    await expect(close(books, START - 1)).rejects.toMatchObject({ code: 'PERIOD_CLOSED' });
    expect(await close(books, START)).toEqual(first);
    // The mark that the first closing left is nothing that happened.
    clock.time = START + DAY;
    await expect(close(books, START + DAY - 1)).rejects.toMatchObject({ code: 'PERIOD_EMPTY' });
    expect(await store.head(PERIODS_STREAM)).toMatchObject({ revision: 0 });
  });

  it('happens once when several servers close at once, also up to different moments', async () => {
    const all = [await server(START), await server(START), await server(START)];
    for (const { writer } of all) await grant(writer);
    for (const { clock } of all) clock.time = START + DAY;
    const same = await Promise.all(all.map(({ books }) => close(books, START + 1_000)));
    expect(new Set(same.map(({ seal }) => seal)).size).toBe(1);
    for (const { writer } of all) await grant(writer);
    for (const { clock } of all) clock.time = START + 3 * DAY;
    const results = await Promise.allSettled(all.map(({ books }, n) => close(books, START + 2 * DAY + n)));
    const closed = results.filter(({ status }) => status === 'fulfilled');
    expect(closed.length).toBeGreaterThanOrEqual(1);
    expect(await audit()).toEqual([]);
  });

  it('is passed by the journal also where events are still dated inside while its end is looked for', async () => {
    const [one, slow] = [await server(START), await server(START)];
    await grant(one.writer);
    one.clock.time = START + DAY;
    slow.clock.time = START + 5_000;
    const reading = await PostgresEventStore.open({ connectionString: database.url });
    jest.spyOn(reading, 'head').mockImplementation(async (stream) => {
      const head = await store.head(stream);
      await grant(slow.writer);
      return head;
    });
    const endsAt = START + DAY - 1;
    const period = await close({ ...one.books, store: reading }, endsAt);
    await reading.close();
    await grant(slow.writer);
    const events = await journal();
    const isInside = ({ at }: LedgerEvent): boolean => at <= endsAt;
    expect(events.slice(0, period.lastRevision + 1).every(isInside)).toBe(true);
    expect(events.slice(period.lastRevision + 1).some(isInside)).toBe(false);
    expect(await audit()).toEqual([]);
  });

  it('follows a closing up to an earlier moment that was faster', async () => {
    const [one, other] = [await server(START), await server(START)];
    await grant(one.writer);
    one.clock.time = START + 1_000;
    await grant(one.writer);
    for (const { clock } of [one, other]) clock.time = START + DAY;
    const periods = new SealedPeriods(store);
    const append = periods.append.bind(periods);
    const overtaken: SealedPeriods['append'] = async (period, by) => {
      periods.append = append;
      await close(other.books, START + 10);
      await append(period, by);
    };
    const period = await close({ ...one.books, periods: Object.assign(periods, { append: overtaken }) }, START + 2_000);
    expect(period).toMatchObject({ number: 2, firstRevision: 1, lastRevision: 1, endsAt: START + 2_000 });
    expect(await audit()).toEqual([]);
  });

  it('is finished by the next attempt when the first ended between the mark and the seal', async () => {
    const { writer, clock, books } = await server(START);
    await grant(writer);
    clock.time = START + DAY;
    const broken = {
      ...books,
      periods: Object.assign(new SealedPeriods(store), { append: () => Promise.reject(new Error('killed')) }),
    };
    await expect(close(broken, START + 1)).rejects.toThrow('killed');
    expect(await close(books, START + 1)).toMatchObject({ number: 1, lastRevision: 0 });
    expect((await journal()).map(({ type }) => type)).toEqual(['NovaGranted', 'PeriodClosed']);
  });

  it('is noticed to be broken when anything of it is changed', async () => {
    const { writer, clock, books } = await server(START);
    for (let n = 0; n < 3; n++) await grant(writer);
    clock.time = START + DAY;
    const period = await close(books, START + 1);
    const found = async (change: object) => {
      const checker = new PeriodAudit([{ ...period, ...change }]);
      await replay(store, { onEvent: (event, head) => checker.see(event, head) });
      return checker.end();
    };
    const zeros = '0'.repeat(64);
    expect(await found({ chainHash: zeros })).toContain(
      'period 1 was sealed with another chain hash: it was rewritten since',
    );
    expect(await found({ root: zeros })).toContain('period 1 was sealed with another root: it was rewritten since');
    expect(await found({ totals: '' })).toContain('period 1 was sealed with another trial balance');
    expect(await found({ seal: zeros })).toEqual(['period 1 has a seal that does not fit what it says']);
    expect(await found({ number: 2 })).toContain('period 2 does not follow the period before it');
    expect(await found({ endsAt: START - 1 })).toContain('period 1 has revision 0, which is dated after its end');
    expect(await found({ lastRevision: 99 })).toContain(
      'period 1 was closed, and the journal ends before its last event',
    );
    expect(await found({ endsAt: START + 2 * DAY, lastRevision: 2 })).toContain(
      'revision 3 is dated inside period 1, which was closed before it',
    );
    await database.pool.query(`update journal.events set data = replace(data, '"100"', '"101"')
      where revision = 1 and stream = (select id from journal.streams where name = 'ledger')`);
    clock.time = START + 3 * DAY;
    const forged = { ...books, periods: Object.assign(new SealedPeriods(store), { all: () => Promise.resolve([]) }) };
    await expect(close(forged, START + 2)).rejects.toThrow(/does not fit its bytes/);
  });

  it('keeps the hashes of blocks, and makes them again where they are gone or wrong', async () => {
    const { writer, clock, books } = await server(START);
    await Promise.all(Array.from({ length: 300 }, () => grant(writer)));
    clock.time = START + DAY;
    const period = await close(books, START + 1);
    const kept = await books.blocks.of(period, undefined);
    expect(kept).toHaveLength(2);
    for (const spoil of ['delete from period_blocks', `update period_blocks set hashes = sha256('x')`]) {
      await database.pool.query(spoil);
      expect(await books.blocks.of(period, undefined)).toEqual(kept);
    }
  });
});
