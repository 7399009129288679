import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, queryKeys, type Answer } from '@/shared/api';

/** While the page stays open, events from another device appear after at most this time. */
const LOOK_AGAIN_MS = 5 * 60_000;

const noticesQuery = queryOptions<Answer<'/api/auth/security-notices'>>({ queryKey: queryKeys.securityNotices });

/** Security events of the member's own account, newest first. */
export const useSecurityNotices = () =>
  useQuery({ ...noticesQuery, refetchInterval: LOOK_AGAIN_MS, refetchOnWindowFocus: 'always' });

/** Marks the notices that are shown as seen on this device, without waiting for the answer. */
export function useMarkNoticesSeen() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (newestId: string) =>
      api.post('/api/auth/security-notices/seen', { body: { newestId }, keepalive: true }),
    async onMutate() {
      await client.cancelQueries({ queryKey: noticesQuery.queryKey });
      client.setQueryData(
        noticesQuery.queryKey,
        (shown) => shown && { notices: shown.notices.map((notice) => ({ ...notice, isUnseen: false })) },
      );
    },
    onSettled: () => client.invalidateQueries({ queryKey: noticesQuery.queryKey }),
  });
}

/** What this installation offers for signing in. */
export const useAuthFeatures = () => useQuery<Answer<'/api/auth/features'>>({ queryKey: ['/api/auth/features'] });
