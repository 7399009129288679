import { isolated, REVIEW_CHARACTERS_MAX } from '@app/domain';
import { clsx } from 'clsx';
import { RadioGroup } from 'radix-ui';
import { useState } from 'react';
import { Amount, Avatar, Button, cappedAt, Dialog, Field, formatDateTime, StayOpen, Textarea } from '@/shared/ui';
import { ListCard } from './list-card';
import type { PendingRating, PendingReward } from './status-types';
import { usePendingRatings, useSubmitRating } from './use-status';

/** Chats that wait for the member's rating, with what each releases and when that happens without a rating. */
export function PendingRatingsCard({ rewards }: { rewards: readonly PendingReward[] | undefined }) {
  const ratings = usePendingRatings();
  const [chosen, setChosen] = useState<PendingRating | null>(null);
  return (
    <>
      <ListCard
        title="Pending Chat Ratings"
        query={ratings}
        failure="Your pending ratings could not be loaded."
        empty="Nothing to rate."
        hint="Successful chats wait here for your rating, which releases your reward."
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
      <span>until you rate, or on {formatDateTime(reward.releaseAt)}</span>
    </p>
  );
}

const STARS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;

/** A rating from the dashboard: 1 to 10, with an optional comment (rule ratings-3). */
function StarRatingDialog({ rating, onClose }: { rating: PendingRating; onClose: () => void }) {
  const submit = useSubmitRating();
  const [stars, setStars] = useState<number | null>(null);
  const [comment, setComment] = useState('');
  const send = () => {
    if (stars === null) return;
    const words = comment.trim();
    submit.mutate(
      { chatId: rating.chatId, rating: stars, ...(words !== '' && { comment: words }) },
      { onSuccess: onClose },
    );
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Rate your chat with ${isolated(rating.otherUserName)}`}
      description="1 is the worst, 10 the best. Your reward is released at once."
      footer={
        <>
          <StayOpen while={submit.isPending} />
          <Button disabled={submit.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" disabled={stars === null} pending={submit.isPending} onClick={send}>
            {stars === null ? 'Choose a rating' : `Rate ${stars} of 10`}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-5">
        <RadioGroup.Root
          aria-label="Rating"
          value={stars === null ? '' : String(stars)}
          onValueChange={(value) => setStars(Number(value))}
          className="grid grid-cols-5 gap-2 sm:grid-cols-10"
        >
          {STARS.map((star) => (
            <RadioGroup.Item
              key={star}
              value={String(star)}
              className={clsx(
                'grid h-11 place-items-center rounded-sm border text-sm font-semibold tabular-nums transition-colors',
                'border-line bg-sky-700/60 text-ink-muted hover:border-line-strong data-[state=checked]:border-nova data-[state=checked]:bg-nova data-[state=checked]:text-on-nova',
              )}
            >
              {star}
            </RadioGroup.Item>
          ))}
        </RadioGroup.Root>
        <Field label="Comment (optional)" hint={`At most ${REVIEW_CHARACTERS_MAX} characters.`}>
          <Textarea
            rows={3}
            value={comment}
            onChange={(event) => setComment(cappedAt(event.target.value, REVIEW_CHARACTERS_MAX))}
          />
        </Field>
      </div>
    </Dialog>
  );
}
