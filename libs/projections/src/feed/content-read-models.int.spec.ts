import { randomUUID } from 'node:crypto';
import {
  addDecaying,
  CARD_HALF_LIFE_MS,
  cardStream,
  contentStream,
  DAILY_POINTS_GOAL,
  decideViewing,
  encodeContentEvent,
  encodeEngagementEvent,
  encodeMemberEvent,
  ENGAGEMENT_KINDS,
  engagementStream,
  evolveViewing,
  memberStream,
  newViewing,
  perksStream,
  type PostEvent,
  utcDay,
  type Viewing,
  type ViewingCommand,
  withBonus,
} from '@app/domain';
import { MemoryEventStore } from '@app/event-store';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { readModels } from '../read-models.js';
import { recomputeReadModels } from '../rebuild/recompute.js';
import { ProjectionRunner } from '../runner/projection-runner.js';
import { projectionMigrations } from '../schema.js';
import { seededRandom } from '../testing/random-commands.js';
import { TestJournal } from '../testing/test-journal.js';

jest.setTimeout(100_000);

const HOUR = 60 * 60 * 1_000;
const MEMBERS = Array.from({ length: 5 }, (_, n) => `member-${n}`);
const MODELS = readModels.filter(({ name }) => ['cards', 'posts', 'engagement', 'balances'].includes(name));

interface Post {
  readonly id: string;
  readonly authorId: string;
  readonly surface: 'feed' | 'discovery';
  removed: boolean;
  score: number;
  views: number;
  likes: Set<string>;
  readonly ratings: Map<string, number>;
  earnings: bigint;
  comments: number;
  boostedUntil: number;
}

/** Members who post, view, like, rate, pay and boost at random, and a plain model of the result. */
class ContentWorld {
  readonly journal: TestJournal;
  readonly posts: Post[] = [];
  readonly paid = new Set<string>();
  readonly unlocked = new Set<string>();
  readonly heat = new Map<string, number | null>();
  readonly followers = new Map<string, number>();
  readonly points = new Map<string, number>();
  readonly streaks = new Map<string, { day: string; days: number }>();
  private readonly viewings = new Map<string, Viewing>();
  private readonly follows = new Set<string>();
  private readonly shown = new Map<string, string | null>();
  private readonly random: () => number;
  private comments = 0;

  constructor(
    private readonly store: MemoryEventStore,
    seed: number,
  ) {
    this.journal = new TestJournal(store);
    this.random = seededRandom(seed);
  }

  async start(): Promise<void> {
    for (const userId of MEMBERS) {
      await this.journal.execute({ type: 'GrantNova', userId, adminId: 'root', amount: 100_000_000n });
    }
  }

  async step(): Promise<void> {
    this.journal.now += this.below(40) * 60_000;
    const dice = this.below(100);
    if (dice < 10 || this.posts.length < 3) await this.publish();
    else if (dice < 12) await this.remove();
    else if (dice < 16) await this.choose();
    else if (dice < 66) await this.look();
    else if (dice < 76) await this.scroll();
    else if (dice < 90) await this.payForCard();
    else if (dice < 96) await this.follow();
    else await this.boost();
  }

  private async publish(): Promise<void> {
    const [id, authorId] = [`post-${this.posts.length}`, this.member()];
    const surface = this.below(3) === 0 ? 'discovery' : 'feed';
    const at = this.journal.now;
    await this.append(contentStream(id), encodeContentEvent, {
      type: 'ContentPublished',
      contentId: id,
      authorId,
      surface,
      at,
    });
    this.posts.push({
      id,
      authorId,
      surface,
      removed: false,
      score: 0,
      views: 0,
      likes: new Set(),
      ratings: new Map(),
      earnings: 0n,
      comments: 0,
      boostedUntil: 0,
    });
  }

  private async remove(): Promise<void> {
    const post = this.post();
    if (post.removed) return;
    post.removed = true;
    const { id: contentId, authorId } = post;
    await this.append(contentStream(contentId), encodeContentEvent, {
      type: 'ContentRemoved',
      contentId,
      authorId,
      at: this.journal.now,
    });
  }

  private async choose(): Promise<void> {
    const post = this.post();
    const contentId = this.below(4) === 0 ? null : post.id;
    const memberId = post.authorId;
    this.shown.set(memberId, contentId);
    await this.append(cardStream(memberId), encodeContentEvent, {
      type: 'CardContentChosen',
      memberId,
      contentId,
      at: this.journal.now,
    });
  }

  private async look(): Promise<void> {
    const [post, viewerId] = [this.post(), this.member()];
    const key = `${post.id}:${viewerId}`;
    const state = this.viewings.get(key) ?? newViewing;
    const viewer = { postId: post.id, authorId: post.authorId, viewerId };
    const decision = decideViewing(state, this.command(), { viewer, nowMs: this.journal.now });
    if ('rejection' in decision) return;
    for (const event of decision.events) {
      await this.append(engagementStream(post.id, viewerId), encodeEngagementEvent, event);
      this.viewings.set(key, evolveViewing(state, event));
      this.account(post, event);
    }
  }

  private command(): ViewingCommand {
    const dice = this.below(10);
    if (dice < 6) return { type: 'Engage', kind: ENGAGEMENT_KINDS[this.below(ENGAGEMENT_KINDS.length)] ?? 'like' };
    if (dice < 9) return { type: dice < 8 ? 'Like' : 'Unlike' };
    return { type: 'Rate', rating: 1 + this.below(100) };
  }

  private account(post: Post, event: PostEvent): void {
    const { viewerId, at } = event;
    if (event.type === 'PostLiked') post.likes.add(viewerId);
    if (event.type === 'PostUnliked') post.likes.delete(viewerId);
    if (event.type === 'PostRated') post.ratings.set(viewerId, event.rating);
    if (event.type !== 'PostEngaged') return;
    post.score += event.points * (at < post.boostedUntil ? 2 : 1);
    if (event.kind === 'impression') post.views += 1;
    const day = utcDay(at);
    const points = (this.points.get(`${viewerId} ${day}`) ?? 0) + event.points;
    if (event.points > 0) this.points.set(`${viewerId} ${day}`, points);
    if (withBonus(points) < DAILY_POINTS_GOAL * 100) return;
    const before = this.streaks.get(viewerId);
    if (before?.day === day) return;
    const days = before?.day === utcDay(at - 24 * HOUR) ? before.days + 1 : 1;
    this.streaks.set(viewerId, { day, days });
  }

  private async scroll(): Promise<void> {
    const [post, senderId] = [this.post(), this.member()];
    const key = `${post.id}:${senderId}`;
    if (senderId === post.authorId || this.paid.has(key)) return;
    const subjectId = post.id;
    await this.journal.execute({
      type: 'PayForCard',
      kind: 'scroll',
      senderId,
      recipientId: post.authorId,
      subjectId,
      amount: 100n,
    });
    this.paid.add(key);
    post.earnings += 50n;
  }

  private async payForCard(): Promise<void> {
    const [senderId, recipientId] = [this.member(), this.member()];
    if (senderId === recipientId) return;
    const kind = (['unlock', 'upvote', 'navigate', 'wall'] as const)[this.below(4)] ?? 'upvote';
    const subjectId = kind === 'wall' ? `comment-${this.comments++}` : recipientId;
    const [event] = await this.journal.execute({
      type: 'PayForCard',
      kind,
      senderId,
      recipientId,
      subjectId,
      amount: 5_000n,
    });
    if (!event) return;
    if (kind === 'unlock') this.unlocked.add(`${senderId} ${recipientId}`);
    const added = { amount: 2_500, atMs: event.at, halfLifeMs: CARD_HALF_LIFE_MS };
    this.heat.set(recipientId, addDecaying(this.heat.get(recipientId) ?? null, added));
    const shown = this.posts.find(({ id }) => id === this.shown.get(recipientId));
    if (!shown) return;
    shown.earnings += 2_500n;
    if (kind === 'wall') shown.comments += 1;
  }

  private async follow(): Promise<void> {
    const [memberId, otherId] = [this.member(), this.member()];
    if (memberId === otherId) return;
    const key = `${memberId} ${otherId}`;
    const type = this.follows.has(key) ? 'MemberUnfollowed' : 'MemberFollowed';
    await this.append(memberStream(memberId), encodeMemberEvent, { type, memberId, otherId, at: this.journal.now });
    if (!this.follows.delete(key)) this.follows.add(key);
    this.followers.set(otherId, (this.followers.get(otherId) ?? 0) + (type === 'MemberFollowed' ? 1 : -1));
  }

  private async boost(): Promise<void> {
    const post = this.post();
    const until = this.journal.now + HOUR;
    const event = {
      type: 'PostBoosted',
      memberId: post.authorId,
      postId: post.id,
      until,
      at: this.journal.now,
    } as const;
    await this.append(perksStream(post.authorId), encodeEngagementEvent, event);
    post.boostedUntil = until;
  }

  private async append<E extends { readonly type: string }>(
    stream: string,
    encode: (event: E) => string,
    event: E,
  ): Promise<void> {
    await this.store.append(
      stream,
      [{ id: randomUUID(), type: event.type, data: encode(event), metadata: '{}' }],
      'any',
    );
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private member(): string {
    return MEMBERS[this.below(MEMBERS.length)] ?? '';
  }

  private post(): Post {
    const post = this.posts[this.below(this.posts.length)];
    if (!post) throw new Error('there is no post yet');
    return post;
  }
}

describe('the read models of cards, posts and engagement', () => {
  let database: TestDatabase;
  let store: MemoryEventStore;

  beforeEach(async () => {
    database = await createTestDatabase('content_models');
    for (const { sql } of projectionMigrations) await database.pool.query(sql);
    store = new MemoryEventStore();
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });

  /** Continues with read models that run and stop in between, as processes come and go. */
  async function play(seed: number, steps: number): Promise<ContentWorld> {
    const world = new ContentWorld(store, seed);
    await world.start();
    for (let part = 0; part < 3; part++) {
      const errors: unknown[] = [];
      const logger = {
        info: () => undefined,
        error: (message: string, error?: unknown) => errors.push([message, error]),
      };
      const runner = new ProjectionRunner({ store, connectionString: database.url, models: MODELS, logger });
      await runner.start();
      for (let step = 0; step < steps / 3; step++) await world.step();
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
    return world;
  }

  it.each([1, 2])('agree with a plain account, and with a rebuild (seed %i)', async (seed) => {
    const world = await play(seed, 1_500);
    const { rows: posts } = await database.pool.query('select * from read.posts order by content_id');
    const expected = world.posts
      .map((post) => ({
        content_id: post.id,
        author_id: post.authorId,
        surface: post.surface,
        removed: post.removed,
        score: post.score,
        views: post.views,
        likes: post.likes.size,
        rating_total: [...post.ratings.values()].reduce((sum, rating) => sum + rating, 0),
        rating_count: post.ratings.size,
        comments: post.comments,
        earnings: String(post.earnings),
      }))
      .toSorted((a, b) => (a.content_id < b.content_id ? -1 : 1));
    expect(posts).toMatchObject(expected);
    expect(expected.some(({ comments }) => comments > 0)).toBe(true);
    const { rows: paid } = await database.pool.query('select post_id, viewer_id from read.post_viewers where paid');
    expect(new Set(paid.map(({ post_id, viewer_id }) => `${post_id}:${viewer_id}`))).toEqual(world.paid);
    const { rows: cards } = await database.pool.query(
      'select user_id, heat, followers from read.cards order by user_id',
    );
    expect(cards).toEqual(
      MEMBERS.map((id) => ({ user_id: id, heat: world.heat.get(id) ?? null, followers: world.followers.get(id) ?? 0 })),
    );
    const { rows: days } = await database.pool.query('select user_id, day::text, points from read.viewer_days');
    expect(new Map(days.map(({ user_id, day, points }) => [`${user_id} ${day}`, points]))).toEqual(world.points);
    const { rows: streaks } = await database.pool.query('select user_id, day::text, days from read.viewer_streaks');
    expect(new Map(streaks.map(({ user_id, day, days: count }) => [user_id, { day, days: count }]))).toEqual(
      world.streaks,
    );
    const rebuilt = await recomputeReadModels({ store, connectionString: database.url, models: MODELS });
    expect(rebuilt.filter(({ matched }) => !matched)).toEqual([]);
  });
});
