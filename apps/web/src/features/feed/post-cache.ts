import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { feedKeys } from './feed-keys';
import type { FeedPage, Post } from './feed-types';

export type FeedData = InfiniteData<FeedPage, number>;

/** The pages as one list. Posts move while the member reads; one that appears again on a later page is shown once. */
export function distinctPosts(pages: readonly FeedPage[]): Post[] {
  const byId = new Map<string, Post>();
  for (const post of pages.flatMap(({ posts }) => posts)) if (!byId.has(post.id)) byId.set(post.id, post);
  return [...byId.values()];
}

export function postInFeed(feed: FeedData | undefined, postId: string): Post | undefined {
  return feed?.pages.flatMap(({ posts }) => posts).find(({ id }) => id === postId);
}

function withChangedPost(feed: FeedData, postId: string, change: Partial<Post>): FeedData {
  const changed = (post: Post): Post => (post.id === postId ? { ...post, ...change } : post);
  return { ...feed, pages: feed.pages.map((page) => ({ ...page, posts: page.posts.map(changed) })) };
}

/** Changes a post everywhere it is shown. */
export function changePost(client: QueryClient, postId: string, change: Partial<Post>): void {
  client.setQueryData<FeedData>(feedKeys.feed, (feed) => feed && withChangedPost(feed, postId, change));
  client.setQueryData<Post | null>(feedKeys.post(postId), (post) => post && { ...post, ...change });
}
