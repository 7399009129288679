import { REVIEW_CHARACTERS_MAX } from '@app/domain';
import { clsx } from 'clsx';
import { RadioGroup } from 'radix-ui';
import { useState } from 'react';
import { Button, cappedAt, Dialog, Field, StayOpen, Textarea } from '@/shared/ui';
import type { PendingRating } from './status-types';
import { useSubmitRating } from './use-status';

const STARS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;

/** A rating from the dashboard: 1 to 10, a comment if one likes (rule ratings-3). */
export function StarRatingDialog({ rating, onClose }: { rating: PendingRating; onClose: () => void }) {
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
      title={`Rate your chat with ${rating.otherUserName}`}
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
