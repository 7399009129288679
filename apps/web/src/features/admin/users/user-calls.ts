import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiFetch, errorSentence, queryKeys, type AdminUser, type Pagination } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';

/** A rating of 1 to 100 with its words; null where nothing was written, or it was erased. */
export interface RatingEntry {
  id: string;
  rating: number;
  comment: string | null;
  explanation: string | null;
  chatId: string;
  createdAt: string;
}

/** S1 §3 User comments report: the figures of all ratings, the newest of each list. */
export interface UserComments {
  user: AdminUser;
  stats: {
    totalRatingsReceived: number;
    totalRatingsMade: number;
    averageRatingReceived: number;
    averageRatingGiven: number;
  };
  ratingsAboutUser: (RatingEntry & { raterId: string; raterName: string })[];
  ratingsMadeByUser: (RatingEntry & { ratedUserId: string; ratedUserName: string })[];
}

export interface BlockedEmail {
  id: string;
  email: string;
  /** What every way to write the address leads to. */
  mailbox: string;
  reason: string | null;
  blockedBy: string | null;
  createdAt: string;
}

export interface BlockedEmailPage {
  blockedEmails: BlockedEmail[];
  pagination: Pagination;
}

export const userPath = (userId: string, rest = ''): string => `/api/admin/users/${encodeURIComponent(userId)}${rest}`;

export const useUserComments = (userId: string) =>
  useQuery({
    queryKey: [...queryKeys.admin, 'users', userId, 'comments'],
    queryFn: ({ signal }) => apiFetch<UserComments>(userPath(userId, '/comments'), { signal }),
    refetchOnMount: 'always',
  });

export const useBlockedEmails = ({ search, page }: { search: string; page: number }) =>
  useQuery({
    queryKey: [...queryKeys.admin, 'blocked-emails', { search, page }],
    queryFn({ signal }) {
      const query = new URLSearchParams({ page: String(page), ...(search !== '' && { search }) });
      return apiFetch<BlockedEmailPage>(`/api/admin/blocked-emails?${query}`, { signal });
    },
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

export interface AdminAction {
  path: string;
  method?: 'POST' | 'DELETE';
  /** Title of the toast when it is done. */
  done: string;
  /** What is said when the server says nothing of its own (S1 §8). */
  failure: string;
  onDone: () => void;
}

/**
 * An act of the admin: a toast tells how it went, and every list of the panel is read again. What follows it belongs to the
 * hook and not to the call: the row that was acted on may be gone by then.
 */
export function useAdminAction({ path, method = 'POST', done, failure, onDone }: AdminAction) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: object) => apiFetch<{ message: string }>(path, { method, body }),
    onSuccess({ message }) {
      toast({ title: done, description: message });
      onDone();
    },
    onError: (problem) => errorToast('Error', problem, failure),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin }),
  });
  return { run: mutate, isPending, problem: error === null || isPending ? null : errorSentence(error, failure) };
}
