import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { chatKeys } from '@/features/chats';
import { addressOf, api, firstPage } from '@/shared/api';
import { errorToast } from '@/shared/ui';
import { feedQuery, type CardFilters } from './card-filters';
import type { CardPage, ProfileCard } from './card-types';
import { discoveryKey } from './discovery-key';
import { BATCH, CARDS_MAX } from './visible-part';

/** How often cards and requests are fetched again (rules discovery-10, chats-34). */
const FEED_POLL_MS = 5_000;
const REQUESTS_POLL_MS = 5_000;

const listKey = [...discoveryKey, 'list'] as const;
const visibleKey = [...discoveryKey, 'visible'] as const;

/** Members to meet, 12 at a time: the viewer first, then members who are online (rule discovery-6). */
export const useCards = (filters: CardFilters) =>
  useInfiniteQuery({
    queryKey: [...listKey, filters],
    queryFn: ({ pageParam, signal }) =>
      api.get('/api/discovery/feed', { query: { ...feedQuery(filters), limit: BATCH, offset: pageParam }, signal }),
    initialPageParam: 0,
    initialData: () =>
      firstPage<CardPage, number>(
        addressOf('/api/discovery/feed', { query: { ...feedQuery(filters), limit: BATCH, offset: 0 } }),
        0,
      ),
    getNextPageParam: ({ profiles, hasMore }, pages) => (hasMore && profiles.length > 0 ? pages.length * BATCH : null),
    refetchOnMount: 'always',
    // An empty result has no cards whose poll could find new members.
    refetchInterval: ({ state }) => state.data?.pages[0]?.profiles.length === 0 && FEED_POLL_MS,
    placeholderData: keepPreviousData,
  });

/** The card of one member, in a list of its own; empty if there is none that the viewer may see. */
export const useCardOf = (memberId: string) =>
  useInfiniteQuery({
    queryKey: [...listKey, { memberId }],
    queryFn: ({ signal }) => api.get('/api/discovery/feed', { query: { ids: memberId }, signal }),
    initialPageParam: 0,
    getNextPageParam: () => null,
    refetchOnMount: 'always',
  });

export interface VisibleCards {
  ids: readonly string[];
  filters: CardFilters;
  /** Who was online when the list was loaded. */
  online: readonly string[] | undefined;
  /** A card that stays although its member no longer passes the filters. */
  stays: (profileId: string) => boolean;
}

/** The server names at most this many members who are online. */
const ONLINE_MAX = 300;

/**
 * Refreshes these cards every 5 s (rule discovery-10), the first time 5 s after their list was shown. Their content
 * changes in place and no card moves: the order changes only when the grid is loaded again. Cards are requested by id, because a member who goes offline moves to
 * another place on the server. With "Online Only", the cards of members who left go.
 *
 * @returns who is online and passes the filters; undefined until it is known
 */
export function useVisibleCards({ ids, filters, online: loaded, stays }: VisibleCards): readonly string[] | undefined {
  const client = useQueryClient();
  const given = JSON.stringify(filters);
  // The filters whose list has been shown for one interval: until then its cards are as they were loaded.
  const [aged, setAged] = useState('');
  useEffect(() => {
    const timer = setInterval(() => setAged(given), FEED_POLL_MS);
    return () => clearInterval(timer);
  }, [given]);
  const { data } = useQuery({
    queryKey: [...visibleKey, filters, ids],
    async queryFn({ signal }) {
      const query = { ...feedQuery(filters), ids: ids.join(',') };
      const { profiles, online = [] } = await api.get('/api/discovery/feed', { query, signal, revalidate: true });
      patchCards(client, profiles);
      if (filters.onlineOnly) {
        const isOnline = new Set(online);
        const isCut = online.length >= ONLINE_MAX;
        changeCards(client, filters, (cards) =>
          cards.filter((card) => isOnline.has(card.id) || (isCut && card.isOnline) || card.isOwn || stays(card.id)),
        );
      }
      return { online, given };
    },
    enabled: ids.length > 0 && aged === given,
    refetchInterval: FEED_POLL_MS,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  return data?.given === given ? data.online : loaded;
}

/** Adds the cards of these members, who came after the list was loaded: first or last in it. */
export async function takeCards(
  client: QueryClient,
  filters: CardFilters,
  ids: readonly string[],
  place: 'first' | 'last',
): Promise<void> {
  const query = { ids: ids.slice(0, CARDS_MAX).join(',') };
  const { profiles } = await api.get('/api/discovery/feed', { query });
  const came = new Set(profiles.map(({ id }) => id));
  changeCards(client, filters, (cards, page, pages) => {
    const rest = cards.filter(({ id }) => !came.has(id));
    if (place === 'last') return page === pages - 1 ? [...rest, ...profiles] : rest;
    // The viewer's own card stays the first.
    return page === 0
      ? [...rest.filter(({ isOwn }) => isOwn), ...profiles, ...rest.filter(({ isOwn }) => !isOwn)]
      : rest;
  });
}

type PageChange = (cards: readonly ProfileCard[], page: number, pages: number) => ProfileCard[];

function changeCards(client: QueryClient, filters: CardFilters, change: PageChange): void {
  client.setQueryData<InfiniteData<CardPage>>(
    [...listKey, filters],
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page, index) => ({
          ...page,
          profiles: change(page.profiles, index, list.pages.length),
        })),
      },
  );
}

type CardChange = Partial<ProfileCard> & Pick<ProfileCard, 'id'>;

/** Writes changes of members into every list that shows them. */
export function patchCards(client: QueryClient, changes: readonly CardChange[]): void {
  const byId = new Map(changes.map((change) => [change.id, change]));
  client.setQueriesData<InfiniteData<CardPage>>(
    { queryKey: listKey },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          profiles: page.profiles.map((profile) => ({ ...profile, ...byId.get(profile.id) })),
        })),
      },
  );
}

/** Call this before a command: an answer to an earlier poll would show the state before the command. */
export const holdPoll = (client: QueryClient): Promise<void> => client.cancelQueries({ queryKey: visibleKey });

/** Loads the grid in its new order. */
export const reloadCards = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: listKey });

/** Requests to the member, oldest first; polled (rule chats-34). */
export const usePendingRequests = () =>
  useQuery({
    queryKey: chatKeys.pendingRequests,
    queryFn: ({ signal }) => api.get('/api/chats/pending-requests', { signal }),
    select: ({ requests }) => requests,
    refetchInterval: REQUESTS_POLL_MS,
  });

export function useReportMember() {
  return useMutation({
    mutationFn: ({ memberId, text }: { memberId: string; text: string }) =>
      api.post('/api/users/{id}/report', { path: { id: memberId }, body: { text } }),
    onError: (error) => errorToast('Not reported', error),
  });
}
