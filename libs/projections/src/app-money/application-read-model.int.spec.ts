import { type LedgerCommand, type LedgerEvent, originalFacts } from '@app/domain';
import { MemoryEventStore } from '@app/event-store';
import { awayFromMidnight } from '../../../../test/support/midnight.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { readModels } from '../read-models.js';
import { recomputeReadModels } from '../rebuild/recompute.js';
import { ProjectionRunner } from '../runner/projection-runner.js';
import { projectionMigrations } from '../schema.js';
import { InvalidCursor } from '../invalid-cursor.js';
import { seededRandom } from '../testing/random-commands.js';
import { TestJournal } from '../testing/test-journal.js';
import { ApplicationQueries, standingKey, type AppMovementPage, type AppMovementRow } from './application-queries.js';

jest.setTimeout(100_000);

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MEMBERS = Array.from({ length: 5 }, (_, n) => `member-${n}`);
const APPS = ['app-0', 'app-1', 'app-2'].map((clientId, n) => ({ clientId, ownerId: `member-${n % 2}` }));
const MODELS = readModels.filter(({ name }) => ['applications', 'balances'].includes(name));

/** The sums of a plain model of the books, by name. */
type Sums = Map<string, bigint>;
const add = (sums: Sums, name: string, amount: bigint): Sums => sums.set(name, (sums.get(name) ?? 0n) + amount);

describe('the read model of applications', () => {
  let database: TestDatabase;
  let store: MemoryEventStore;
  let queries: ApplicationQueries;

  beforeEach(async () => {
    database = await createTestDatabase('application_model');
    for (const { sql } of projectionMigrations) await database.pool.query(sql);
    store = new MemoryEventStore();
    queries = new ApplicationQueries(database.pool);
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
    const names = MODELS.map(({ name }) => name);
    expect(await runner.waitForPosition(names, last, 20_000)).toEqual({ projected: true });
    await runner.stop();
    expect(errors).toEqual([]);
  }

  it('agrees with a plain account of random movements, and with a rebuild', async () => {
    await awayFromMidnight();
    const random = seededRandom(7);
    const below = (limit: number): number => Math.floor(random() * limit);
    const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
    const journal = new TestJournal(store);
    // The last movements happen today, by the database's clock.
    journal.now = Date.now() - 3 * DAY - MINUTE;
    const events: LedgerEvent[] = [];
    const run = async (command: LedgerCommand): Promise<void> => {
      events.push(...(await journal.execute(command)));
    };
    for (const userId of MEMBERS) await run({ type: 'GrantNova', userId, adminId: 'root', amount: 900_000_000n });
    for (const userId of MEMBERS) {
      await run({
        type: 'RecordPurchase',
        userId,
        amount: 3_000_000n,
        paymentIntentId: `pi_${userId}`,
        chargedCents: 1,
        livemode: false,
      });
    }
    const STEPS = 600;
    for (let step = 0; step < STEPS; step++) {
      if (step % 150 === 149 && step < 500) journal.now += DAY;
      const { clientId, ownerId } = pick(APPS);
      const [userId, recipientId, amount] = [pick(MEMBERS), pick(MEMBERS), BigInt(1 + below(50_000))];
      const via = { clientId, ownerId, dailyLimit: 20_000_000n };
      const commands: readonly LedgerCommand[] = [
        { type: 'SpendAppTokens', userId, amount, via },
        { type: 'SpendAppTokens', userId, amount, via },
        { type: 'EarnAppTokens', userId, clientId, amount },
        { type: 'SendGift', senderId: userId, recipientId, amount: 100_000n + amount, via },
        { type: 'SendGift', senderId: userId, recipientId, amount: 100_000n + amount },
        { type: 'FundAppWallet', clientId, ownerId, amount },
        { type: 'WithdrawAppWallet', clientId, ownerId, amount: amount / 4n },
      ];
      await run(pick(commands));
      const facts = step % 6 === 0 ? originalFacts(pick(events)) : undefined;
      if (facts) {
        const original = { originalId: `event-${step}`, originalRevision: 0, adminId: 'root', ...facts };
        await run({ type: 'ReverseMovement', ...original, partly: true });
      }
      if (step === STEPS / 2) await project();
    }
    await project();

    const [wallets, members, today]: [Sums, Sums, Sums] = [new Map(), new Map(), new Map()];
    const used = new Map<string, Set<string>>();
    for (const event of events) {
      const sums = sumsOf(event);
      if (!sums) continue;
      const { clientId, userId, column } = sums;
      if (column !== 'transferred') add(wallets, `${clientId} ${column}`, sums.amount);
      if (column === 'funded' || column === 'withdrawn') continue;
      add(members, `${userId} ${clientId} ${column}`, sums.amount);
      if (event.type === 'MovementReversed') continue;
      used.set(userId, (used.get(userId) ?? new Set()).add(clientId));
      const isToday = Math.floor(event.at / DAY) === Math.floor(Date.now() / DAY);
      if (isToday && column !== 'paid') add(today, `${userId} ${clientId}`, sums.amount);
    }
    expect([...members.keys()].filter((name) => name.endsWith('transferred')).length).toBeGreaterThan(5);

    for (const { clientId, ownerId } of APPS) {
      const held = journal.state.app(clientId);
      const sum = (column: string): bigint => wallets.get(`${clientId} ${column}`) ?? 0n;
      expect(await queries.wallet(clientId)).toEqual({
        clientId,
        ownerId,
        purchased: held?.purchased,
        earned: held?.earned,
        spent: sum('spent'),
        paid: sum('paid'),
        funded: sum('funded'),
        withdrawn: sum('withdrawn'),
      });
    }
    const holding = APPS.filter(({ clientId, ownerId }) => {
      const held = journal.state.app(clientId);
      return ownerId === 'member-0' && held && held.purchased + held.earned > 0n;
    });
    expect((await queries.walletsWithNova('member-0')).map(({ clientId }) => clientId)).toEqual(
      holding.map(({ clientId }) => clientId),
    );
    for (const userId of MEMBERS) {
      const uses = await queries.usesOf(userId);
      expect(uses.map(({ clientId }) => clientId).toSorted()).toEqual([...(used.get(userId) ?? [])].toSorted());
      for (const { clientId, spent, transferred, earned, spentToday, lastUsedAt } of uses) {
        const sum = (column: string): bigint => members.get(`${userId} ${clientId} ${column}`) ?? 0n;
        expect({ spent, transferred, earned }).toEqual({
          spent: sum('spent'),
          transferred: sum('transferred'),
          earned: sum('paid'),
        });
        expect(spentToday).toBe(today.get(`${userId} ${clientId}`) ?? 0n);
        expect(await queries.spentToday(userId, clientId)).toBe(spentToday);
        const last = events.findLast((event) => {
          const sums = event.type === 'MovementReversed' ? undefined : sumsOf(event);
          return sums?.userId === userId && sums.clientId === clientId && !OWNERS.has(sums.column);
        });
        expect(lastUsedAt.getTime()).toBe(last?.at);
      }
    }
    const standings = await queries.standings(
      MEMBERS.map((userId) => standingKey(userId, 'app-0')).concat('nobody app-0'),
    );
    expect([...standings.keys()].toSorted()).toEqual(MEMBERS.map((userId) => `${userId} app-0`));
    for (const userId of MEMBERS) {
      expect(standings.get(`${userId} app-0`)).toEqual({
        nova: journal.state.novaBalance(userId),
        purchased: journal.state.balance(userId, 'purchased'),
        karma: 0n,
        influence: 0n,
        spentToday: today.get(`${userId} app-0`) ?? 0n,
      });
    }
    await expectPages(events);
    const differing = (await recomputeReadModels({ store, connectionString: database.url, models: MODELS })).filter(
      ({ matched }) => !matched,
    );
    expect(differing).toEqual([]);
  });

  /** Compares every page of every list with the events. */
  async function expectPages(events: readonly LedgerEvent[]): Promise<void> {
    for (const { clientId } of APPS) {
      const movements = events.flatMap((event) => {
        const sums = sumsOf(event);
        return sums?.clientId === clientId ? [{ ...sums, isGift: sums.column === 'transferred', at: event.at }] : [];
      });
      const told = ({ userId, amount, createdAt }: AppMovementRow) => [userId, amount, createdAt.getTime()];
      const expected = (wanted: (movement: (typeof movements)[number]) => boolean) =>
        movements
          .filter(wanted)
          .toReversed()
          .map(({ userId, amount, at }) => [userId, amount < 0n ? -amount : amount, at]);
      const wallet = await allOf((cursor) => queries.ofWallet({ clientId, limit: 7, ...cursor }));
      expect(wallet.map(told)).toEqual(expected(({ isGift }) => !isGift));
      for (const userId of MEMBERS) {
        const own = await allOf((cursor) => queries.ofMember({ clientId, userId, limit: 3, ...cursor }));
        expect(own.map(told)).toEqual(
          expected((movement) => movement.userId === userId && !OWNERS.has(movement.column)),
        );
      }
    }
    await expect(queries.ofWallet({ clientId: 'app-0', limit: 1, cursor: 'x' })).rejects.toThrow(InvalidCursor);
  }
});

async function allOf(
  read: (cursor: { readonly cursor?: string }) => Promise<AppMovementPage>,
): Promise<AppMovementRow[]> {
  const rows: AppMovementRow[] = [];
  let cursor: string | null = null;
  do {
    const page: AppMovementPage = await read(cursor === null ? {} : { cursor });
    rows.push(...page.movements);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return rows;
}

const OWNERS: ReadonlySet<string> = new Set(['funded', 'withdrawn']);

const COLUMNS: Readonly<Record<string, string>> = {
  AppTokensSpent: 'spent',
  AppTokensEarned: 'paid',
  AppWalletFunded: 'funded',
  AppWalletWithdrawn: 'withdrawn',
};

const REVERSED: Readonly<Record<string, string>> = {
  GiftSent: 'transferred',
  AppTokensSpent: 'spent',
  AppTokensEarned: 'paid',
};

/** The sums that an event adds to, found without the read model's own code. */
function sumsOf(event: LedgerEvent) {
  if (event.type === 'MovementReversed') {
    const { clientId, userId, returned, originalType } = event;
    const column = REVERSED[originalType];
    return clientId === undefined || column === undefined ? undefined : { clientId, userId, amount: -returned, column };
  }
  if (event.type === 'GiftSent') {
    const { clientId, senderId: userId, amount } = event;
    return clientId === undefined ? undefined : { clientId, userId, amount, column: 'transferred' };
  }
  const column = COLUMNS[event.type];
  if (column === undefined || !('clientId' in event) || !('userId' in event)) return undefined;
  return { clientId: event.clientId, userId: event.userId, amount: event.amount, column };
}
