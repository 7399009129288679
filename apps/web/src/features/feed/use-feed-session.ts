import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useCurrentUser } from '@/shared/api';
import { feedSessionOf, type FeedSession } from './feed-session';
import { followPage } from './view-tracking';

/** The signed-in member's feed session. */
export function useFeedSession(): FeedSession {
  const client = useQueryClient();
  const { data: user } = useCurrentUser();
  return feedSessionOf(client, user?.id ?? '');
}

/** Once a screen with posts: time in a hidden page is no view, and a new balance lets waiting charges go on. */
export function useKeptFeedSession(): void {
  const session = useFeedSession();
  const novaBalance = useCurrentUser().data?.novaBalance;
  useEffect(() => followPage(session.views), [session]);
  useEffect(() => {
    if (novaBalance !== undefined) session.charges.balanceIs(novaBalance);
  }, [session, novaBalance]);
}
