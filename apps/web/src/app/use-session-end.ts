import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { currentUserQuery, hasStatus, queryKeys } from '@/shared/api';
import { toast } from '@/shared/ui';

/** Where a session that ends shows Access Denied instead of the landing screen (S1 §2.3). */
export const DENIED_PATH = '/wallet';

/** Signs this page out when the server no longer knows the session; true when it was signed in until now. */
function forgetSession(client: QueryClient): boolean {
  const user = client.getQueryData(currentUserQuery.queryKey);
  if (user === null || user === undefined) return false;
  const [current] = queryKeys.currentUser;
  client.setQueryData(currentUserQuery.queryKey, null);
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== current });
  return true;
}

/**
 * Watches every answer for 401, which a signed-in page gets only when its session has ended. Answers with the path where
 * that happened, null while it has not.
 */
export function useSessionEnd(): string | null {
  const client = useQueryClient();
  const [endedAt, setEndedAt] = useState<string | null>(null);
  useEffect(() => {
    const onError = (error: unknown) => {
      if (!hasStatus(error, 401) || !forgetSession(client)) return;
      const { pathname } = window.location;
      setEndedAt(pathname);
      if (pathname !== DENIED_PATH) toast({ title: 'Session ended', description: 'Sign in again to continue.' });
    };
    const unsubscribe = [
      client.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') onError(event.action.error);
      }),
      client.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') onError(event.action.error);
      }),
    ];
    return () => {
      for (const stop of unsubscribe) stop();
    };
  }, [client]);
  return endedAt;
}
