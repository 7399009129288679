import type { AccountKind, Currency } from '@app/domain';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { apiFetch, queryKeys } from '@/shared/api';

const PAGE_SIZE = 30;

/** The journal once an event was in it; before the first one its revision is −1. */
export interface JournalMoment {
  revision: number;
  at: string | null;
  hash: string;
}

export interface TrialBalanceLine {
  kind: AccountKind;
  currency: Currency;
  balance: number;
}

export interface TrialBalance {
  moment: JournalMoment;
  lines: TrialBalanceLine[];
}

export interface LedgerAccount {
  account: string;
  currency: Currency;
  balance: number;
  owner: { kind: 'member' | 'application'; id: string; displayName: string } | null;
}

interface AccountPage {
  accounts: LedgerAccount[];
  nextCursor: string | null;
}

export interface BookEntry {
  revision: number;
  eventId: string;
  type: string;
  description: string;
  createdAt: string;
  account: string;
  currency: Currency;
  amount: number;
  balanceAfter: number;
  hash: string;
}

interface EntryPage {
  entries: BookEntry[];
  nextCursor: string | null;
}

export interface StatementLine {
  account: string;
  currency: Currency;
  opening: number;
  in: number;
  out: number;
  closing: number;
}

export interface OpeningClosing {
  opening: number;
  closing: number;
}

export interface MemberStatement {
  member: { id: string; displayName: string; email: string };
  opening: JournalMoment;
  closing: JournalMoment;
  lines: StatementLine[];
  owed: OpeningClosing;
  nova: OpeningClosing;
}

const BOOKS = '/api/admin/finance';
const keyOf = (...rest: readonly unknown[]) => [...queryKeys.admin, 'finance', ...rest];

/** Parameters that say something; empty ones are absent. */
function financeQuery(parameters: Readonly<Record<string, string>>): URLSearchParams {
  return new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''));
}

/** @param at a moment, or the empty string for now */
export const useTrialBalance = (at: string) =>
  useQuery({
    queryKey: keyOf('trial-balance', { at }),
    queryFn: ({ signal }) => apiFetch<TrialBalance>(`${BOOKS}/trial-balance?${financeQuery({ at })}`, { signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

/** As CSV, of the moment that is shown. */
export const trialBalancePath = (moment: JournalMoment | undefined): string =>
  `${BOOKS}/trial-balance.csv?${financeQuery({ revision: String(moment?.revision ?? '') })}`;

/** The accounts of a kind after an event, page by page. */
export const useAccounts = (asked: { kind: AccountKind; revision: string }) =>
  useInfiniteQuery({
    queryKey: keyOf('accounts', asked),
    queryFn({ pageParam, signal }) {
      const query = financeQuery({ ...asked, limit: String(PAGE_SIZE), cursor: pageParam });
      return apiFetch<AccountPage>(`${BOOKS}/accounts?${query}`, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });

/** Of one account, or of all accounts of a member. */
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
      const query = financeQuery({ ...asked, limit: String(PAGE_SIZE), cursor: pageParam });
      return apiFetch<EntryPage>(`${BOOKS}/entries?${query}`, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });

export interface StatementAsked {
  userId: string;
  from: string;
  to: string;
}

export const statementPath = ({ userId, from, to }: StatementAsked, form: 'statement' | 'statement.csv'): string =>
  `${BOOKS}/members/${encodeURIComponent(userId)}/${form}?${financeQuery({ from, to })}`;

/** What is shown while another period is loaded; of another member nothing is. */
export const ofMember = (userId: string) => (previous: MemberStatement | undefined) =>
  previous?.member.id === userId ? previous : undefined;

export const useMemberStatement = (asked: StatementAsked) =>
  useQuery<MemberStatement>({
    queryKey: keyOf('statement', asked),
    queryFn: ({ signal }) => apiFetch<MemberStatement>(statementPath(asked, 'statement'), { signal }),
    enabled: asked.userId !== '',
    placeholderData: ofMember(asked.userId),
    refetchOnMount: 'always',
  });

export const exportPath = (asked: { format: string; from: string; to: string }): string =>
  `${BOOKS}/export?${financeQuery(asked)}`;
