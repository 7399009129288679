import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, type Answer, type Schemas } from '@/shared/api';
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
  useRealtimeEvent('notices_changed', () => void refreshNotices(client));
  return useUnread();
}

function useUnread(): number {
  const { data } = useQuery({ queryKey: keys.unread, queryFn: () => api.get('/api/notices/unread') });
  return data?.unread ?? 0;
}

/** Without a connection nothing was heard of them. */
export const refreshNotices = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: keys.all });

/** Marks what was shown as read, or what a chat says that the member looks at, on all devices. */
export function useMarkNoticesRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (read: Schemas['MarkNoticesReadDto']) => api.post('/api/notices/read', { body: read }),
    onSuccess: (answer) => client.setQueryData(keys.unread, answer),
    onSettled: () => refreshNotices(client),
  });
}

/** Whoever looks at a chat has read the notices of it (rule notices-3). */
export function useSeenNotices(chatId: string): void {
  const unread = useUnread();
  const { mutate: markRead } = useMarkNoticesRead();
  useEffect(() => {
    const look = () => {
      if (unread > 0 && !document.hidden) markRead({ chatId });
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [unread, chatId, markRead]);
}
