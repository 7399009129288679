import {
  addDecaying,
  BOOST_FACTOR,
  type ContentEvent,
  type ContentPublished,
  type EngagementEvent,
  type LedgerEvent,
  NEW_POST_WEIGHT,
  POST_HALF_LIFE_MS,
} from '@app/domain';
import { cardPayment } from '../discovery/card-payments.js';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { type Cached, CachedTable, KEY_SEPARATOR } from '../tables/cached-table.js';
import { runInOrder, writeTables } from '../tables/statements.js';
import {
  bigint,
  boolean,
  double,
  integer,
  nullable,
  type RowOf,
  smallint,
  Table,
  tablesOf,
  text,
  timestamp,
} from '../tables/table.js';

/** A piece of content and its figures. Earnings in minor units of NOVA. */
const postTable = new Table('posts', {
  columns: {
    contentId: text,
    authorId: text,
    surface: text,
    publishedAt: timestamp,
    removed: boolean,
    views: integer,
    qualifiedViews: integer,
    completeViews: integer,
    likes: integer,
    shares: integer,
    /** Points of all viewers (rule feed-6). */
    score: integer,
    /** The same, decaying: see `addDecaying`. */
    heat: nullable(double),
    ratingTotal: integer,
    ratingCount: integer,
    comments: integer,
    earnings: bigint,
    boostedUntil: nullable(timestamp),
  },
  key: ['contentId'],
  fillfactor: 70,
  indexes: {
    posts_feed: "(heat desc nulls last, content_id desc) where surface = 'feed' and not removed",
    posts_author: '(author_id, surface, published_at desc) where not removed',
  },
});
type PostFigures = Omit<RowOf<typeof postTable>, 'contentId'>;

type CountedKind = 'views' | 'qualifiedViews' | 'completeViews' | 'shares';

/** One viewer's actions on one post. */
const postViewer = new Table('post_viewers', {
  columns: { viewerId: text, postId: text, liked: boolean, rating: nullable(smallint), paid: boolean },
  key: ['viewerId', 'postId'],
  fillfactor: 80,
});
type PostViewer = Omit<RowOf<typeof postViewer>, 'viewerId' | 'postId'>;

const NEW_VIEWER: PostViewer = { liked: false, rating: null, paid: false };

/** The content that each member's card shows. */
const cardContent = new Table('card_contents', {
  columns: { userId: text, contentId: nullable(text) },
  key: ['userId'],
});

const newPost = ({ authorId, surface, at }: ContentPublished, publishedAt: string): PostFigures => ({
  authorId,
  surface,
  publishedAt,
  removed: false,
  views: 0,
  qualifiedViews: 0,
  completeViews: 0,
  likes: 0,
  shares: 0,
  score: 0,
  heat: addDecaying(null, { amount: NEW_POST_WEIGHT, atMs: at, halfLifeMs: POST_HALF_LIFE_MS }),
  ratingTotal: 0,
  ratingCount: 0,
  comments: 0,
  earnings: 0n,
  boostedUntil: null,
});

/** Posts and card content with their figures, and each viewer's actions on them (rule feed-2). */
export const posts: ReadModel = {
  name: 'posts',
  version: 1,
  streamPrefixes: ['ledger', 'content-', 'card-', 'engagement-', 'perks-'],
  ...tablesOf(postTable, postViewer, cardContent),
  createApplier: (options) => new PostsApplier(options),
};

const KINDS: Readonly<Record<string, CountedKind>> = {
  impression: 'views',
  qualified_view: 'qualifiedViews',
  complete_view: 'completeViews',
  share: 'shares',
};

class PostsApplier implements ReadModelApplier {
  private readonly posts: Cached<typeof postTable>;
  private readonly viewers: Cached<typeof postViewer>;
  private readonly shown: Cached<typeof cardContent>;

  constructor(options: ApplierOptions) {
    this.posts = new CachedTable(postTable, options);
    this.viewers = new CachedTable(postViewer, options);
    this.shown = new CachedTable(cardContent, options);
  }

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    await this.load(client, events);
    for (const { content, engagement, ledger, time } of events) {
      if (content) this.show(content, time);
      else if (engagement) this.engage(engagement);
      else if (ledger) this.earn(ledger);
    }
    await writeTables(client, [this.posts, this.viewers, this.shown], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.posts, this.viewers, this.shown], 'all');
  }

  private async load(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    const contents = new Set<string>();
    const viewings = new Set<string>();
    const owners = new Set<string>();
    for (const { content, engagement, ledger } of events) {
      if (content?.type === 'CardContentChosen') {
        owners.add(content.memberId);
        if (content.contentId !== null) contents.add(content.contentId);
      } else if (content) contents.add(content.contentId);
      if (engagement && 'postId' in engagement) contents.add(engagement.postId);
      if (engagement && 'viewerId' in engagement) viewings.add(viewing(engagement.viewerId, engagement.postId));
      if (ledger?.type === 'FeedScrolled') {
        contents.add(ledger.subjectId);
        viewings.add(viewing(ledger.senderId, ledger.subjectId));
      }
      const payment = cardPayment(ledger);
      if (payment) owners.add(payment.recipientId);
    }
    await this.shown.load(client, owners);
    for (const owner of owners) {
      const contentId = this.shown.get(owner)?.contentId;
      if (typeof contentId === 'string') contents.add(contentId);
    }
    await runInOrder(client, [(to) => this.posts.load(to, contents), (to) => this.viewers.load(to, viewings)]);
  }

  private show(event: ContentEvent, time: string): void {
    if (event.type === 'ContentPublished') this.posts.set(event.contentId, newPost(event, time));
    else if (event.type === 'ContentRemoved') this.change(event.contentId, () => ({ removed: true }));
    else this.shown.set(event.memberId, { contentId: event.contentId });
  }

  private engage(event: EngagementEvent): void {
    switch (event.type) {
      case 'PostEngaged':
        return this.count(event);
      case 'PostLiked':
        this.change(event.postId, ({ likes }) => ({ likes: likes + 1 }));
        return this.view(event.viewerId, event.postId, { liked: true });
      case 'PostUnliked':
        this.change(event.postId, ({ likes }) => ({ likes: likes - 1 }));
        return this.view(event.viewerId, event.postId, { liked: false });
      case 'PostRated': {
        const before = this.viewers.get(viewing(event.viewerId, event.postId))?.rating ?? null;
        this.change(event.postId, ({ ratingTotal, ratingCount }) => ({
          ratingTotal: ratingTotal + event.rating - (before ?? 0),
          ratingCount: ratingCount + (before === null ? 1 : 0),
        }));
        return this.view(event.viewerId, event.postId, { rating: event.rating });
      }
      case 'PostBoosted':
        return this.change(event.postId, () => ({ boostedUntil: new Date(event.until).toISOString() }));
      case 'PriorityTaken':
        return;
    }
  }

  private count({ postId, kind, points, at }: Extract<EngagementEvent, { type: 'PostEngaged' }>): void {
    this.change(postId, (post) => {
      const boosted = post.boostedUntil !== null && at < Date.parse(post.boostedUntil);
      const amount = points * (boosted ? BOOST_FACTOR : 1);
      const counted = KINDS[kind];
      return {
        ...(counted && { [counted]: post[counted] + 1 }),
        score: post.score + amount,
        heat: addDecaying(post.heat, { amount, atMs: at, halfLifeMs: POST_HALF_LIFE_MS }),
      };
    });
  }

  /** A post earns what its readers pay. Payments on a card go to the content that the card shows at that moment. */
  private earn(event: LedgerEvent): void {
    if (event.type === 'FeedScrolled') {
      this.change(event.subjectId, ({ earnings }) => ({ earnings: earnings + event.recipientShare }));
      return this.view(event.senderId, event.subjectId, { paid: true });
    }
    const payment = cardPayment(event);
    const contentId = payment && this.shown.get(payment.recipientId)?.contentId;
    if (!payment || typeof contentId !== 'string') return;
    const commented = payment.type === 'WallCommentPaid' ? 1 : 0;
    this.change(contentId, ({ earnings, comments }) => ({
      earnings: earnings + payment.recipientShare,
      comments: comments + commented,
    }));
  }

  private change(contentId: string, changes: (post: PostFigures) => Partial<PostFigures>): void {
    const post = this.posts.get(contentId);
    if (post) this.posts.set(contentId, { ...post, ...changes(post) });
  }

  private view(viewerId: string, postId: string, changes: Partial<PostViewer>): void {
    const key = viewing(viewerId, postId);
    this.viewers.set(key, { ...(this.viewers.get(key) ?? NEW_VIEWER), ...changes });
  }
}

const viewing = (viewerId: string, postId: string): string => viewerId + KEY_SEPARATOR + postId;
