import { Star } from 'lucide-react';
import { useState } from 'react';
import { Amount, Avatar, Button, Card, EmptyState, formatDateTime, Skeleton } from '@/shared/ui';
import { StarRatingDialog } from './star-rating-dialog';
import type { PendingRating, PendingReward } from './status-types';
import { usePendingRatings } from './use-status';

/** Chats that wait for my rating, with what each releases and when it comes by itself. */
export function PendingRatingsCard({ rewards }: { rewards: readonly PendingReward[] | undefined }) {
  const { data: ratings } = usePendingRatings();
  const [chosen, setChosen] = useState<PendingRating | null>(null);
  return (
    <Card title="Pending Chat Ratings" flush>
      {ratings === undefined && <Skeleton className="m-4 h-14" />}
      {ratings?.length === 0 && (
        <EmptyState
          icon={Star}
          title="Nothing to rate"
          text="Successful chats wait here for your rating, which releases your reward."
        />
      )}
      <ul className="divide-y divide-line">
        {ratings?.map((rating) => (
          <li key={rating.chatId} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 sm:px-6">
            <Avatar name={rating.otherUserName} src={rating.otherUserAvatar} />
            <div className="min-w-0 flex-1">
              <p className="truncate text-sm font-semibold text-ink">{rating.otherUserName}</p>
              <Reward reward={rewards?.find(({ chatId }) => chatId === rating.chatId)} />
            </div>
            <Amount value={rating.chatPrice} className="text-sm text-ink-muted" />
            <Button
              size="sm"
              variant="primary"
              aria-label={`Rate ${rating.otherUserName}`}
              onClick={() => setChosen(rating)}
            >
              Rate
            </Button>
          </li>
        ))}
      </ul>
      {chosen !== null && <StarRatingDialog rating={chosen} onClose={() => setChosen(null)} />}
    </Card>
  );
}

function Reward({ reward }: { reward: PendingReward | undefined }) {
  if (reward === undefined) return null;
  return (
    <p className="text-xs text-ink-muted">
      {reward.nova > 0 ? (
        <Amount value={reward.nova} tone="hold" />
      ) : (
        <span className="text-influence">+{reward.influence} Influence</span>
      )}{' '}
      until you rate, or on {formatDateTime(reward.releaseAt)}
    </p>
  );
}
