import { countCharacters } from '@app/domain';
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type PaidPress, queryKeys, refreshMoney, useActionKey, useCursorPages, type Schemas } from '@/shared/api';
import { SEARCH_TEXT_LONGER_THAN } from './gift-rules';

/** Gifts given and received, newest first, with the totals of all of them. */
export const useGiftHistory = () => useCursorPages(queryKeys.gifts, (page) => api.get('/api/gifts/history', page));

/** People to give to; asks the server only if the text is long enough (rule gifts-7). */
export const useUserSearch = (query: string) =>
  useQuery({
    queryKey: queryKeys.userSearch(query),
    queryFn: ({ signal }) => api.get('/api/users/search', { query: { query }, signal }),
    select: ({ users }) => users,
    enabled: isSearchable(query),
    // Names change, so each search that is opened asks again.
    gcTime: 0,
  });

export const isSearchable = (query: string): boolean => countCharacters(query) > SEARCH_TEXT_LONGER_THAN;

export type GiftOrder = Schemas['GiftDraftDto'];

/** The effect of a gift on every party, decided by the ledger without moving anything. */
export const useGiftPreview = (gift: GiftOrder | null) =>
  useQuery({
    queryKey: queryKeys.giftPreview(gift?.recipientId ?? '', gift?.amount ?? 0),
    queryFn: gift === null ? skipToken : ({ signal }) => api.post('/api/gifts/preview', { body: gift, signal }),
    // Balances change, so a preview is never taken from an earlier dialog.
    gcTime: 0,
  });

/** Sends a gift once, however often it is retried: the key stays the same until the gift has arrived. */
export function useSendGift() {
  const client = useQueryClient();
  const key = useActionKey();
  return useMutation({
    mutationFn: ({ gift, press }: { gift: GiftOrder; press: PaidPress }) =>
      api.post('/api/gifts/send', { body: gift, idempotencyKey: key.keyFor(gift), press }),
    onSuccess: () => key.done(),
    // Also after a failure: without an answer, only the history shows what happened.
    onSettled: (sent) => refreshMoney(client, sent),
  });
}
