import { Star } from 'lucide-react';
import { useState } from 'react';
import { Amount, Avatar, Button, EmptyState, formatDateTime } from '@/shared/ui';
import { ListCard } from './list-card';
import { StarRatingDialog } from './star-rating-dialog';
import type { PendingRating, PendingReward } from './status-types';
import { usePendingRatings } from './use-status';

/** Chats that wait for my rating, with what each releases and when it comes by itself. */
export function PendingRatingsCard({ rewards }: { rewards: readonly PendingReward[] | undefined }) {
  const ratings = usePendingRatings();
  const [chosen, setChosen] = useState<PendingRating | null>(null);
  return (
    <>
      <ListCard
        title="Pending Chat Ratings"
        query={ratings}
        failure="Your pending ratings could not be loaded."
        empty={
          <EmptyState
            icon={Star}
            title="Nothing to rate"
            text="Successful chats wait here for your rating, which releases your reward."
            className="pt-2 pb-8"
          />
        }
      >
        {(rating) => (
          <li key={rating.chatId} className="flex items-center gap-3 px-4 py-3 sm:px-6">
            <Avatar name={rating.otherUserName} src={rating.otherUserAvatar} />
            <div className="min-w-0 flex-1">
              <p dir="auto" className="truncate text-left text-sm font-semibold text-ink">
                {rating.otherUserName}
              </p>
              <p className="text-xs text-ink-muted">
                Chat for <Amount value={rating.chatPrice} />
              </p>
              <Reward reward={rewards?.find(({ chatId }) => chatId === rating.chatId)} />
            </div>
            <Button
              size="sm"
              variant="primary"
              aria-label={`Rate ${rating.otherUserName}`}
              onClick={() => setChosen(rating)}
            >
              Rate
            </Button>
          </li>
        )}
      </ListCard>
      {chosen !== null && <StarRatingDialog rating={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

function Reward({ reward }: { reward: PendingReward | undefined }) {
  if (reward === undefined) return null;
  return (
    <p className="mt-0.5 text-xs text-ink-muted">
      {reward.nova > 0 ? (
        <Amount value={reward.nova} tone="hold" />
      ) : (
        <span className="text-influence">+{reward.influence} Influence</span>
      )}{' '}
      until you rate, or on {formatDateTime(reward.releaseAt)}
    </p>
  );
}
