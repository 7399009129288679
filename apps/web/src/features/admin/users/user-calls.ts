import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, errorSentence, queryKeys, type Schemas } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';

/** A rating of 1 to 100 with its words; null where nothing was written, or it was erased. */
export type RatingEntry = Omit<Schemas['RatingAboutUserDto'], 'raterId' | 'raterName'>;

export type BlockedEmail = Schemas['BlockedEmailDto'];

export const useUserComments = (userId: string) =>
  useQuery({
    queryKey: [...queryKeys.admin, 'users', userId, 'comments'],
    queryFn: ({ signal }) => api.get('/api/admin/users/{id}/comments', { path: { id: userId }, signal }),
    refetchOnMount: 'always',
  });

export const useBlockedEmails = ({ search, page }: { search: string; page: number }) =>
  useQuery({
    queryKey: [...queryKeys.admin, 'blocked-emails', { search, page }],
    queryFn: ({ signal }) => api.get('/api/admin/blocked-emails', { query: { page, search }, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

export interface AdminAction<B> {
  act: (body: B) => Promise<{ message: string }>;
  /** Title of the toast when it is done. */
  done: string;
  /** What is said when the server says nothing of its own (rule admin-12). */
  failure: string;
  onDone: () => void;
}

/**
 * An act of the admin: a toast tells how it went, and every list of the panel is read again. What follows it belongs to the
 * hook and not to the call: the row that was acted on may be gone by then.
 */
export function useAdminAction<B>({ act, done, failure, onDone }: AdminAction<B>) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: act,
    onSuccess({ message }) {
      toast({ title: done, description: message });
      onDone();
    },
    onError: (problem) => errorToast('Error', problem, failure),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin }),
  });
  return { run: mutate, isPending, problem: error === null || isPending ? null : errorSentence(error, failure) };
}
