import { failureToast, toast } from '@/shared/ui';
import type { Post } from './feed-types';

export const LINK_COPIED = 'Link copied';

/** The link of a post (rule feed-3). */
const postLink = (postId: string): string => `${window.location.origin}/post/${postId}`;

/** Copies the link of a post and says so; false when the browser refused. */
export async function sharePost({ id }: Pick<Post, 'id'>): Promise<boolean> {
  const url = postLink(id);
  try {
    await navigator.clipboard.writeText(url);
  } catch {
    failureToast('The link was not copied', `The browser refused. It is ${url}`);
    return false;
  }
  toast({ title: LINK_COPIED, description: 'Anyone with an account can open this post with the link.' });
  return true;
}
