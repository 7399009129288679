import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, queryKeys, type Schemas } from '@/shared/api';
import { toast } from '@/shared/ui';

/** The books up to a moment, sealed (`docs/receipts.md`). */
export type Period = Schemas['PeriodDto'];

export const PERIOD_PAGE_SIZE = 20;

const periodsKey = [...queryKeys.admin, 'periods'];

export const usePeriods = (page: number) =>
  useQuery({
    queryKey: [...periodsKey, page],
    queryFn: ({ signal }) => api.get('/api/admin/periods', { query: { page, limit: PERIOD_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

export function useClosePeriod(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['ClosePeriodDto']) => api.post('/api/admin/periods', { body }),
    onSuccess({ number }) {
      toast({ title: 'Period Closed', description: `Period ${number} is sealed.` });
      onDone();
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin }),
  });
}
