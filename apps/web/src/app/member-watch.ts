import type { QueryClient } from '@tanstack/react-query';
import { ApiError, currentUserQuery, isSigningOut } from '@/shared/api';
import { forgetDrafts } from '@/shared/realtime/drafts';

/**
 * Refusals by which the API says that this page's member must sign in (again); a 401 with another code does not mean
 * that.
 */
const SESSION_ENDED: readonly string[] = ['UNAUTHENTICATED', 'SIGN_IN_AGAIN'];

/**
 * Watches who is signed in. Everything cached belongs to one member and is dropped when the member changes.
 * @param onMember called on each change; with null, nobody is signed in any more, and not because this page signed out
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
    // Keep the current user's entry, because mounted screens still watch it.
    if (wasSignedIn) {
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== current });
      forgetDrafts();
    }
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
