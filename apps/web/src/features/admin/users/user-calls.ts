import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, errorSentence, queryKeys, type Schemas } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';
import { isWaiting, WAITING_TITLE } from '../approvals/use-approvals';

/** A rating of 1 to 100 with its comment, which is null if there was none or it was erased. */
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
  /** Done, or waiting for a second admin. */
  act: (body: B) => Promise<{ message: string }>;
  /** The title of the toast on success. */
  done: string;
  /** The text if the server sends no sentence of its own (rule admin-12). */
  failure: string;
  onDone: () => void;
}

/**
 * An action of the admin: a toast reports the result, and every list of the panel is refetched. The follow-up belongs
 * to the hook and not to the call, because the row may be gone by then.
 */
export function useAdminAction<B>({ act, done, failure, onDone }: AdminAction<B>) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: act,
    onSuccess(answer) {
      toast({ title: isWaiting(answer) ? WAITING_TITLE : done, description: answer.message });
      onDone();
    },
    onError: (problem) => errorToast('Error', problem, failure),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin }),
  });
  return { run: mutate, isPending, problem: error === null || isPending ? null : errorSentence(error, failure) };
}
