import { accountKind, accountOwner, CURRENCIES, type Currency, type LedgerState } from '@app/domain';
import { MemoryEventStore } from '@app/event-store';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recomputeReadModels } from '../rebuild/recompute.js';
import { ProjectionRunner } from '../runner/projection-runner.js';
import { projectionMigrations } from '../schema.js';
import { InvalidCursor } from '../invalid-cursor.js';
import { randomCommands } from '../testing/random-commands.js';
import { TestJournal } from '../testing/test-journal.js';
import { BLOCK_REVISIONS, entries } from './entries.js';
import { EntryQueries, type EntryRow, type LedgerAccount } from './entry-queries.js';

jest.setTimeout(60_000);

/** How many entries a reader of all entries gets at once. */
const BATCH_ROWS = 1_000;

/** The journal's own state at one revision. */
interface Moment {
  readonly revision: number;
  readonly balances: ReadonlyMap<string, bigint>;
}

const accountsOf = (state: LedgerState): Map<string, bigint> => {
  const balances = new Map<string, bigint>();
  for (const [account, currency, balance] of state.accounts()) {
    if (balance !== 0n) balances.set(`${account} ${currency}`, balance);
  }
  return balances;
};

const kindTotals = (balances: ReadonlyMap<string, bigint>): Record<string, bigint> => {
  const totals: Record<string, bigint> = {};
  for (const [name, balance] of balances) {
    const [account = '', currency = ''] = name.split(' ');
    const key = `${accountKind(account)} ${currency}`;
    totals[key] = (totals[key] ?? 0n) + balance;
  }
  return Object.fromEntries(Object.entries(totals).filter(([, total]) => total !== 0n));
};

const ledgerAccount = (name: string): LedgerAccount => ({ kind: accountKind(name), owner: accountOwner(name) });

describe('entries', () => {
  let database: TestDatabase;
  let runner: ProjectionRunner;
  let store: MemoryEventStore;
  let queries: EntryQueries;
  const moments: Moment[] = [];

  beforeAll(async () => {
    database = await createTestDatabase('entries');
    for (const { sql } of projectionMigrations) await database.pool.query(sql);
    store = new MemoryEventStore();
    const journal = new TestJournal(store);
    const next = randomCommands(11);
    // Blocks end in the middle of the history, so the test asks for revisions before, in and after one.
    for (let round = 0; journal.state.revision < 2_000; round++) {
      const made = await journal.execute(next());
      if (made.length > 0 && round % 61 === 0) {
        moments.push({ revision: journal.state.revision, balances: accountsOf(journal.state) });
      }
    }
    moments.push({ revision: journal.state.revision, balances: accountsOf(journal.state) });
    runner = new ProjectionRunner({ store, connectionString: database.url, models: [entries] });
    await runner.start();
    await runner.waitFor(['ledger_entries'], journal.state.revision, 20_000);
    queries = new EntryQueries(database.pool);
  });

  afterAll(async () => {
    await runner.stop();
    await store.close();
    await database.drop();
  });

  const last = () => moments.at(-1) ?? { revision: -1, balances: new Map<string, bigint>() };

  it('gives at every moment the trial balance that the journal gives', async () => {
    expect(await queries.reached()).toBe(last().revision);
    for (const { revision, balances } of moments) {
      const totals = await queries.totalsAt(revision);
      expect(Object.fromEntries(totals.map(({ kind, currency, balance }) => [`${kind} ${currency}`, balance]))).toEqual(
        kindTotals(balances),
      );
      for (const currency of CURRENCIES) {
        const own = totals.filter((line) => line.currency === currency);
        expect(own.reduce((sum, { balance }) => sum + balance, 0n)).toBe(0n);
      }
    }
    expect(await queries.totalsAt(-1)).toEqual([]);
  });

  it('gives at every moment the balance of every account, and lists those that are not at zero', async () => {
    const everyName = [...new Set(moments.flatMap(({ balances }) => [...balances.keys()]))];
    for (const { revision, balances } of moments.filter((_, index) => index % 3 === 0)) {
      const found = await queries.balancesAt(
        everyName.map((name) => ({ ...ledgerAccount(name.split(' ')[0] ?? ''), revision })),
      );
      expect(found).toEqual(everyName.map((name) => balances.get(name) ?? 0n));
      const listed = new Map<string, bigint>();
      for (const kind of new Set(everyName.map((name) => accountKind(name.split(' ')[0] ?? '')))) {
        let after: string | undefined;
        for (;;) {
          const page = await queries.accountsOf(kind, { revision, ...(after !== undefined && { after }), limit: 3 });
          for (const { account, currency, balance } of page) listed.set(`${account} ${currency}`, balance);
          if (page.length < 3) break;
          after = page.at(-1)?.owner;
        }
      }
      expect(listed).toEqual(balances);
    }
  });

  it('pages through the entries of a member, newest first, each balance being what the journal had by then', async () => {
    const accounts = (['user:purchased', 'user:earned', 'user:karma'] as const).map((kind) => ({
      kind,
      owner: 'member-1',
    }));
    const range = { first: 100, last: last().revision };
    const rows: EntryRow[] = [];
    let cursor: string | undefined;
    do {
      const page = await queries.page(accounts, { ...range, cursor, limit: 7 });
      expect(page.entries.length).toBeLessThanOrEqual(7);
      rows.push(...page.entries);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.map(({ revision }) => revision)).toEqual(
      rows.map(({ revision }) => revision).toSorted((a, b) => b - a),
    );
    const streamed: EntryRow[] = [];
    for await (const batch of queries.stream(accounts, range)) streamed.push(...batch);
    expect(streamed.toReversed()).toEqual(rows);
    const asked = rows.map(({ kind, owner, revision }) => ({ kind, owner, revision }));
    expect(await queries.balancesAt(asked)).toEqual(rows.map(({ balance }) => balance));
    const turnover = await queries.turnover(accounts, range);
    for (const [index, { kind }] of accounts.entries()) {
      const own = rows.filter((row) => row.kind === kind).map(({ delta }) => delta);
      const sum = (deltas: readonly bigint[]) => deltas.reduce((total, delta) => total + delta, 0n);
      expect(turnover[index]).toEqual({
        in: sum(own.filter((delta) => delta > 0n)),
        out: sum(own.filter((delta) => delta < 0n)),
      });
    }
  });

  it('loses and repeats nothing where a page or a batch ends between two entries of one event', async () => {
    const firstOfKind = new Map<string, LedgerAccount>();
    for (const name of [...last().balances.keys()].map((key) => key.split(' ')[0] ?? '')) {
      if (!firstOfKind.has(accountKind(name))) firstOfKind.set(accountKind(name), ledgerAccount(name));
    }
    const accounts = [...firstOfKind.values()];
    const whole = { first: 0, last: last().revision };
    const { entries: all } = await queries.page(accounts, { ...whole, limit: 100_000 });
    const oldestFirst = all.toReversed();
    const isCut = (index: number): boolean => oldestFirst[index]?.revision === oldestFirst[index - 1]?.revision;
    const start = oldestFirst.findIndex((_, index) => !isCut(index) && isCut(index + BATCH_ROWS));
    expect(start).toBeGreaterThanOrEqual(0);
    const range = { ...whole, first: oldestFirst[start]?.revision ?? 0 };
    const streamed: EntryRow[] = [];
    for await (const batch of queries.stream(accounts, range)) streamed.push(...batch);
    expect(streamed).toEqual(oldestFirst.slice(start));
    const newest = { first: oldestFirst.at(-50)?.revision ?? 0, last: whole.last };
    const paged: EntryRow[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await queries.page(accounts, { ...newest, cursor, limit: 1 });
      paged.push(...page.entries);
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(all.filter(({ revision }) => revision >= newest.first));
  });

  it('has nothing of an account that never was, and refuses a cursor that was not given out', async () => {
    const nobody = [{ kind: 'user:earned', owner: 'nobody' }] as const;
    const range = { first: 0, last: last().revision };
    expect(await queries.page(nobody, { ...range, limit: 5 })).toEqual({ entries: [], nextCursor: null });
    expect(await queries.turnover(nobody, range)).toEqual([{ in: 0n, out: 0n }]);
    await expect(queries.page(nobody, { ...range, limit: 5, cursor: '1-a' })).rejects.toThrow(InvalidCursor);
  });

  it('sums full blocks and the entries since, whatever blocks hold', async () => {
    const currency: Currency = 'NOVA';
    const total = async (revision: number) =>
      (await queries.totalsAt(revision)).find(({ kind }) => kind === 'treasury')?.balance ?? 0n;
    const early = moments[2] ?? last();
    const before = await total(early.revision);
    expect(before).toBe(early.balances.get(`treasury ${currency}`) ?? 0n);
    // The same history moved by one block: only the blocks know what happened in the first one.
    await database.pool.query(`create table moved as select * from read.ledger_entry`);
    await database.pool.query(`update moved set revision = revision + ${BLOCK_REVISIONS}`);
    await database.pool.query(`insert into read.ledger_entry select * from moved`);
    const shifted = early.revision + BLOCK_REVISIONS;
    expect(await total(shifted)).toBe((last().balances.get('treasury NOVA') ?? 0n) + before);
    const treasury = { kind: 'treasury', owner: '', revision: shifted } as const;
    expect(await queries.balancesAt([treasury])).toEqual([await total(shifted)]);
    await database.pool.query(`delete from read.ledger_entry where revision >= ${BLOCK_REVISIONS}`);
  });

  it('is made again from the journal, row by row the same', async () => {
    const [outcome] = await recomputeReadModels({ store, connectionString: database.url, models: [entries] });
    expect(outcome).toMatchObject({ name: 'ledger_entries', revision: last().revision, matched: true });
    expect(outcome?.tables.map(({ live }) => live.rows > 0)).toEqual([true, true]);
  });
});
