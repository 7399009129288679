import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Answer, api, type Schemas } from '@/shared/api';

export type Takeout = Schemas['TakeoutDto'];

const KEY = ['/api/takeout'] as const;
const POLL_MS = 2_000;

export const isUnderWay = (takeout: Takeout | null | undefined): boolean =>
  takeout?.state === 'waiting' || takeout?.state === 'running';

/** The last file with everything of the member; looks again while it is made. */
export const useTakeout = () =>
  useQuery<Answer<'/api/takeout'>>({
    queryKey: KEY,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (isUnderWay(state.data?.takeout) ? POLL_MS : false),
  });

export function useOrderTakeout() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.post('/api/takeout'),
    onSuccess: (takeout) => client.setQueryData(KEY, { takeout }),
  });
}

/** The browser saves the file as it arrives: it may be larger than a page's memory. */
export const useDownloadTakeout = () =>
  useMutation({
    async mutationFn(id: string) {
      // Asks for a fresh proof where one is needed, which a link could not.
      const { url } = await api.get('/api/takeout/{id}', { path: { id } });
      const link = document.createElement('a');
      link.href = url;
      link.download = '';
      link.click();
    },
  });
