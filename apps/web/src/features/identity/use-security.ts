import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, queryKeys, type Answer } from '@/shared/api';

/** News of another device's doing comes so late at most, while the page stays open. */
const LOOK_AGAIN_MS = 5 * 60_000;

const noticesQuery = queryOptions<Answer<'/api/auth/security-notices'>>({ queryKey: queryKeys.securityNotices });

/** What happened to the safety of one's own account, newest first. */
export const useSecurityNotices = () =>
  useQuery({ ...noticesQuery, refetchInterval: LOOK_AGAIN_MS, refetchOnWindowFocus: 'always' });

/** Marks the notices that are shown as seen on this device; the screen does not wait for the answer. */
export function useMarkNoticesSeen() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (newestId: string) => api.post('/api/auth/security-notices/seen', { body: { newestId } }),
    onMutate: () =>
      client.setQueryData(
        noticesQuery.queryKey,
        (shown) => shown && { notices: shown.notices.map((notice) => ({ ...notice, isUnseen: false })) },
      ),
    onSettled: () => client.invalidateQueries({ queryKey: noticesQuery.queryKey }),
  });
}

/** What this installation offers around signing in. */
export const useAuthFeatures = () => useQuery<Answer<'/api/auth/features'>>({ queryKey: ['/api/auth/features'] });
