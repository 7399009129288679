import type { AccountKind, Currency } from '@app/domain';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiFetch, queryKeys, type Pagination } from '@/shared/api';
import { toast } from '@/shared/ui';
import type { Doer } from '../doer-name';

/** The books up to a moment, sealed (`docs/receipts.md`). */
export interface Period {
  number: number;
  endsAt: string;
  firstRevision: number;
  lastRevision: number;
  chainHash: string;
  root: string;
  totalsHash: string;
  previousSeal: string;
  seal: string;
  closedAt: string;
  actor: Doer['actor'];
  /** The admin's name. */
  closedBy: string | null;
  events: number;
  totals: { kind: AccountKind; currency: Currency; amount: number }[];
}

export const PERIOD_PAGE_SIZE = 20;

const periodsKey = [...queryKeys.admin, 'periods'];

export const usePeriods = (page: number) =>
  useQuery({
    queryKey: [...periodsKey, page],
    queryFn: ({ signal }) =>
      apiFetch<{ periods: Period[]; pagination: Pagination }>(
        `/api/admin/periods?page=${page}&limit=${PERIOD_PAGE_SIZE}`,
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

export function useClosePeriod(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { endsAt: string; reason?: string }) =>
      apiFetch<Period>('/api/admin/periods', { method: 'POST', body }),
    onSuccess({ number }) {
      toast({ title: 'Period Closed', description: `Period ${number} is sealed.` });
      onDone();
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin }),
  });
}
