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

/** Whether this page itself is ending its session. */
export const isSigningOut = (client: QueryClient): boolean => client.isMutating({ mutationKey: SIGN_OUT_KEY }) > 0;

/**
 * Ends the session and clears everything cached (rule screens-13). The caller's next steps (the toast, going to /)
 * belong to the mutation, because the screen that asked may be gone before the answer comes.
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

/** An answer can come before the read models catch up: a read right after it may still show the old state. */
const SECOND_LOOK_MS = 2_000;

/**
 * Call this after a movement of Nova: everything that shows a balance, a statement, gifts or platform totals is fetched
 * again, and once more a little later if the answer said that the read models were behind. `also` lists further queries
 * that the movement concerns.
 */
export function refreshMoney(
  client: QueryClient,
  answer?: { projected: boolean },
  also: readonly QueryKey[] = [],
): void {
  for (const queryKey of [...moneyKeys, queryKeys.admin, ...also]) void client.invalidateQueries({ queryKey });
  if (answer?.projected === false) setTimeout(() => refreshMoney(client, undefined, also), SECOND_LOOK_MS);
}
