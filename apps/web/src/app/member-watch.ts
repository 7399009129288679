import type { QueryClient } from '@tanstack/react-query';
import { ApiError, currentUserQuery, isSigningOut } from '@/shared/api';

/** Refusals with which the API says that this page's member has to sign in (again); a 401 of others says nothing of it. */
const SESSION_ENDED: readonly string[] = ['UNAUTHENTICATED', 'SIGN_IN_AGAIN'];

/**
 * Watches whose page this is. Everything cached is one member's: it goes when the member does.
 * @param onMember hears of each change; with null, nobody is signed in any more, and not because this page signed out
 * @returns how to stop watching
 */
export function watchMember(client: QueryClient, onMember: (memberId: string | null) => void): () => void {
  const [current] = currentUserQuery.queryKey;
  const memberNow = () => client.getQueryData(currentUserQuery.queryKey)?.id ?? null;
  let memberId = memberNow();
  const compare = () => {
    const next = memberNow();
    if (next === memberId) return;
    const wasSignedIn = memberId !== null;
    memberId = next;
    // Mounted screens still watch the current user: that entry stays.
    if (wasSignedIn) client.removeQueries({ predicate: (query) => query.queryKey[0] !== current });
    if (next !== null || !isSigningOut(client)) onMember(next);
  };
  const onError = (error: unknown) => {
    const hasEnded = error instanceof ApiError && SESSION_ENDED.includes(error.code);
    if (hasEnded && memberNow() !== null) client.setQueryData(currentUserQuery.queryKey, null);
  };
  const unsubscribe = [
    client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated') return;
      if (event.action.type === 'error') onError(event.action.error);
      if (event.query.queryKey[0] === current) compare();
    }),
    client.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') onError(event.action.error);
    }),
  ];
  return () => {
    for (const stop of unsubscribe) stop();
  };
}
