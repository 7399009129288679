import {
  CHAT_RATING_MAX,
  CHAT_RATING_MIN,
  countCharacters,
  REVIEW_CHARACTERS_MAX,
  REVIEW_CHARACTERS_MIN,
  REVIEW_MESSAGE,
} from '@app/domain';
import { useState } from 'react';
import { Button, cappedAt, Checkbox, Dialog, failureToast, Field, Slider, StayOpen, Textarea } from '@/shared/ui';
import type { ChatParty } from './chat-types';
import { isComment, type Review } from './review';

export interface RatingDialogProps {
  open: boolean;
  other: ChatParty;
  review: Review;
  pending: boolean;
  onChange: (review: Review) => void;
  onCancel: () => void;
  onSubmit: () => void;
}

/** How it was, from 1 to 100, with a few words (rule ratings-1). */
export function RatingDialog({ open, other, review, pending, onChange, onCancel, onSubmit }: RatingDialogProps) {
  const [isTouched, setTouched] = useState(false);
  const characters = countCharacters(review.comment);
  const isReady = isComment(review.comment);
  const submit = () => {
    if (isReady) onSubmit();
    else failureToast('Invalid review', REVIEW_MESSAGE);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onCancel()}
      title={`How was your chat with ${other.displayName}?`}
      description="You get your reward as soon as you have rated."
      footer={
        <>
          <StayOpen while={pending} />
          <Button disabled={pending} onClick={onCancel}>
            Cancel
          </Button>
          <Button variant="primary" disabled={!isReady} pending={pending} onClick={submit}>
            {`Rate ${review.rating} of ${CHAT_RATING_MAX}`}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-5">
        <Field
          label="Rating"
          aside={<output className="text-lg font-semibold text-ink tabular-nums">{review.rating}</output>}
        >
          <Slider
            label="Rating"
            min={CHAT_RATING_MIN}
            max={CHAT_RATING_MAX}
            value={review.rating}
            onValueChange={(rating) => onChange({ ...review, rating })}
          />
        </Field>
        <Field
          label="Review"
          hint={`${characters} of ${REVIEW_CHARACTERS_MIN} to ${REVIEW_CHARACTERS_MAX} characters`}
          {...(isTouched && !isReady && { error: REVIEW_MESSAGE })}
        >
          <Textarea
            rows={3}
            value={review.comment}
            onBlur={() => setTouched(review.comment !== '')}
            onChange={(event) => onChange({ ...review, comment: cappedAt(event.target.value, REVIEW_CHARACTERS_MAX) })}
          />
        </Field>
        <Checkbox
          label={`Follow ${other.displayName}`}
          checked={review.follow}
          onCheckedChange={(follow) => onChange({ ...review, follow })}
        />
      </div>
    </Dialog>
  );
}
