import { ArrowDownLeft, ArrowUpRight, Gift as GiftIcon } from 'lucide-react';
import { errorSentence, useCurrentUser, type Schemas } from '@/shared/api';
import { Amount, Avatar, Button, EmptyState, formatExactTime, LoadMore, Skeleton } from '@/shared/ui';
import type { useGiftHistory } from './use-gifts';

export interface GiftHistoryProps {
  history: ReturnType<typeof useGiftHistory>;
  onSend: () => void;
}

/** The Gift History list (rule gifts-6). */
export function GiftHistory({ history, onSend }: GiftHistoryProps) {
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
        <p className="mt-0.5 text-xs text-ink-faint">
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
