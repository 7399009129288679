import {
  CHAT_RATING_MAX,
  countCharacters,
  EXPLANATION_CHARACTERS_MAX,
  EXPLANATION_CHARACTERS_MIN,
  EXPLANATION_MESSAGE,
  LOW_RATING_MAX,
} from '@app/domain';
import { useState } from 'react';
import { Button, cappedAt, Dialog, failureToast, Field, StayOpen, Textarea } from '@/shared/ui';
import { isExplanation, type Review } from './review';

export interface ExplanationDialogProps {
  open: boolean;
  review: Review;
  pending: boolean;
  onChange: (review: Review) => void;
  onBack: () => void;
  onSubmit: () => void;
}

/** What went wrong, for a rating of 75 or below (rule ratings-2). */
export function ExplanationDialog({ open, review, pending, onChange, onBack, onSubmit }: ExplanationDialogProps) {
  const [isTouched, setTouched] = useState(false);
  const characters = countCharacters(review.explanation);
  const isReady = isExplanation(review.explanation);
  const submit = () => {
    if (isReady) onSubmit();
    else failureToast('Invalid explanation', EXPLANATION_MESSAGE);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onBack()}
      title="What could have been better?"
      description={`You rated this chat ${review.rating} of ${CHAT_RATING_MAX}. A rating of ${LOW_RATING_MAX} or below comes with an explanation.`}
      footer={
        <>
          <StayOpen while={pending} />
          <Button disabled={pending} onClick={onBack}>
            Back
          </Button>
          <Button variant="primary" disabled={!isReady} pending={pending} onClick={submit}>
            {`Rate ${review.rating} of ${CHAT_RATING_MAX}`}
          </Button>
        </>
      }
    >
      <Field
        label="Explanation"
        hint={`${characters} of ${EXPLANATION_CHARACTERS_MIN} to ${EXPLANATION_CHARACTERS_MAX} characters`}
        {...(isTouched && !isReady && { error: EXPLANATION_MESSAGE })}
      >
        <Textarea
          rows={3}
          value={review.explanation}
          onBlur={() => setTouched(review.explanation !== '')}
          onChange={(event) =>
            onChange({ ...review, explanation: cappedAt(event.target.value, EXPLANATION_CHARACTERS_MAX) })
          }
        />
      </Field>
    </Dialog>
  );
}
