import { nextDeadline, NO_BLOCK_HASH, type ChatEvent, type ChatSide, type ChatState, type PoolName } from '@app/domain';
import { MemoryEventStore } from '@app/event-store';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { FollowQueries } from '../members/follow-queries.js';
import { MemberChatQueries } from './member-chat-queries.js';
import { PoolRewardQueries } from '../pools/pool-reward-queries.js';
import { RatingQueries } from './rating-queries.js';
import { readModels } from '../read-models.js';
import { recomputeReadModels } from '../rebuild/recompute.js';
import { ProjectionRunner } from '../runner/projection-runner.js';
import { projectionMigrations } from '../schema.js';
import { InvalidCursor } from '../invalid-cursor.js';
import { ChatWorld } from '../testing/chat-world.js';
import { threadHash } from '../nexus/thread-hash.js';
import { ThreadQueries } from '../nexus/thread-queries.js';
import { ChatQueries } from './chat-queries.js';

jest.setTimeout(100_000);

const NAMES = readModels.map(({ name }) => name);
const STEPS = 1_500;
const MEMBERS = 6;
const ALL = 10_000;

describe('the read models of paid chats', () => {
  let database: TestDatabase;
  let store: MemoryEventStore;
  let runner: ProjectionRunner;
  const errors: unknown[] = [];

  beforeEach(async () => {
    database = await createTestDatabase('chat_models');
    for (const { sql } of projectionMigrations) await database.pool.query(sql);
    store = new MemoryEventStore();
    errors.length = 0;
    runner = newRunner();
    await runner.start();
  });

  afterEach(async () => {
    await runner.stop();
    await store.close();
    await database.drop();
  });

  const newRunner = (): ProjectionRunner =>
    new ProjectionRunner({
      store,
      connectionString: database.url,
      models: readModels,
      logger: { info: () => undefined, error: (message, error) => errors.push([message, error]) },
    });

  /** Resolves once the read models include everything appended so far. */
  const caughtUp = async (of: ProjectionRunner = runner): Promise<void> => {
    let last = -1n;
    for await (const batch of store.readAll({ direction: 'backwards', limit: 1 })) last = batch[0]?.position ?? -1n;
    expect(await of.waitForPosition(NAMES, last, 20_000)).toEqual({ projected: true });
    expect(errors).toEqual([]);
  };

  const differing = async (): Promise<string[]> =>
    (await recomputeReadModels({ store, connectionString: database.url, models: readModels }))
      .filter(({ matched }) => !matched)
      .map(({ name }) => name);

  const play = async (seed: number, steps = STEPS): Promise<ChatWorld> => {
    const world = new ChatWorld(store, { seed, members: MEMBERS });
    await world.start();
    for (let step = 0; step < steps; step++) await world.step();
    return world;
  };

  it.each([1, 2])('show every chat as its stream and the ledger tell it (seed %i)', async (seed) => {
    const world = await play(seed);
    await caughtUp();
    const queries = new ChatQueries(database.pool);
    const seen = new Set<string>();
    for (const { chatId, initiatorId, hostId } of world.held) {
      const { rows } = await database.pool.query('select * from read.chats where chat_id = $1', [chatId]);
      const state = world.chats.get(chatId);
      const status = state?.abandoned ? 'abandoned' : (state?.status ?? 'held');
      seen.add(status);
      expect(rows).toMatchObject([{ status, ...(state && columnsOf(state)), ...ledgerOf(world, chatId) }]);
      expect(await queries.byId(chatId)).toMatchObject({ chatId, initiatorId, hostId, status });
    }
    // The world reached every status; otherwise nothing was compared.
    for (const status of ['completed', 'declined', 'expired', 'terminated', 'abandoned'])
      expect(seen).toContain(status);
    expect(await differing()).toEqual([]);
  });

  it('list what members and the process manager look for', async () => {
    const world = await play(3);
    await caughtUp();
    const queries = new ChatQueries(database.pool);
    const states = [...world.chats.values()];
    const idsOf = (found: readonly { readonly chatId: string }[]): string[] => found.map(({ chatId }) => chatId);
    const where = (matches: (state: ChatState) => boolean): string[] => idsOf(states.filter(matches)).toSorted();
    for (const id of world.members) {
      expect(idsOf(await queries.openOf(id)).toSorted()).toEqual(
        where((state) => {
          const side = sideOf(state, id);
          if (state.status === 'successful') return side !== undefined && state.ratings[side] === undefined;
          return state.status === 'active' ? side !== undefined : state.status === 'requested' && side === 'initiator';
        }),
      );
      const requests = states
        .filter(({ status, hostId }) => status === 'requested' && hostId === id)
        .toSorted((a, b) => a.requestedAt - b.requestedAt);
      expect(idsOf(await queries.pendingRequests(id))).toEqual(idsOf(requests));
      expect(idsOf(await queries.inboundPriority(id))).toEqual(
        idsOf(requests.toSorted((a, b) => Number(b.price - a.price))),
      );
      expect(idsOf(await queries.pendingRatings(id)).toSorted()).toEqual(
        where((state) => {
          const side = sideOf(state, id);
          return state.status === 'successful' && side !== undefined && state.ratings[side] === undefined;
        }),
      );
    }
    for (const now of [world.now, world.now + 120_000, world.now + 8 * 86_400_000]) {
      expect((await queries.overdue(new Date(now), ALL)).toSorted()).toEqual(
        where((state) => (nextDeadline(state) ?? Number.POSITIVE_INFINITY) <= now),
      );
    }
    expect(idsOf(await queries.heldWithoutChat(new Date(world.now + 1), ALL))).toEqual(
      idsOf(world.held.filter(({ chatId }) => !world.chats.has(chatId))),
    );
    const owing = world.held.filter(({ chatId }) => world.dutiesOf(chatId).length > 0);
    expect(owing.length).toBeGreaterThan(0);
    expect((await queries.unsettled(ALL, new Date(world.now + 1))).toSorted()).toEqual(idsOf(owing).toSorted());

    await world.settle();
    await caughtUp();
    expect(await queries.unsettled(ALL, new Date(world.now + 1))).toEqual([]);
  });

  it('count chats, Karma and ratings, and page through what was paid', async () => {
    const world = await play(4);
    await world.settle();
    await caughtUp();
    const counts = new MemberChatQueries(database.pool);
    const queries = new ChatQueries(database.pool);
    const ratings = new RatingQueries(database.pool);
    let completed = 0;
    for (const id of world.members) {
      const chats = world.completedOf(id);
      completed += chats.length;
      const happened = (type: ChatEvent['type'], side?: ChatSide): number =>
        world.chatEvents.filter((event) => {
          return event.type === type && (side ? sideOf(event, id) === side : sideOf(event, id) !== undefined);
        }).length;
      expect(await counts.totals(id)).toEqual({
        requestedAsInitiator: happened('ChatRequested', 'initiator'),
        requestedAsHost: happened('ChatRequested', 'host'),
        acceptedAsInitiator: happened('ChatAccepted', 'initiator'),
        acceptedAsHost: happened('ChatAccepted', 'host'),
        successfulAsInitiator: happened('ChatSucceeded', 'initiator'),
        successfulAsHost: happened('ChatSucceeded', 'host'),
        completed: chats.length,
        messages: world.chatEvents.filter((event) => event.type === 'ChatMessageSent' && event.senderId === id).length,
        responseMs: responseMs(world.chatEvents, id),
        karmaEarned: Math.trunc(chats.length / 5),
      });
      for (const [index, chatId] of chats.entries()) {
        expect(await counts.countsOf(chatId)).toContainEqual({ userId: id, n: index + 1 });
      }
      const given = world.chatEvents.flatMap((event) => {
        return event.type === 'ChatRated' && event.ratedId === id ? [event.rating] : [];
      });
      const mean = Math.min(given.reduce((sum, rating) => sum + rating, 0) / given.length / 10, 9.99);
      const shownRating = await ratings.member(id);
      expect(shownRating?.count ?? 0).toBe(given.length);
      // A mean half-way between two hundredths may go either way.
      if (shownRating) expect(Math.abs(shownRating.value - mean)).toBeLessThan(0.005_01);

      const paid: string[] = [];
      let cursor: string | undefined;
      let novaEarned = 0n;
      let influence = 0;
      do {
        const page = await queries.completedHistory(id, { limit: 2, cursor });
        paid.push(...page.chats.map(({ chatId }) => chatId));
        for (const chat of page.chats) {
          novaEarned += chat.novaEarned;
          influence += chat.influence;
        }
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      const months = await queries.paidMonths(id);
      expect(months.reduce((sum, month) => sum + month.chats, 0)).toBe(paid.length);
      expect(months.reduce((sum, month) => sum + month.novaEarned, 0n)).toBe(novaEarned);
      expect(months.reduce((sum, month) => sum + month.influence, 0)).toBe(influence);
      const released = world.ledgerEvents.flatMap((event) => {
        return event.type === 'ChatRewardReleased' && event.userId === id ? [event] : [];
      });
      expect(paid).toEqual(released.map(({ chatId }) => chatId).toReversed());
      expect(novaEarned).toBe(released.reduce((sum, { amount }) => sum + amount, 0n));
      expect(influence).toBe(Number(released.reduce((sum, event) => sum + event.influence, 0n)));
    }
    expect(completed).toBeGreaterThan(20);
    expect(await counts.karmaDue(ALL)).toEqual([]);
    await expect(queries.completedHistory('member-1', { limit: 2, cursor: '1; drop' })).rejects.toThrow(InvalidCursor);
  });

  it('chain threads, follow members and sum what pools paid', async () => {
    const world = await play(5);
    await world.settle();
    await caughtUp();
    const threads = new ThreadQueries(database.pool);
    const follows = new FollowQueries(database.pool);
    const rewards = new PoolRewardQueries(database.pool);
    let blocks = 0;
    for (const id of world.members) {
      const made = world.chatEvents.filter((event) => {
        return event.type === 'ChatCompleted' && event.thread && sideOf(event, id) !== undefined;
      });
      const { blocks: chain } = await threads.chain({ ownerId: id, limit: ALL });
      expect(chain.map(({ chatId }) => chatId)).toEqual(made.map(({ chatId }) => chatId).toReversed());
      expect(await threads.count(id)).toBe(chain.length);
      let previousHash = NO_BLOCK_HASH;
      for (const [index, block] of chain.toReversed().entries()) {
        expect(block).toMatchObject({ blockNumber: index + 1, previousHash, hash: threadHash(block) });
        expect(block.connectionType).toBe(block.ownerRole === 'host' ? 'karma' : 'influence');
        expect(Math.min(block.givenRating, block.receivedRating)).toBeGreaterThanOrEqual(75);
        previousHash = block.hash;
      }
      blocks += chain.length;

      const paid = new Map<PoolName, bigint>();
      for (const event of world.ledgerEvents) {
        if (event.type !== 'PoolRewardsPaid' || event.userId !== id) continue;
        for (const [pool, amount] of event.payouts) paid.set(pool, (paid.get(pool) ?? 0n) + amount);
      }
      expect(await rewards.paid(id)).toEqual(
        [...paid].map(([pool, amount]) => ({ pool, paid: amount })).toSorted((a, b) => (a.pool < b.pool ? -1 : 1)),
      );

      const mine = world.relationsOf(id);
      for (const other of world.members) {
        const theirs = world.relationsOf(other);
        expect(await follows.relation(id, other)).toEqual({
          following: mine.follows.has(other),
          followsMe: theirs.follows.has(id),
          blocked: mine.blocks.has(other),
        });
      }
      const followers = world.members.filter((other) => world.relationsOf(other).follows.has(id));
      expect(await follows.counts(id)).toEqual({ following: mine.follows.size, followers: followers.length });
      expect((await follows.mutual(id, ALL)).toSorted()).toEqual(followers.filter((other) => mine.follows.has(other)));
    }
    expect(blocks).toBeGreaterThan(10);
  });

  it('are the same from another process, after a rebuild, and once an account is closed', async () => {
    const world = new ChatWorld(store, { seed: 6, members: MEMBERS });
    await world.start();
    for (let step = 0; step < STEPS / 2; step++) await world.step();
    await caughtUp();
    const second = newRunner();
    try {
      await second.start();
      // Only the checkpoints inform a waiting process, which asks for their position.
      await world.relateTo('member-0', 'member-1', { type: 'Report', reportId: 'r1' });
      await caughtUp(second);
      await runner.stop();
      for (let step = 0; step < STEPS / 2; step++) await world.step();
      const chatId = await world.makeThread('member-5', 'member-4');
      await world.close('member-5');
      await caughtUp(second);
      expect(await differing()).toEqual([]);

      const queries = new ChatQueries(database.pool);
      // Nobody can have the share, so the process manager need not check it again and again.
      expect(world.dutiesOf(chatId).map(({ key }) => key)).toEqual([`chat:${chatId}:thread`]);
      const unsettled = await queries.unsettled(ALL, new Date(world.now + 1));
      const owing = world.held.filter((held) => {
        const isClosed = held.initiatorId === 'member-5' || held.hostId === 'member-5';
        return !isClosed && world.dutiesOf(held.chatId).length > 0;
      });
      expect(unsettled.toSorted()).toEqual(owing.map((held) => held.chatId).toSorted());
      const due = await new MemberChatQueries(database.pool).karmaDue(ALL);
      expect(due.map(({ userId }) => userId)).not.toContain('member-5');

      const outcomes = await second.rebuild(NAMES);
      expect(outcomes.map(({ name, matched }) => [name, matched])).toEqual(NAMES.map((name) => [name, true]));
      for (let step = 0; step < 200; step++) await world.step();
      await caughtUp(second);
      expect(await differing()).toEqual([]);
      // Read models that take nothing from the ledger know their position as well.
      const revisions = (await second.status()).map(({ revision }) => revision);
      expect(revisions).toEqual(NAMES.map(() => world.journal.state.revision));
    } finally {
      await second.stop();
    }
  });

  it('expect no share in a thread of who had left before the other side rated', async () => {
    const world = new ChatWorld(store, { seed: 8, members: MEMBERS });
    await world.start();
    const chatId = await world.makeSuccess('member-1', 'member-0');
    await world.rate(chatId, 'member-0');
    await world.settle();
    await world.pay({ type: 'CloseAccount', userId: 'member-0' });
    await world.pay({ type: 'FinishClosingAccount', userId: 'member-0' });
    expect(world.journal.state.closure('member-0')).toBe('closed');
    await world.rate(chatId, 'member-1');
    await world.settle();
    await caughtUp();
    expect(world.dutiesOf(chatId).map(({ key }) => key)).toEqual([`chat:${chatId}:thread`]);
    expect(await new ChatQueries(database.pool).unsettled(ALL, new Date(world.now + 1))).toEqual([]);
    expect(await differing()).toEqual([]);
  });

  it('tell of rows that somebody changed', async () => {
    await play(7, 500);
    await caughtUp();
    await database.pool.query(`update read.chats set paid = paid + 1 where chat_id = (
      select chat_id from read.chats where paid is not null limit 1)`);
    await database.pool.query('update read.member_ratings set given_count = given_count + 1');
    await database.pool.query(`insert into read.follows values ('nobody', 'somebody', now())`);
    expect((await differing()).toSorted()).toEqual(['chats', 'follows', 'ratings']);
  });
});

const sideOf = (chat: Pick<ChatState, 'initiatorId' | 'hostId'>, id: string): ChatSide | undefined => {
  if (chat.initiatorId === id) return 'initiator';
  return chat.hostId === id ? 'host' : undefined;
};

/** The part of a chat's state that is in its row. */
function columnsOf(state: ChatState): Readonly<Record<string, unknown>> {
  const date = (ms: number | undefined): Date | null => (ms === undefined ? null : new Date(ms));
  return {
    requested_at: state.abandoned ? null : date(state.requestedAt),
    accept_by: state.abandoned ? null : date(state.acceptBy),
    accepted_at: date(state.acceptedAt),
    verify_by: date(state.verifyBy),
    last_message_at: date(state.lastMessageAt),
    last_side: state.lastSide ?? null,
    exchanges: state.counts.exchanges,
    total_characters: state.counts.totalCharacters,
    host_characters: state.counts.hostCharacters,
    rate_by: date(state.rateBy),
    terminated_by: state.terminated?.by ?? null,
    termination_cause: state.terminated?.cause ?? null,
    initiator_rating: state.ratings.initiator ?? null,
    host_rating: state.ratings.host ?? null,
    thread: state.thread,
    deadline: date(nextDeadline(state)),
  };
}

/** The part of the ledger's events about a chat that is in its row. Amounts are text, as the driver returns them. */
function ledgerOf(world: ChatWorld, chatId: string): Readonly<Record<string, string | null>> {
  let money: Record<string, string | null> = {
    price: '0',
    paid: null,
    refunded: null,
    host_share: null,
    host_pending: null,
    host_influence: null,
    initiator_influence: null,
  };
  for (const event of world.ledgerEvents) {
    if (!('chatId' in event) || event.chatId !== chatId) continue;
    if (event.type === 'ChatPaymentHeld') money = { ...money, price: `${event.amount}` };
    if (event.type === 'ChatPaymentRefunded') {
      money = { ...money, paid: '0', refunded: `${event.amount}`, host_share: '0', host_pending: '0' };
    }
    if (event.type === 'ChatPaymentSettled') {
      const share = `${event.hostShare}`;
      const pending = event.outcome === 'success' ? share : '0';
      money = {
        ...money,
        paid: `${event.paid}`,
        refunded: `${event.refunded}`,
        host_share: share,
        host_pending: pending,
      };
    }
    if (event.type === 'ChatRewardReleased') {
      const influence = `${event.influence}`;
      money = {
        ...money,
        ...(event.side === 'host'
          ? { host_pending: '0', host_influence: influence }
          : { initiator_influence: influence }),
      };
    }
  }
  return money;
}

function responseMs(events: readonly ChatEvent[], hostId: string): number {
  const requested = new Map<string, number>();
  let sum = 0;
  for (const event of events) {
    if (event.type === 'ChatRequested') requested.set(event.chatId, event.at);
    if (event.type === 'ChatAccepted' && event.hostId === hostId) sum += event.at - (requested.get(event.chatId) ?? 0);
  }
  return sum;
}
