import { ChevronRight, Gem, type LucideIcon, Star, Timer } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import {
  type ChatRequest,
  type ChatSummary,
  minutesAndSeconds,
  useAcceptChat,
  useDeclineChat,
  useSecondsUntil,
} from '@/features/chats';
import { errorSentence, formatCount, formatNova, sayAmount } from '@/shared/api';
import { Amount, Avatar, Badge, Button, Card, ErrorNote, PageHeader, ProgressBar, Skeleton, toast } from '@/shared/ui';
import { BurnDialog } from './burn-dialog';
import { EarnedNovaPanel } from './earned-nova-panel';
import { ListCard } from './list-card';
import { NovaBreakdownPanel } from './nova-breakdown-panel';
import { PendingRatingsCard } from './pending-ratings-card';
import type { Dashboard } from './status-types';
import { useCreateTestPerks, useDashboard, useInboundChats, useMyChats } from './use-status';

/** What waits for the member, and what their tokens are worth (rule status-1). */
export function StatusTab() {
  const dashboard = useDashboard();
  const { data } = dashboard;
  const isFailed = dashboard.isError && data === undefined;
  return (
    <>
      <PageHeader title="Status" />
      <div className="grid grid-cols-1 gap-4 sm:gap-6">
        {/* A request is over after two minutes: it comes first. */}
        <InboundChatsCard />
        {isFailed ? (
          <ErrorNote onRetry={() => void dashboard.refetch()} retrying={dashboard.isFetching}>
            {errorSentence(dashboard.error, 'Your dashboard could not be loaded.')}
          </ErrorNote>
        ) : (
          <DashboardTiles dashboard={data} />
        )}
        <div className="grid grid-cols-1 gap-4 sm:gap-6 lg:grid-cols-2 lg:items-start">
          <OpenChatsCard />
          <PendingRatingsCard rewards={data?.pendingRewardItems} />
          {!isFailed && <EarnedNovaPanel dashboard={data} />}
          <NovaBreakdownPanel />
        </div>
        {!isFailed && <EnpTestingPanel dashboard={data} />}
      </div>
    </>
  );
}

/** Tries out the Earned Nova Protocol: creates holdings to burn, and burns them (rule status-4). */
function EnpTestingPanel({ dashboard }: { dashboard: Dashboard | undefined }) {
  const perks = useCreateTestPerks();
  const [isBurning, setBurning] = useState(false);
  const mayCreate = dashboard?.testPerksAllowed === true;
  return (
    <Card title="ENP System Testing">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-xl text-sm text-ink-muted">
          Burning turns earned Nova, Karma and Influence into Seyvn for good.
          {dashboard !== undefined && !mayCreate && <span> Test perks are switched off in this installation.</span>}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button disabled={!mayCreate} pending={perks.isPending} onClick={() => perks.mutate()}>
            Create Test Perks
          </Button>
          <Button disabled={dashboard === undefined} onClick={() => setBurning(true)}>
            Burn for Seyvn
          </Button>
        </div>
      </div>
      {dashboard !== undefined && isBurning && <BurnDialog dashboard={dashboard} onClose={() => setBurning(false)} />}
    </Card>
  );
}

const STATES: Partial<Record<ChatSummary['status'], string>> = {
  requested: 'Waiting for an answer',
  active: 'Active',
  successful: 'Rate it',
};

/** Chats that the member can return to. */
function OpenChatsCard() {
  return (
    <ListCard
      title="Open chats"
      query={useMyChats()}
      failure="Your chats could not be loaded."
      empty="No open chats."
      hint="Ask a member for a chat from their card."
    >
      {(chat) => <OpenChat key={chat.id} chat={chat} />}
    </ListCard>
  );
}

function OpenChat({ chat }: { chat: ChatSummary }) {
  const { id, otherUser, status, price, percentage, isUnread } = chat;
  return (
    <li>
      <Link to={`/chat/${id}`} className="flex items-center gap-3 px-4 py-3 hover:bg-sky-700/50 sm:px-6">
        <Avatar name={otherUser.displayName} src={otherUser.profileImageUrl} />
        <div className="min-w-0 flex-1">
          <p dir="auto" className="truncate text-left text-sm font-semibold text-ink">
            {otherUser.displayName}
          </p>
          <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-muted">
            <Amount value={price} />
            <Badge tone={status === 'requested' ? 'hold' : 'nova'}>{STATES[status] ?? status}</Badge>
            {isUnread && <span className="font-semibold text-nova">New messages</span>}
          </p>
          <ProgressBar label={`Progress with ${otherUser.displayName}`} value={percentage} className="mt-2 h-1.5" />
        </div>
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-ink-faint" />
      </Link>
    </li>
  );
}

/** Three figures: the worth of all tokens, the member's rating, and the chats that wait for their rating. */
function DashboardTiles({ dashboard }: { dashboard: Dashboard | undefined }) {
  return (
    <dl className="grid gap-3 sm:grid-cols-3 sm:gap-6">
      <Tile
        icon={Gem}
        label="Total token value"
        isLoading={dashboard === undefined}
        note="Seyvn: earned Nova + 10 × Influence + 5 × Karma"
      >
        {formatNova(dashboard?.seyvnValue ?? 0)}
      </Tile>
      <Tile icon={Star} label="Rating" isLoading={dashboard === undefined} note={dashboard && ratings(dashboard)}>
        {(dashboard?.rating ?? 0).toFixed(2)}
      </Tile>
      <Tile
        icon={Timer}
        label="Pending ratings"
        isLoading={dashboard === undefined}
        note={dashboard && waiting(dashboard.pendingRewards)}
      >
        {formatCount(dashboard?.pendingRatings ?? 0)}
      </Tile>
    </dl>
  );
}

const ratings = ({ ratingCount, completedChats: chats }: Dashboard): string =>
  `${ratingCount === 0 ? 'Nobody has rated you yet · ' : ''}${formatCount(chats)} completed ${chats === 1 ? 'chat' : 'chats'}`;

const waiting = (nova: number): string =>
  nova === 0 ? 'No Nova waits for them' : `${sayAmount(nova)} ${nova === 1 ? 'waits' : 'wait'} for them`;

interface TileProps {
  icon: LucideIcon;
  label: string;
  /** Absent while it loads. */
  note: string | undefined;
  isLoading: boolean;
  children: ReactNode;
}

function Tile({ icon: Icon, label, note, isLoading, children }: TileProps) {
  return (
    <div className="rounded-lg border border-line bg-sky-800 px-4 py-3 sm:py-4 lg:p-6">
      <dt className="flex items-center gap-2 text-sm text-ink-muted">
        <Icon aria-hidden="true" className="size-4" />
        {label}
      </dt>
      <dd className="mt-1 text-lg font-semibold text-ink tabular-nums sm:mt-2 lg:text-xl">
        {isLoading ? <Skeleton className="h-7 w-24 lg:h-8.5" /> : children}
      </dd>
      <dd className="mt-1 text-xs text-ink-faint">{note ?? <Skeleton className="h-4 w-32" />}</dd>
    </div>
  );
}

/** Requests that wait for the member, the highest price first; each expires after two minutes (rule chats-9). */
function InboundChatsCard() {
  return (
    <ListCard
      title="Inbound priority"
      query={useInboundChats()}
      failure="Your requests could not be loaded."
      empty="Nobody is waiting for you."
      hint="When someone asks you for a paid chat, it appears here, and you have two minutes to accept."
    >
      {(chat) => <InboundChat key={chat.chatId} chat={chat} />}
    </ListCard>
  );
}

function InboundChat({ chat }: { chat: ChatRequest }) {
  const navigate = useNavigate();
  const accept = useAcceptChat(({ chatId }) => void navigate(`/chat/${chatId}`));
  const decline = useDeclineChat(({ message }) => toast({ title: 'Chat declined', description: message }));
  const left = useSecondsUntil(chat.acceptBy) ?? 0;
  const isOver = left === 0;
  return (
    <li className="grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-3 px-4 py-3 sm:grid-cols-[auto_1fr_auto] sm:px-6">
      <Avatar name={chat.initiator.displayName} src={chat.initiator.profileImageUrl} />
      <div className="min-w-0">
        <p dir="auto" className="truncate text-left text-sm font-semibold text-ink">
          {chat.initiator.displayName}
        </p>
        <p className="flex items-center gap-2 text-xs text-ink-muted">
          <Amount value={chat.price} />
          <span role="timer" className="whitespace-nowrap text-hold tabular-nums">
            {isOver ? 'expired' : `${minutesAndSeconds(left)} left`}
          </span>
        </p>
      </div>
      <div className="col-span-2 flex gap-2 *:flex-1 sm:col-span-1 sm:*:flex-none">
        <Button
          size="sm"
          aria-label={`Decline ${chat.initiator.displayName}`}
          disabled={isOver || accept.isPending}
          pending={decline.isPending}
          onClick={() => decline.mutate(chat.chatId)}
        >
          Decline
        </Button>
        <Button
          size="sm"
          variant="primary"
          aria-label={`Accept ${chat.initiator.displayName}`}
          disabled={isOver || decline.isPending}
          pending={accept.isPending}
          onClick={() => accept.mutate(chat.chatId)}
        >
          Accept
        </Button>
      </div>
    </li>
  );
}
