import { LOW_RATING_MAX } from '@app/domain';
import { useState } from 'react';
import { isOutcomeUnknown } from '@/shared/api';
import { errorToast } from '@/shared/ui';
import { otherIn } from './chat-sides';
import type { ChatView } from './chat-types';
import { ExplanationDialog } from './explanation-dialog';
import { PayoutDialog } from './payout-dialog';
import { newReview, type Review } from './review';
import { RatingDialog } from './rating-dialog';
import { useRateChat } from './use-chat-actions';

export interface RatingFlowProps {
  chat: ChatView;
  /** The chat waits for my rating and I have not put it off. */
  open: boolean;
  onPutOff: () => void;
  /** The summary was read. */
  onDone: () => void;
}

type Step = 'rating' | 'explanation';

/** Rating, an explanation where it is low, then what the chat has brought (rule ratings-2). */
export function RatingFlow({ chat, open, onPutOff, onDone }: RatingFlowProps) {
  const rate = useRateChat(chat.id);
  const [step, setStep] = useState<Step>('rating');
  const [review, setReview] = useState<Review>(newReview);
  const other = otherIn(chat);
  const { data: payout } = rate;
  // Also while the rating counts and its answer is on its way, or got lost: rating again brings the summary.
  const isOpen = payout === undefined && (open || rate.isPending || isOutcomeUnknown(rate.error));

  const cancel = () => {
    if (rate.isError) rate.reset();
    setReview(newReview());
    setStep('rating');
    onPutOff();
  };
  const submit = () => {
    const { rating, comment, follow, explanation } = review;
    const isLow = rating <= LOW_RATING_MAX;
    rate.mutate(
      { rating, comment: comment.trim(), follow, ...(isLow && { explanation: explanation.trim() }) },
      {
        onError: (error) => errorToast('Failed to complete chat', error),
      },
    );
  };
  return (
    <>
      <RatingDialog
        open={isOpen && step === 'rating'}
        other={other}
        review={review}
        pending={rate.isPending}
        onChange={setReview}
        onCancel={cancel}
        onSubmit={() => (review.rating <= LOW_RATING_MAX ? setStep('explanation') : submit())}
      />
      <ExplanationDialog
        open={isOpen && step === 'explanation'}
        review={review}
        pending={rate.isPending}
        onChange={setReview}
        onBack={() => setStep('rating')}
        onSubmit={submit}
      />
      {payout !== undefined && <PayoutDialog payout={payout} onContinue={onDone} />}
    </>
  );
}
