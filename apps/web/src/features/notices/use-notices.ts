import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api, type Answer } from '@/shared/api';
import { useRealtimeEvent } from '@/shared/realtime';

const keys = {
  all: ['/api/notices'],
  unread: ['/api/notices', 'unread'],
} as const;

export type Notice = Answer<'/api/notices'>['notices'][number];

/** Notices of the member, newest first; asked for while they are looked at. */
export const useNotices = (enabled: boolean) =>
  useQuery<Answer<'/api/notices'>>({
    queryKey: keys.all,
    enabled,
    refetchOnMount: 'always',
  });

/** How many notices are unread, kept up to date over the live connection (rule notices-3). */
export function useUnreadNotices(): number {
  const client = useQueryClient();
  const { data } = useQuery({ queryKey: keys.unread, queryFn: () => api.get('/api/notices/unread') });
  useRealtimeEvent('notices_changed', () => void refreshNotices(client));
  return data?.unread ?? 0;
}

/** Without a connection nothing was heard of them. */
export const refreshNotices = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: keys.all });

/** Marks what was shown as read, on all devices. */
export function useMarkNoticesRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (newestId: string) => api.post('/api/notices/read', { body: { newestId } }),
    onSuccess: (answer) => client.setQueryData(keys.unread, answer),
    onSettled: () => refreshNotices(client),
  });
}
