import {
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { api, type Schemas } from './api';
import { hasStatus } from './api-error';
import { moneyKeys, queryKeys } from './query-keys';

export type CurrentUser = Schemas['CurrentUserDto'];

export const currentUserQuery = queryOptions({
  queryKey: queryKeys.currentUser,
  async queryFn({ signal }): Promise<CurrentUser | null> {
    try {
      const { user } = await api.get('/api/auth/user', { signal });
      return user;
    } catch (error) {
      if (hasStatus(error, 401)) return null;
      throw error;
    }
  },
});

/** The signed-in member; `data` is null when signed out (rule accounts-4). */
export const useCurrentUser = () => useQuery(currentUserQuery);

const SIGN_OUT_KEY = ['signout'];

/** This page itself is ending its session. */
export const isSigningOut = (client: QueryClient): boolean => client.isMutating({ mutationKey: SIGN_OUT_KEY }) > 0;

/**
 * Ends the session; with the member goes everything cached (rule screens-13). What the caller does then (the toast, the way to /) is the
 * mutation's own business: the screen that asked may be gone before the answer comes.
 */
export function useSignOut({ onSignedOut, onError }: { onSignedOut: () => void; onError: (error: Error) => void }) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationKey: SIGN_OUT_KEY,
    mutationFn: () => api.post('/api/auth/signout'),
    onSuccess() {
      client.setQueryData(currentUserQuery.queryKey, null);
      onSignedOut();
    },
    onError,
  });
  return { signOut: () => mutate(), isPending };
}

/** An answer given before the read models had caught up: a read right after it may still show what was. */
const SECOND_LOOK_MS = 2_000;

/**
 * After a movement of Nova: whatever shows a balance, a statement, gifts or platform totals is read again, and once more
 * a little later when the answer said that the read models were behind it; `also`, what else the movement concerns.
 */
export function refreshMoney(
  client: QueryClient,
  answer?: { projected: boolean },
  also: readonly QueryKey[] = [],
): void {
  for (const queryKey of [...moneyKeys, queryKeys.admin, ...also]) void client.invalidateQueries({ queryKey });
  if (answer?.projected === false) setTimeout(() => refreshMoney(client, undefined, also), SECOND_LOOK_MS);
}
