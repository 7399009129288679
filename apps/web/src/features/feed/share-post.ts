import { toast } from '@/shared/ui';
import type { Post } from './feed-types';

export const LINK_COPIED = 'Link copied';

/** S0 §2 Feed: the link of a post. */
export const postLink = (postId: string): string => `${window.location.origin}/post/${postId}`;

/**
 * Shares a post: by the phone's own sheet where there is one, else by copying its link.
 *
 * @returns what was done, for a notice; null when it was not shared
 */
export async function sharePost({ id, author }: Pick<Post, 'id' | 'author'>): Promise<'shared' | 'copied' | null> {
  const url = postLink(id);
  if (hasShareSheet())
    return (await passOn({ url, title: `A post by ${author.displayName} on Nova` })) ? 'shared' : null;
  try {
    await navigator.clipboard.writeText(url);
  } catch {
    toast({
      title: 'The link was not copied',
      description: `The browser refused. It is ${url}`,
      variant: 'destructive',
    });
    return null;
  }
  toast({ title: LINK_COPIED, description: 'Anyone with an account can open this post with it.' });
  return 'copied';
}

/** Desktop browsers have a sheet as well, where a copied link is what people expect. */
const hasShareSheet = (): boolean => 'share' in navigator && window.matchMedia('(pointer: coarse)').matches;

async function passOn(data: ShareData): Promise<boolean> {
  try {
    await navigator.share(data);
    return true;
  } catch {
    // Closed without choosing anyone.
    return false;
  }
}
