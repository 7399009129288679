import { ArrowUp, SearchX } from 'lucide-react';
import { useMemo, useState } from 'react';
import { ChatOverlay, RequestChatDialog } from '@/features/chats';
import { useMyChats } from '@/features/status';
import { errorSentence } from '@/shared/api';
import { useSettledValue } from '@/shared/hooks/use-settled-value';
import { Button, Card, EmptyState, ErrorNote, LoadMore, Skeleton } from '@/shared/ui';
import { CardDeckProvider } from './card-deck';
import { NO_FILTERS, filterCount } from './card-filters';
import { CardGrid } from './card-grid';
import type { ProfileCard } from './card-types';
import { DiscoveryControls } from './discovery-controls';
import { distinctProfiles } from './distinct-profiles';
import { useGridShape } from './grid-shape';
import { RequestsForMe } from './requests-for-me';
import { useUnlockedProfiles } from './unlocked-profiles';
import { openChatsByMember } from './open-chats';
import { useCardFilters } from './use-card-filters';
import { useDeck } from './use-deck';
import { useCards, useVisibleCards } from './use-discovery';
import type { VisiblePart } from './visible-part';

/** Scrolling on asks for what is newly on the screen only once it rests. */
const VISIBLE_SETTLES_MS = 800;

/** The grid of cards with its search and filters (rule discovery-6). */
export function DiscoveryGrid() {
  const control = useCardFilters();
  const cards = useCards(control.filters);
  const profiles = useMemo(() => cards.data && distinctProfiles(cards.data.pages), [cards.data]);
  // That nobody was found with the filters before says nothing of these.
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
        <Cards profiles={profiles} hasMore={cards.hasNextPage} isStale={cards.isPlaceholderData} />
      )}
      <LoadMore list={cards} failure={cards.isFetchNextPageError ? 'More members could not be loaded.' : null} />
      {!cards.hasNextPage && profiles !== undefined && profiles.length > 0 && <BackToTop />}
    </div>
  );
}

interface CardsProps {
  profiles: readonly ProfileCard[];
  hasMore: boolean;
  /** The cards of the filters before, while those of the new ones are on their way. */
  isStale: boolean;
}

function Cards({ profiles, hasMore, isStale }: CardsProps) {
  // Here and not in a card, which may leave the grid while its dialog is open.
  const [asked, setAsked] = useState<ProfileCard | null>(null);
  const [overlaid, setOverlaid] = useState<{ id: string; name: string } | null>(null);
  const [visible, setVisible] = useState<VisiblePart>({ offset: 0, limit: 0 });
  const unlocked = useUnlockedProfiles();
  const { deck, faces, highlightedId } = useDeck({
    onAsk: setAsked,
    onOpenChat: setOverlaid,
    onUnlocked: unlocked.add,
  });
  const { offset, limit } = useSettledValue(visible, VISIBLE_SETTLES_MS);
  useVisibleCards(profiles.slice(offset, offset + limit).map(({ id }) => id));
  const { data: chats } = useMyChats();
  const openChats = useMemo(() => openChatsByMember(chats), [chats]);
  return (
    <div aria-busy={isStale || undefined} className={isStale ? 'opacity-60 transition-opacity' : undefined}>
      <CardDeckProvider value={deck}>
        {/* Cards that are about to move: who pressed one now would open, or pay for, another. */}
        <div inert={isStale}>
          <CardGrid
            profiles={profiles}
            hasMore={hasMore}
            faces={faces}
            isUnlocked={(profile) => profile.isUnlocked || unlocked.has(profile.id)}
            highlightedId={highlightedId}
            openChats={openChats}
            onVisible={setVisible}
          />
        </div>
      </CardDeckProvider>
      {asked !== null && <RequestChatDialog host={asked} open onOpenChange={() => setAsked(null)} />}
      {overlaid !== null && <ChatOverlay chatId={overlaid.id} name={overlaid.name} onClose={() => setOverlaid(null)} />}
    </div>
  );
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

/** After a list that is exhausted (rule discovery-6). */
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

function LoadingCards() {
  const { columns } = useGridShape();
  return (
    <div
      aria-busy="true"
      className="grid gap-3 sm:gap-4"
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
    >
      {Array.from({ length: columns * 2 }, (_, card) => (
        <Skeleton key={card} className="h-72 rounded-lg" />
      ))}
    </div>
  );
}
