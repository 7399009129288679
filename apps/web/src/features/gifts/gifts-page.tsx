import { ArrowDownLeft, ArrowUpRight, Gift as GiftIcon, type LucideIcon, Sigma } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorSentence, formatCount, type Schemas, useCurrentUser } from '@/shared/api';
import { useOpenFromAddress } from '@/shared/hooks/use-open-from-address';
import {
  Amount,
  Avatar,
  Badge,
  Button,
  Card,
  EmptyState,
  ErrorNote,
  formatExactTime,
  LoadMore,
  PageHeader,
  Skeleton,
} from '@/shared/ui';
import { SendGiftDialog } from './send-gift-dialog';
import { useGiftHistory } from './use-gifts';

/** Gifts (rule gifts-6). `?send=1` opens the Send Gift dialog. */
export function GiftsPage() {
  const history = useGiftHistory();
  const [isSendOpen, setSendOpen] = useOpenFromAddress('send');
  const send = () => setSendOpen(true);
  const hasFailed = history.isError && history.data === undefined;
  return (
    <>
      <PageHeader
        title="Gifts"
        backTo="/"
        backLabel="Back to discovery"
        actions={
          <Button variant="primary" icon={<GiftIcon aria-hidden="true" className="size-4" />} onClick={send}>
            Send Gift
          </Button>
        }
      />
      {hasFailed ? (
        <ErrorNote onRetry={() => void history.refetch()} retrying={history.isFetching}>
          {errorSentence(history.error, 'Your gifts could not be loaded.')}
        </ErrorNote>
      ) : (
        <>
          <Summary summary={history.data?.pages[0]?.summary} />
          <Card className="mt-6" title="Gift History" flush>
            <GiftHistory history={history} onSend={send} />
          </Card>
        </>
      )}
      <SendGiftDialog open={isSendOpen} onOpenChange={setSendOpen} />
    </>
  );
}

function Summary({ summary }: { summary: Schemas['GiftSummaryDto'] | undefined }) {
  return (
    <dl className="grid gap-3 sm:grid-cols-3 sm:gap-6">
      <Tile icon={ArrowUpRight} label="Gifts Sent" isLoading={summary === undefined}>
        {summary && formatCount(summary.sentCount)}
      </Tile>
      <Tile icon={ArrowDownLeft} label="Gifts Received" isLoading={summary === undefined}>
        {summary && formatCount(summary.receivedCount)}
      </Tile>
      <Tile icon={Sigma} label="Total Sent" isLoading={summary === undefined}>
        <Amount value={summary?.totalSent ?? 0} />
      </Tile>
    </dl>
  );
}

interface TileProps {
  icon: LucideIcon;
  label: string;
  isLoading: boolean;
  children: ReactNode;
}

function Tile({ icon: Icon, label, isLoading, children }: TileProps) {
  return (
    <div className="flex items-center justify-between gap-x-3 rounded-lg border border-line bg-sky-800 px-4 py-3 cramped:flex-wrap sm:block sm:py-4 lg:p-6">
      <dt className="flex items-center gap-2 text-sm text-ink-muted">
        <Icon aria-hidden="true" className="size-4" />
        {label}
      </dt>
      <dd className="text-lg font-semibold text-ink tabular-nums sm:mt-2 lg:text-xl">
        {isLoading ? <Skeleton className="h-7 w-24 lg:h-8.5" /> : children}
      </dd>
    </div>
  );
}

interface GiftHistoryProps {
  history: ReturnType<typeof useGiftHistory>;
  onSend: () => void;
}

/** The Gift History list (rule gifts-6). */
function GiftHistory({ history, onSend }: GiftHistoryProps) {
  const { data: user } = useCurrentUser();
  const gifts = history.data?.pages.flatMap((page) => page.gifts);
  if (gifts === undefined) return <SkeletonRows />;
  if (gifts.length === 0) {
    return (
      <EmptyState
        icon={GiftIcon}
        title="No gifts yet"
        text="Gifts that you send and receive are listed here. Half of each goes to the recipient, half to everyone who holds Influence."
        action={<Button onClick={onSend}>Send your first gift</Button>}
      />
    );
  }
  return (
    <>
      <ul className="divide-y divide-line border-t border-line">
        {gifts.map((gift) => (
          <GiftRow key={gift.id} gift={gift} isSent={gift.senderId === user?.id} />
        ))}
      </ul>
      <LoadMore
        list={history}
        failure={history.isFetchNextPageError ? errorSentence(history.error, 'More gifts could not be loaded.') : null}
      />
    </>
  );
}

// Short month, day, hour and minute (rule gifts-6).
const giftTime = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

function GiftRow({ gift, isSent }: { gift: Schemas['GiftDto']; isSent: boolean }) {
  const other = isSent ? gift.recipient : gift.sender;
  const Direction = isSent ? ArrowUpRight : ArrowDownLeft;
  return (
    <li className="flex min-h-18 items-center gap-3 px-4 py-3 cramped:flex-wrap sm:px-6">
      <span className="relative shrink-0">
        <Avatar name={other.displayName} src={other.profileImageUrl} />
        <span className="absolute -right-1 -bottom-1 grid size-5 place-items-center rounded-full border border-line bg-sky-950 text-ink-muted">
          <Direction aria-hidden="true" className="size-3" />
        </span>
      </span>
      <div className="min-w-0 flex-1 cramped:basis-full">
        <p className="line-clamp-2 text-sm font-medium text-ink">
          {isSent ? 'Gift to ' : 'Gift from '}
          <bdi>{other.displayName}</bdi>
        </p>
        <p className="mt-0.5 flex flex-wrap items-center gap-2 text-xs text-ink-faint">
          {gift.isReversed && <Badge>Reversed</Badge>}
          <time dateTime={gift.createdAt} title={formatExactTime(gift.createdAt)}>
            {giftTime.format(new Date(gift.createdAt))}
          </time>
        </p>
      </div>
      <div className="grid shrink-0 justify-items-end">
        <Amount value={isSent ? -gift.amount : gift.recipientShare} signed bare className="text-sm font-semibold" />
        <p className="text-xs text-ink-faint">
          {isSent ? 'they got ' : 'of '}
          <Amount value={isSent ? gift.recipientShare : gift.amount} bare />
        </p>
      </div>
    </li>
  );
}

const SKELETON_WIDTHS = ['w-40', 'w-56', 'w-32', 'w-48'];

function SkeletonRows() {
  return (
    <ul aria-label="Loading gifts" aria-busy="true" className="divide-y divide-line border-t border-line">
      {SKELETON_WIDTHS.map((width) => (
        <li key={width} className="flex min-h-18 items-center gap-3 px-4 py-3 sm:px-6">
          <Skeleton className="size-10 shrink-0 rounded-full" />
          <div className="grid gap-2">
            <Skeleton className={`h-4 max-w-full ${width}`} />
            <Skeleton className="h-3 w-24" />
          </div>
          <Skeleton className="ml-auto h-4 w-20" />
        </li>
      ))}
    </ul>
  );
}
