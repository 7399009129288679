import type { AccountKind } from '@app/domain';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { addressOf, api, queryKeys, type Query, type Schemas } from '@/shared/api';

const PAGE_SIZE = 30;

/** The journal after an event; before the first event, its revision is −1. */
export type JournalMoment = Schemas['MomentDto'];

export type TrialBalanceLine = Schemas['KindBalanceDto'];

export type TrialBalance = Schemas['TrialBalanceDto'];

export type LedgerAccount = Schemas['AccountDto'];

export type BookEntry = Schemas['BookEntryDto'];

export type StatementLine = Schemas['StatementLineDto'];

export type MemberStatement = Schemas['MemberStatementDto'];

const keyOf = (...rest: readonly unknown[]) => [...queryKeys.admin, 'finance', ...rest];

/** @param at a moment, or the empty string for now */
export const useTrialBalance = (at: string) =>
  useQuery({
    queryKey: keyOf('trial-balance', { at }),
    queryFn: ({ signal }) => api.get('/api/admin/finance/trial-balance', { query: { at }, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

/** The trial balance as CSV, at the moment that is shown. */
export const trialBalancePath = (moment: JournalMoment | undefined): string =>
  addressOf('/api/admin/finance/trial-balance.csv', { query: { revision: moment?.revision } });

/** The revision in the address; an empty one means now. */
const revisionOf = (text: string | undefined) => (text === undefined || text === '' ? undefined : Number(text));

/** The accounts of a kind after an event, page by page. */
export const useAccounts = (asked: { kind: AccountKind; revision: string }) =>
  useInfiniteQuery({
    queryKey: keyOf('accounts', asked),
    queryFn({ pageParam, signal }) {
      const query = { ...asked, revision: revisionOf(asked.revision), limit: PAGE_SIZE, cursor: pageParam };
      return api.get('/api/admin/finance/accounts', { query, signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });

/** The entries of one account, or of all accounts of a member. */
export interface EntriesAsked {
  account?: string;
  userId?: string;
  from?: string;
  to?: string;
  revision?: string;
}

/** Entries, newest first, page by page. */
export const useEntries = (asked: EntriesAsked) =>
  useInfiniteQuery({
    queryKey: keyOf('entries', asked),
    queryFn({ pageParam, signal }) {
      const query = { ...asked, revision: revisionOf(asked.revision), limit: PAGE_SIZE, cursor: pageParam };
      return api.get('/api/admin/finance/entries', { query, signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });

export interface StatementAsked {
  userId: string;
  from: string;
  to: string;
}

const statementGiven = ({ userId, from, to }: StatementAsked) => ({ path: { id: userId }, query: { from, to } });

export const statementFile = (asked: StatementAsked): string =>
  addressOf('/api/admin/finance/members/{id}/statement.csv', statementGiven(asked));

/** The previous statement stays while another period loads, but not while another member's does. */
export const ofMember = (userId: string) => (previous: MemberStatement | undefined) =>
  previous?.member.id === userId ? previous : undefined;

export const useMemberStatement = (asked: StatementAsked) =>
  useQuery<MemberStatement>({
    queryKey: keyOf('statement', asked),
    queryFn: ({ signal }) => api.get('/api/admin/finance/members/{id}/statement', { ...statementGiven(asked), signal }),
    enabled: asked.userId !== '',
    placeholderData: ofMember(asked.userId),
    refetchOnMount: 'always',
  });

export const exportPath = (asked: Query<'/api/admin/finance/export'>): string =>
  addressOf('/api/admin/finance/export', { query: asked });
