import type { DollarAccount, Flow } from '@app/domain';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, queryKeys, type Schemas, useActionKey } from '@/shared/api';
import { toast } from '@/shared/ui';
import { monthLabel } from './fiscal-period';

const PAGE_SIZE = 50;
/** Open payments and disputes that are listed; the next take the places of those that are explained. */
export const OPEN_LISTED_MAX = 100;

export type FinancialStatements = Schemas['FinancialStatementsDto'];
export type PeriodStatements = Schemas['PeriodStatementsDto'];
export type FigureGroup = Schemas['GroupDto'];
export type DollarLine = Schemas['DollarLineDto'];
export type ControlDay = Schemas['ControlDayDto'];
export type OpenAccount = Schemas['OpenAccountDto'];
export type OpenSubject = Schemas['OpenSubjectDto'];
export type ClosedMonth = Schemas['ClosedMonthDto'];

const keyOf = (...rest: readonly unknown[]) => [...queryKeys.admin, 'general-ledger', ...rest];

export interface StatementsAsked {
  month: string;
  from: string;
  to: string;
  compare: string;
}

export const useStatements = (asked: StatementsAsked) =>
  useQuery({
    queryKey: keyOf('statements', asked),
    queryFn: ({ signal }) => api.get('/api/admin/finance/general-ledger/statements', { query: asked, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

export interface DollarLinesAsked {
  account: DollarAccount;
  subject: string;
  flow: Flow | undefined;
  from: string;
  to: string;
}

/** The lines of an account, newest first, page by page. */
export const useDollarLines = (asked: DollarLinesAsked) =>
  useInfiniteQuery({
    queryKey: keyOf('lines', asked),
    queryFn: ({ pageParam, signal }) =>
      api.get('/api/admin/finance/general-ledger/lines', {
        query: { ...asked, limit: PAGE_SIZE, cursor: pageParam },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });

export const useControlTotals = (month: string) =>
  useQuery({
    queryKey: keyOf('control-totals', month),
    queryFn: ({ signal }) => api.get('/api/admin/finance/general-ledger/control-totals', { query: { month }, signal }),
    refetchOnMount: 'always',
  });

export const useOpenSubjects = (month: string) =>
  useQuery({
    queryKey: keyOf('open', month),
    queryFn: ({ signal }) =>
      api.get('/api/admin/finance/general-ledger/open', { query: { month, limit: OPEN_LISTED_MAX }, signal }),
    refetchOnMount: 'always',
  });

export const useClosedMonths = () =>
  useQuery({
    queryKey: keyOf('periods'),
    queryFn: ({ signal }) => api.get('/api/admin/finance/general-ledger/periods', { signal }),
    refetchOnMount: 'always',
  });

export const usePolicies = () =>
  useQuery({
    queryKey: keyOf('policies'),
    queryFn: ({ signal }) => api.get('/api/admin/finance/general-ledger/policies', { signal }),
    refetchOnMount: 'always',
  });

/** An act of finance: everything that is shown of the books is read again after it, or after its refusal. */
function useAct<Body, Done>(act: (body: Body) => Promise<Done>, onDone: (done: Done) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: onDone,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin }),
  });
}

export const useCloseMonth = (onDone: () => void) =>
  useAct(
    (month: string) => api.post('/api/admin/finance/general-ledger/periods', { body: { month } }),
    ({ month }) => {
      toast({ title: 'Month Closed', description: `The figures of ${monthLabel(month)} are final.` });
      onDone();
    },
  );

export const useSetPolicy = (onDone: () => void) =>
  useAct(
    (body: Schemas['SetPolicyDto']) => api.post('/api/admin/finance/general-ledger/policies', { body }),
    () => {
      toast({ title: 'Policy Set', description: 'Closes from that month on follow it.' });
      onDone();
    },
  );

export const useExplainSubject = (onDone: () => void) =>
  useAct(
    (body: Schemas['ExplainSubjectDto']) => api.post('/api/admin/finance/general-ledger/explanations', { body }),
    () => {
      toast({ title: 'Difference Explained', description: 'Its line shows your reason.' });
      onDone();
    },
  );

export function usePostAdjustment(onDone: () => void) {
  const key = useActionKey();
  return useAct(
    (body: Schemas['PostAdjustmentDto']) =>
      api.post('/api/admin/finance/general-ledger/adjustments', { body, idempotencyKey: key.keyFor(body) }),
    () => {
      key.done();
      toast({ title: 'Adjustment Posted', description: 'Its lines show your reason.' });
      onDone();
    },
  );
}
