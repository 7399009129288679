import { MessagesSquare } from 'lucide-react';
import { Link } from 'react-router-dom';
import { chatKeys } from '@/features/chats';
import { api, formatCount, type Schemas, useCursorPages } from '@/shared/api';
import { Amount, Avatar, Badge, buttonClasses, EmptyState, ErrorNote, LoadMore, Skeleton } from '@/shared/ui';
import { payoutDate } from './payout-date';

/** A chat whose reward was paid to the member. */
type CompletedChat = Schemas['ChatHistoryItemDto'];

/** The member's finished chats, newest first. */
const useChatHistory = () => useCursorPages(chatKeys.history, (page) => api.get('/api/chats/completed-history', page));

/** Rule wallet-9. */
const FAILURE = 'Failed to load payout history. Please try again later.';

/** Finished chats with what each earned, for Payout History and a tab of the wallet. */
export function ChatHistoryList() {
  const history = useChatHistory();
  const chats = history.data?.pages.flatMap(({ chatHistories }) => chatHistories);
  if (chats === undefined) {
    if (!history.isError) return <Loading />;
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void history.refetch()} retrying={history.isFetching}>
          {FAILURE}
        </ErrorNote>
      </div>
    );
  }
  if (chats.length === 0) {
    return (
      <EmptyState
        icon={MessagesSquare}
        title="No completed chats yet"
        text="Chats that you finish are listed here with what they earned you and how you rated each other."
        action={
          <Link to="/" className={buttonClasses()}>
            Find someone to talk to
          </Link>
        }
      />
    );
  }
  return (
    <>
      <ul className="divide-y divide-line">
        {chats.map((chat) => (
          <HistoryItem key={chat.chatId} chat={chat} />
        ))}
      </ul>
      <LoadMore list={history} failure={history.isFetchNextPageError ? FAILURE : null} />
    </>
  );
}

function HistoryItem({ chat }: { chat: CompletedChat }) {
  const { otherUser, isInitiator } = chat;
  return (
    <li>
      <Link
        to={`/chat/${chat.chatId}`}
        className="flex items-start gap-3 px-4 py-3 cramped:flex-wrap hover:bg-sky-700/50 sm:px-6"
      >
        <Avatar name={otherUser.displayName} src={otherUser.profileImageUrl} />
        <div className="min-w-0 flex-1 cramped:basis-full">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <bdi className="max-w-full truncate text-sm font-semibold text-ink">{otherUser.displayName}</bdi>
            <Badge tone={isInitiator ? 'neutral' : 'nova'}>{isInitiator ? 'You initiated' : 'You hosted'}</Badge>
          </p>
          <p className="mt-0.5 text-xs text-ink-faint">
            <time dateTime={chat.completedAt}>{payoutDate(chat.completedAt)}</time>
          </p>
          <dl className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-muted tabular-nums">
            <Fact name="Exchanges" value={formatCount(chat.exchangeCount)} />
            <Fact name="Characters" value={formatCount(chat.totalCharacters)} />
            <Fact name="My rating" value={rating(chat.myRating)} />
            <Fact name="Their rating" value={rating(chat.theirRating)} />
          </dl>
        </div>
        <div className="grid justify-items-end gap-1 text-sm cramped:justify-items-start font-semibold">
          <Amount value={chat.novaEarned} signed />
          <InfluenceEarned points={chat.influencePointsEarned} />
        </div>
      </Link>
    </li>
  );
}

function InfluenceEarned({ points }: { points: number }) {
  if (points === 0) return <span className="text-xs font-normal text-ink-faint">0 Influence</span>;
  return <span className="text-xs text-influence tabular-nums">+{points} Influence</span>;
}

const rating = (value: number | null): string => (value === null ? 'none' : `${value} / 100`);

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex gap-1">
      <dt>{name}</dt>
      <dd className="text-ink">{value}</dd>
    </div>
  );
}

function Loading() {
  return (
    <div aria-busy="true" className="grid gap-3 p-4">
      <Skeleton className="h-16" />
      <Skeleton className="h-16" />
      <Skeleton className="h-16" />
    </div>
  );
}
