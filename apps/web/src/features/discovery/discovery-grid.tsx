import { useQueryClient } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { ArrowUp, SearchX } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { type ChatSummary, RequestChatDialog } from '@/features/chats';
import { useMyChats } from '@/features/status';
import { errorSentence, formatCount } from '@/shared/api';
import { useHeldValue } from '@/shared/hooks/use-held-value';
import { useSettledValue } from '@/shared/hooks/use-settled-value';
import { Button, Card, EmptyState, ErrorNote, LoadMore, Skeleton } from '@/shared/ui';
import { type CardDeck, CardDeckProvider } from './card-deck';
import type { CardFace } from './card-faces';
import { type CardFilters, filterCount, NO_FILTERS } from './card-filters';
import { CardGrid } from './card-grid';
import type { ProfileCard } from './card-types';
import { DiscoveryControls } from './discovery-controls';
import { distinctProfiles } from './distinct-profiles';
import { useGridShape } from './grid-shape';
import { RequestsForMe } from './requests-for-me';
import { useUnlockedProfiles } from './unlocked-profiles';
import { useCardFilters } from './use-card-filters';
import { reloadCards, useCardOf, useCards, useVisibleCards } from './use-discovery';
import { type Newcomers, useNewcomers } from './use-newcomers';
import { VideoStage } from './video-stage';
import type { VisiblePart } from './visible-part';

const ChatOverlay = lazy(async () => ({ default: (await import('@/features/chats/chat-overlay')).ChatOverlay }));

/** The new rows on the screen are fetched only once scrolling rests for this long. */
const VISIBLE_SETTLES_MS = 800;

/** The grid of cards with its search and filters (rule discovery-6). */
export function DiscoveryGrid() {
  const control = useCardFilters();
  const cards = useCards(control.filters);
  const profiles = useMemo(() => cards.data && distinctProfiles(cards.data.pages), [cards.data]);
  // An empty result for the previous filters says nothing about the new ones.
  const isLoading = profiles === undefined ? !cards.isError : profiles.length === 0 && cards.isPlaceholderData;
  const isOwnShown = profiles?.some(({ isOwn }) => isOwn) ?? true;
  return (
    <div className="grid grid-cols-1 gap-4 sm:gap-6">
      <DiscoveryControls control={control} />
      {!isOwnShown && <RequestsForMe isAlone />}
      {isLoading && <LoadingCards />}
      {profiles === undefined && cards.isError && (
        <ErrorNote onRetry={() => void cards.refetch()} retrying={cards.isFetching}>
          {errorSentence(cards.error, 'Members could not be loaded.')}
        </ErrorNote>
      )}
      {profiles?.length === 0 && !isLoading && <NobodyFound control={control} />}
      {profiles !== undefined && profiles.length > 0 && (
        <Cards
          filters={control.filters}
          profiles={profiles}
          online={cards.data?.pages[0]?.online}
          hasMore={cards.hasNextPage}
          isStale={cards.isPlaceholderData}
        />
      )}
      <LoadMore list={cards} failure={cards.isFetchNextPageError ? 'More members could not be loaded.' : null} />
      {!cards.hasNextPage && profiles !== undefined && profiles.length > 0 && <BackToTop />}
    </div>
  );
}

/** The card of one member alone (rule discovery-19). */
export function MemberCard({ memberId }: { memberId: string }) {
  const { data, isError, error, isFetching, refetch } = useCardOf(memberId);
  const profiles = useMemo(() => data && distinctProfiles(data.pages), [data]);
  if (profiles === undefined) {
    if (!isError) return <LoadingCards count={1} />;
    return (
      <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
        {errorSentence(error, 'This member could not be loaded.')}
      </ErrorNote>
    );
  }
  if (profiles.length === 0) {
    return (
      <Card>
        <EmptyState icon={SearchX} title="No card here" text="This member is gone, or cannot be shown to you." />
      </Card>
    );
  }
  return <Cards filters={NO_FILTERS} profiles={profiles} hasMore={false} isStale={false} isAlone />;
}

interface CardsProps {
  filters: CardFilters;
  profiles: readonly ProfileCard[];
  /** Who was online when they were loaded. */
  online?: readonly string[] | undefined;
  hasMore: boolean;
  /** The cards still belong to the previous filters, because those of the new ones are on their way. */
  isStale: boolean;
  /** One card that was asked for, whoever else comes online. */
  isAlone?: boolean;
}

function Cards({ filters, profiles: loaded, online: loadedOnline, hasMore, isStale, isAlone = false }: CardsProps) {
  // Kept here and not in a card, because the card may leave the grid while its dialog is open.
  const [asked, setAsked] = useState<ProfileCard | null>(null);
  const [overlaid, setOverlaid] = useState<{ id: string; name: string } | null>(null);
  const [visible, setVisible] = useState<VisiblePart>({ offset: 0, limit: 0 });
  const unlocked = useUnlockedProfiles();
  const { deck, faces, highlightedId, isHeld, letGo } = useDeck({
    onAsk: setAsked,
    onOpenChat: setOverlaid,
    onUnlocked: unlocked.add,
  });
  const profiles = useHeldOrder(loaded, isHeld);
  const { offset, limit } = useSettledValue(visible, VISIBLE_SETTLES_MS);
  const online = useVisibleCards({
    ids: profiles.slice(offset, offset + limit).map(({ id }) => id),
    filters,
    online: loadedOnline,
    stays: (id) => isHeld || faces.has(id),
  });
  const newcomers = useNewcomers({ filters, profiles, hasMore, online: isStale || isAlone ? undefined : online });
  const { data: chats } = useMyChats();
  const openChats = useMemo(() => openChatsByMember(chats), [chats]);
  return (
    <div
      aria-busy={isStale || undefined}
      className={clsx(isStale && 'opacity-60 transition-opacity', isAlone && 'max-w-72')}
    >
      <CardDeckProvider value={deck}>
        {newcomers.count > 0 && <NewcomersLine {...newcomers} />}
        {/* The cards are about to move: a press now could open, or pay for, the wrong one. */}
        <div inert={isStale} onPointerLeave={({ pointerType }) => pointerType === 'mouse' && letGo()}>
          <CardGrid
            profiles={profiles}
            hasMore={hasMore}
            isAlone={isAlone}
            faces={faces}
            isUnlocked={(profile) => profile.isUnlocked || unlocked.has(profile.id)}
            highlightedId={highlightedId}
            openChats={openChats}
            onVisible={setVisible}
          />
        </div>
      </CardDeckProvider>
      {asked !== null && <RequestChatDialog host={asked} open onOpenChange={() => setAsked(null)} />}
      {overlaid !== null && (
        <Suspense>
          <ChatOverlay chatId={overlaid.id} name={overlaid.name} onClose={() => setOverlaid(null)} />
        </Suspense>
      )}
    </div>
  );
}

/** Lies over the grid, so that no card moves when it appears. */
function NewcomersLine({ count, show, isPending }: Newcomers) {
  return (
    <div className="sticky top-20 z-2 grid h-0 justify-items-center">
      <Button size="sm" pending={isPending} onClick={show} className="rounded-full! bg-sky-700! shadow-raised">
        <span>{`${formatCount(count)} new – show`}</span>
      </Button>
    </div>
  );
}

/** While held, the cards stay in the order from before; what they show stays new. */
function useHeldOrder(profiles: readonly ProfileCard[], isHeld: boolean): readonly ProfileCard[] {
  const before = useHeldValue(profiles, isHeld);
  return useMemo(() => {
    if (before === profiles) return profiles;
    const byId = new Map(profiles.map((profile) => [profile.id, profile]));
    return before.map((profile) => byId.get(profile.id) ?? profile);
  }, [before, profiles]);
}

function NobodyFound({ control: { filters, change } }: { control: ReturnType<typeof useCardFilters> }) {
  const isFiltered = filterCount(filters) > 0 || filters.search !== '';
  return (
    <Card>
      <EmptyState
        icon={SearchX}
        title="No profiles found"
        text="Try adjusting your search filters"
        action={isFiltered && <Button onClick={() => change(NO_FILTERS)}>Clear Filters</Button>}
      />
    </Card>
  );
}

/** Shown after the end of the list (rule discovery-6). */
function BackToTop() {
  return (
    <Button
      className="justify-self-center"
      icon={<ArrowUp aria-hidden="true" className="size-4" />}
      onClick={() => {
        window.scrollTo({ top: 0, behavior: 'smooth' });
        document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
      }}
    >
      Back to Top
    </Button>
  );
}

function LoadingCards({ count }: { count?: number }) {
  const { columns } = useGridShape();
  return (
    <div
      aria-busy="true"
      className="grid gap-3 sm:gap-4"
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
    >
      {Array.from({ length: count ?? columns * 2 }, (_, card) => (
        <Skeleton key={card} className="h-72 rounded-lg" />
      ))}
    </div>
  );
}

/**
 * The open chat with each member, to whom no second request can be sent. A chat that only waits for a rating does not
 * count.
 */
const openChatsByMember = (chats: readonly ChatSummary[] = []): ReadonlyMap<string, string> =>
  new Map(
    chats
      .filter(({ status }) => status === 'requested' || status === 'active')
      .map(({ id, otherUser }) => [otherUser.id, id]),
  );

/** A card that has risen is highlighted for this long; the order holds still as long at most (rule discovery-16). */
const HIGHLIGHT_MS = 2_000;

interface DeckOptions {
  onAsk: (profile: ProfileCard) => void;
  onOpenChat: (chat: { id: string; name: string }) => void;
  onUnlocked: (profileId: string) => void;
}

/** Which cards are turned, and what happens beyond a card when one is upvoted. */
function useDeck({ onAsk, onOpenChat, onUnlocked }: DeckOptions) {
  const client = useQueryClient();
  const [stage] = useState(() => new VideoStage());
  const [faces, setFaces] = useState<ReadonlyMap<string, CardFace>>(new Map());
  const [paid, setPaid] = useState<{ id: string; hasRisen: boolean } | null>(null);
  const [isLeft, setLeft] = useState(false);
  useEffect(() => {
    if (paid === null) return undefined;
    const timer = setTimeout(() => setPaid(null), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [paid]);
  const letGo = useCallback(() => setLeft(true), []);
  const turn = useCallback(
    (profileId: string, face: CardFace) => setFaces((before) => turned(before, profileId, face)),
    [],
  );
  const deck = useMemo<CardDeck>(
    () => ({
      stage,
      turn,
      upvoted(profileId, { kind, wasUnlocked, positionChanged }) {
        onUnlocked(profileId);
        // Turn the card also if another browser had already unlocked it, or if the first answer was lost and the card
        // is known to be unlocked by now: the member pressed it to open it.
        if (kind === 'unlock' || !wasUnlocked) turn(profileId, 'details');
        setLeft(false);
        setPaid((before) => ({
          id: profileId,
          hasRisen: positionChanged || (before?.id === profileId && before.hasRisen),
        }));
        if (positionChanged) void reloadCards(client);
      },
      askForChat: onAsk,
      openChat: (id, name) => onOpenChat({ id, name }),
    }),
    [stage, turn, client, onAsk, onOpenChat, onUnlocked],
  );
  return {
    deck,
    faces,
    highlightedId: paid?.hasRisen === true ? paid.id : null,
    /** Cards must not move under the pointer: the member may press once more. */
    isHeld: paid !== null && !isLeft,
    /** The pointer has left the cards. */
    letGo,
  };
}

/** The card turned last comes last; cards with their front up are not listed. */
function turned(faces: ReadonlyMap<string, CardFace>, id: string, face: CardFace): ReadonlyMap<string, CardFace> {
  const next = new Map(faces);
  next.delete(id);
  if (face !== 'front') next.set(id, face);
  return next;
}
