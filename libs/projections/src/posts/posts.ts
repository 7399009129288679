import type { ContentEvent, EngagementEvent, LedgerEvent } from '@app/domain';
import { addDecaying, BOOST_FACTOR, POST_HALF_LIFE_MS } from '@app/domain';
import { cardPayment } from '../cards/card-payments.js';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { CachedTable, KEY_SEPARATOR } from '../tables/cached-table.js';
import { runInOrder, writeTables } from '../tables/statements.js';
import {
  type CountedKind,
  NEW_VIEWER,
  newPost,
  type PostFigures,
  postsTable,
  type PostViewer,
  viewersTable,
} from './post-tables.js';

/** Posts and card content with their figures, and what each viewer has done with them (rule feed-2). */
export const posts: ReadModel = {
  name: 'posts',
  version: 1,
  streamPrefixes: ['ledger', 'content-', 'card-', 'engagement-', 'perks-'],
  tables: ['posts', 'post_viewers', 'card_contents'],
  ddl: `
    create table posts (
      content_id text collate "C" primary key,
      author_id text collate "C" not null,
      surface text collate "C" not null,
      published_at timestamptz not null,
      removed boolean not null,
      views integer not null,
      qualified_views integer not null,
      complete_views integer not null,
      likes integer not null,
      shares integer not null,
      score integer not null,
      heat double precision,
      rating_total integer not null,
      rating_count integer not null,
      comments integer not null,
      earnings bigint not null,
      boosted_until timestamptz
    ) with (fillfactor = 70);
    create table post_viewers (
      viewer_id text collate "C" not null,
      post_id text collate "C" not null,
      liked boolean not null,
      rating smallint,
      paid boolean not null,
      primary key (viewer_id, post_id)
    ) with (fillfactor = 80);
    create table card_contents (
      user_id text collate "C" primary key,
      content_id text collate "C"
    );
  `,
  indexes: `
    create index posts_feed on posts (heat desc nulls last, content_id desc) where surface = 'feed' and not removed;
    create index posts_author on posts (author_id, surface, published_at desc) where not removed;
  `,
  createApplier: (options) => new PostsApplier(options),
};

const KINDS: Readonly<Record<string, CountedKind>> = {
  impression: 'views',
  qualified_view: 'qualifiedViews',
  complete_view: 'completeViews',
  share: 'shares',
};

class PostsApplier implements ReadModelApplier {
  private readonly posts: CachedTable<PostFigures>;
  private readonly viewers: CachedTable<PostViewer>;
  /** What each member's card shows. */
  private readonly shown: CachedTable<string | null>;

  constructor(options: ApplierOptions) {
    this.posts = postsTable(options);
    this.viewers = viewersTable(options);
    this.shown = new CachedTable<string | null>({
      table: 'card_contents',
      key: [['user_id', 'text']],
      values: [['content_id', 'text']],
      read: ([contentId]: readonly (string | null)[]) => contentId ?? null,
      cells: (contentId) => [contentId],
      ...options,
    });
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
      const contentId = this.shown.get(owner);
      if (typeof contentId === 'string') contents.add(contentId);
    }
    await runInOrder(client, [(to) => this.posts.load(to, contents), (to) => this.viewers.load(to, viewings)]);
  }

  private show(event: ContentEvent, time: string): void {
    if (event.type === 'ContentPublished') this.posts.set(event.contentId, newPost(event, time));
    else if (event.type === 'ContentRemoved') this.change(event.contentId, () => ({ removed: true }));
    else this.shown.set(event.memberId, event.contentId);
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

  /** A post earns what its readers pay; what is paid on a card is earned by what the card shows at that moment. */
  private earn(event: LedgerEvent): void {
    if (event.type === 'FeedScrolled') {
      this.change(event.subjectId, ({ earnings }) => ({ earnings: earnings + event.recipientShare }));
      return this.view(event.senderId, event.subjectId, { paid: true });
    }
    const payment = cardPayment(event);
    const contentId = payment && this.shown.get(payment.recipientId);
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
