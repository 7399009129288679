import { POST_RATING_MAX, POST_RATING_MIN } from '@app/domain';
import { useState } from 'react';
import { Button, Dialog, Field, Slider, StayOpen } from '@/shared/ui';
import type { Post } from './feed-types';
import { useRatePost } from './use-post-actions';

const RATING_FIRST = 50;

/** How good a post is, from 1 to 100. */
export function RatePostDialog({ post, onClose }: { post: Post; onClose: () => void }) {
  const [rating, setRating] = useState(post.myRating ?? RATING_FIRST);
  const rate = useRatePost(post);
  return (
    <Dialog
      open
      size="sm"
      onOpenChange={onClose}
      title="Rate this post"
      description={
        <>
          By <bdi>{post.author.displayName}</bdi>
        </>
      }
      footer={
        <>
          <StayOpen while={rate.isPending} />
          <Button disabled={rate.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            pending={rate.isPending}
            onClick={() => rate.mutate(rating, { onSuccess: onClose })}
          >{`Rate ${rating} of ${POST_RATING_MAX}`}</Button>
        </>
      }
    >
      <Field
        label="Rating"
        hint={post.myRating === null ? undefined : `You rated it ${post.myRating}. A new rating replaces it.`}
        aside={<output className="text-lg font-semibold text-ink tabular-nums">{rating}</output>}
      >
        <Slider
          label="Rating"
          min={POST_RATING_MIN}
          max={POST_RATING_MAX}
          value={rating}
          onValueChange={setRating}
          valueText={`${rating} of ${POST_RATING_MAX}`}
        />
      </Field>
    </Dialog>
  );
}
