import { useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { api, type PaidPress, refreshMoney, sayAmount, useActionKey, useCursorPages } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';
import type { WallComment, WallPage } from './card-types';
import { patchCards } from './use-discovery';

const wallKey = (memberId: string) => [`/api/profile/${memberId}/wall`] as const;

/** The comments on a member's wall, newest first (rule discovery-14). */
export const useWall = (memberId: string) =>
  useCursorPages(wallKey(memberId), (page) =>
    api.get('/api/profile/{userId}/wall', { path: { userId: memberId }, ...page }),
  );

/** Writes a comment on a wall once, however often it is retried. */
export function useWriteOnWall(memberId: string, onWritten: () => void) {
  const client = useQueryClient();
  const key = useActionKey();
  return useMutation({
    mutationFn: ({ comment, press }: { comment: string; press: PaidPress }) =>
      api.post('/api/profile/{userId}/wall', {
        path: { userId: memberId },
        body: { comment },
        idempotencyKey: key.keyFor(comment),
        press,
      }),
    async onSuccess({ comment, novaDeducted }) {
      key.done();
      await client.cancelQueries({ queryKey: wallKey(memberId) });
      const wall = client.setQueryData<InfiniteData<WallPage>>(wallKey(memberId), (pages) =>
        withComment(pages, comment),
      );
      const total = wall?.pages[0]?.total;
      if (total !== undefined) patchCards(client, [{ id: memberId, wallCount: total }]);
      toast({ title: 'Comment posted', description: `You gave ${sayAmount(novaDeducted)} for it.` });
      onWritten();
    },
    onError(error) {
      errorToast('Failed to post comment', error, 'Please try again');
      void client.invalidateQueries({ queryKey: wallKey(memberId) });
    },
    onSettled: () => refreshMoney(client),
  });
}

/** Shows the member's own comment at once, before the server lists it. */
function withComment(
  wall: InfiniteData<WallPage> | undefined,
  comment: WallComment,
): InfiniteData<WallPage> | undefined {
  const [first, ...rest] = wall?.pages ?? [];
  if (wall === undefined || first === undefined) return undefined;
  if (first.comments.some(({ id }) => id === comment.id)) return wall;
  return { ...wall, pages: [{ ...first, comments: [comment, ...first.comments], total: first.total + 1 }, ...rest] };
}
