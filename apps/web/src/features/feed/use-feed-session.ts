import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { currentUserQuery, useCurrentUser, type CurrentUser } from '@/shared/api';
import { feedSessionOf, type FeedSession } from './feed-session';
import { followPage } from './view-tracking';

const idOf = (user: CurrentUser | null) => user?.id;

/** The signed-in member's feed session. Every post has it: what each charge changes of the member must not draw them all anew. */
export function useFeedSession(): FeedSession {
  const client = useQueryClient();
  const { data: memberId } = useQuery({ ...currentUserQuery, select: idOf });
  return feedSessionOf(client, memberId ?? '');
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
