import { Search, SearchX } from 'lucide-react';
import { useState } from 'react';
import { ChatOverlay, RequestChatDialog } from '@/features/chats';
import { errorSentence, useSettledValue } from '@/shared/api';
import { Card, EmptyState, ErrorNote, LoadMore, Skeleton, TextInput } from '@/shared/ui';
import { distinctProfiles } from './distinct-profiles';
import { MemberCard } from './member-card';
import { RequestsForMe } from './requests-for-me';
import { useDiscovery, type ProfileCard } from './use-discovery';

/** S0 §5: the search waits for so long without typing. */
const SEARCH_SETTLES_MS = 300;

/** The grid of cards (S0 §2 Main discovery page). */
export function DiscoveryGrid() {
  const [text, setText] = useState('');
  const search = useSettledValue(text.trim(), SEARCH_SETTLES_MS);
  const feed = useDiscovery(search);
  const profiles = feed.data && distinctProfiles(feed.data.pages);
  // Here and not in the card, which may leave the grid while its dialog is open.
  const [asked, setAsked] = useState<ProfileCard | null>(null);
  const [overlaid, setOverlaid] = useState<{ id: string; name: string } | null>(null);
  return (
    <div className="grid grid-cols-1 gap-4 sm:gap-6">
      <RequestsForMe />
      <div className="relative max-w-md">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-faint"
        />
        <TextInput
          type="search"
          aria-label="Search members"
          placeholder="Search members"
          className="pl-9"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {profiles === undefined && !feed.isError && <LoadingCards />}
      {profiles === undefined && feed.isError && (
        <ErrorNote onRetry={() => void feed.refetch()} retrying={feed.isFetching}>
          {errorSentence(feed.error, 'Members could not be loaded.')}
        </ErrorNote>
      )}
      {profiles?.length === 0 && (
        <Card>
          <EmptyState icon={SearchX} title="No profiles found" text="Try adjusting your search filters" />
        </Card>
      )}
      {profiles !== undefined && profiles.length > 0 && (
        <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
          {profiles.map((profile) => (
            <MemberCard
              key={profile.id}
              profile={profile}
              onAsk={setAsked}
              onOpenChat={(id, name) => setOverlaid({ id, name })}
            />
          ))}
        </ul>
      )}
      <LoadMore
        hasMore={feed.hasNextPage}
        isLoading={feed.isFetchingNextPage}
        failure={feed.isFetchNextPageError ? 'More members could not be loaded.' : null}
        onLoad={() => void feed.fetchNextPage()}
      />
      {asked !== null && <RequestChatDialog host={asked} open onOpenChange={() => setAsked(null)} />}
      {overlaid !== null && <ChatOverlay chatId={overlaid.id} name={overlaid.name} onClose={() => setOverlaid(null)} />}
    </div>
  );
}

function LoadingCards() {
  return (
    <div aria-busy="true" className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
      {[1, 2, 3, 4].map((card) => (
        <Skeleton key={card} className="h-72 rounded-lg" />
      ))}
    </div>
  );
}
