import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';
import { feedKeys } from './feed-keys';
import type { Post } from './feed-types';
import { changePost } from './post-cache';
import { useFeedSession } from './use-feed-session';

type Likes = Pick<Post, 'isLikedByUser' | 'likeCount'>;

/** Likes or unlikes a post: shown at once, undone if the server refuses. */
export function useToggleLike(post: Post) {
  const client = useQueryClient();
  const session = useFeedSession();
  const { id: postId, authorId } = post;
  return useMutation({
    mutationFn(isLiked: boolean) {
      const request = { path: { id: postId }, keepalive: true };
      return isLiked ? api.post('/api/content/{id}/like', request) : api.delete('/api/content/{id}/like', request);
    },
    onMutate(isLiked): Likes {
      const { isLikedByUser, likeCount } = post;
      changePost(client, postId, { isLikedByUser: isLiked, likeCount: Math.max(0, likeCount + (isLiked ? 1 : -1)) });
      return { isLikedByUser, likeCount };
    },
    onSuccess({ isLikedByUser, likeCount }, isLiked) {
      changePost(client, postId, { isLikedByUser, likeCount });
      if (isLiked) void session.tell({ postId, authorId, eventType: 'like' });
    },
    onError(error, isLiked, before) {
      if (before !== undefined) changePost(client, postId, before);
      errorToast(isLiked ? 'Failed to like this post' : 'Failed to remove your like', error);
    },
  });
}

/** Rates a post from 1 to 100; a later rating replaces it. */
export function useRatePost({ id: postId, authorId }: Post) {
  const client = useQueryClient();
  const session = useFeedSession();
  return useMutation({
    mutationFn: (rating: number) => api.post('/api/content/{id}/rate', { path: { id: postId }, body: { rating } }),
    onSuccess({ myRating, avgRating, ratingCount }, rating) {
      changePost(client, postId, { myRating, avgRating, ratingCount });
      toast({ title: 'Rated', description: `You rated this post ${rating} of 100.` });
      void session.tell({ postId, authorId, eventType: 'rate', eventValue: rating }, `Rated ${rating} of 100`);
    },
    // Rule feed-4.
    onError: (error) => errorToast('Failed to submit rating', error),
  });
}

/** Uses a boost token on one of the member's own posts. */
export function useBoostPost({ id: postId }: Post) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.post('/api/content/{id}/boost', { path: { id: postId }, body: {} }),
    onSuccess({ message, boostedUntil }) {
      changePost(client, postId, { boostedUntil });
      toast({ title: 'Post boosted', description: message });
    },
    onError: (error) => errorToast('Failed to boost this post', error),
    onSettled: () => client.invalidateQueries({ queryKey: feedKeys.statusBar }),
  });
}

/** Uses the day's priority slot. */
export function useTakePriority() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.post('/api/status-bar/priority', { body: {} }),
    onSuccess({ message }) {
      toast({ title: 'Priority slot used', description: message });
      return client.invalidateQueries({ queryKey: feedKeys.feed });
    },
    onError: (error) => errorToast('Failed to use the priority slot', error),
    onSettled: () => client.invalidateQueries({ queryKey: feedKeys.statusBar }),
  });
}
