import { expect, test } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import { feedKeys } from './feed-keys';
import type { Post } from './feed-types';
import { changePost, distinctPosts, postInFeed, type FeedData } from './post-cache';

const post = (id: string, more: Partial<Post> = {}): Post => ({ id, likeCount: 0, ...more }) as Post;

const feedOf = (...pages: Post[][]): FeedData => ({
  pages: pages.map((posts) => ({ posts, hasMore: true })),
  pageParams: pages.map((_, index) => index * 10),
});

test('shows a post once, where it came first', () => {
  const { pages } = feedOf([post('a'), post('b')], [post('b', { likeCount: 9 }), post('c')]);
  expect(distinctPosts(pages).map(({ id, likeCount }) => [id, likeCount])).toEqual([
    ['a', 0],
    ['b', 0],
    ['c', 0],
  ]);
});

test('finds a post on any page', () => {
  const feed = feedOf([post('a')], [post('b')]);
  expect(postInFeed(feed, 'b')?.id).toBe('b');
  expect(postInFeed(feed, 'z')).toBeUndefined();
  expect(postInFeed(undefined, 'a')).toBeUndefined();
});

test('changes a post in the feed and on its own page, and no other', () => {
  const client = new QueryClient();
  client.setQueryData(feedKeys.feed, feedOf([post('a')], [post('b')]));
  client.setQueryData(feedKeys.post('b'), post('b'));
  changePost(client, 'b', { likeCount: 1 });
  expect(client.getQueryData<FeedData>(feedKeys.feed)?.pages.map(({ posts }) => posts[0]?.likeCount)).toEqual([0, 1]);
  expect(client.getQueryData<Post>(feedKeys.post('b'))?.likeCount).toBe(1);
});

test('puts nothing where nothing was loaded', () => {
  const client = new QueryClient();
  changePost(client, 'a', { likeCount: 1 });
  expect(client.getQueryData(feedKeys.feed)).toBeUndefined();
  expect(client.getQueryData(feedKeys.post('a'))).toBeUndefined();
});
