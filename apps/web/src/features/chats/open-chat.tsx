import {
  CHAT_RATING_MAX,
  CHAT_RATING_MIN,
  countCharacters,
  EXPLANATION_CHARACTERS_MAX,
  EXPLANATION_CHARACTERS_MIN,
  EXPLANATION_MESSAGE,
  isolated,
  LOW_RATING_MAX,
  REVIEW_CHARACTERS_MAX,
  REVIEW_CHARACTERS_MIN,
  REVIEW_MESSAGE,
} from '@app/domain';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useSeenNotices } from '@/features/notices/use-notices';
import { isOutcomeUnknown } from '@/shared/api';
import {
  Button,
  cappedAt,
  Checkbox,
  Dialog,
  errorToast,
  failureToast,
  Field,
  Slider,
  StayOpen,
  Textarea,
  toast,
} from '@/shared/ui';
import { isTerminatedSince } from './chat-news';
import type { ChatFrame } from './chat-header';
import { ChatScreen } from './chat-screen';
import { otherIn } from './chat-sides';
import type { ChatParty, ChatStatus, ChatView } from './chat-types';
import { whyTerminated } from './how-it-ended';
import { PayoutDialog } from './payout-dialog';
import { useRateChat } from './use-chat-actions';

export interface OpenChatProps {
  chat: ChatView;
  frame: ChatFrame;
  /** The chat was fetched after it came onto the screen. */
  isFresh: boolean;
  /** Called when the member is done with this chat. */
  onDone: () => void;
}

/**
 * A chat with everything that belongs to it while it is open: leaving and rating. The page and the overlay both use it.
 */
export function OpenChat({ chat, frame, isFresh, onDone }: OpenChatProps) {
  useChatNews(chat, isFresh);
  useSeenNotices(chat.id);
  const [isRatingPutOff, setRatingPutOff] = useState(false);
  const { isReading, stopReading } = useReading(chat, isFresh);
  const mustRate = chat.status === 'successful' && chat.myRating === null;
  const rateNow = () => {
    stopReading();
    setRatingPutOff(false);
  };
  return (
    <>
      <ChatScreen chat={chat} frame={frame} onRate={rateNow} onDone={onDone} />
      <RatingFlow
        chat={chat}
        open={mustRate && !isRatingPutOff && !isReading}
        onPutOff={() => setRatingPutOff(true)}
        onDone={onDone}
      />
    </>
  );
}

/** The last message of a chat that succeeds on the screen is read before the rating lies over it (rule ratings-2). */
const LAST_MESSAGE_READ_MS = 5_000;

/** Whether the member still reads what made the chat a success. */
function useReading({ status }: ChatView, isFresh: boolean): { isReading: boolean; stopReading: () => void } {
  const [before, setBefore] = useState(status);
  const [isReading, setReading] = useState(false);
  if (before !== status) {
    setBefore(status);
    if (isFresh && status === 'successful') setReading(true);
  }
  useEffect(() => {
    if (!isReading) return undefined;
    const timer = setTimeout(() => setReading(false), LAST_MESSAGE_READ_MS);
    return () => clearTimeout(timer);
  }, [isReading]);
  return { isReading, stopReading: () => setReading(false) };
}

/** The page leaves this long after the other side terminates the chat (rule chats-33). */
const LEAVE_AFTER_TERMINATION_MS = 2_000;

/**
 * When the other side terminates the chat on the screen, shows a toast and opens the feed after two seconds (rule
 * chats-33), whether it is heard at once or found out after a lost connection.
 *
 * @param isFresh false while the chat is shown as it was when it was last on the screen: what happened since is not
 * news
 */
function useChatNews(chat: ChatView, isFresh: boolean): void {
  const navigate = useNavigate();
  const { key } = useLocation();
  const before = useRef<ChatStatus>(undefined);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Whoever follows the toast's link in the meantime stays.
  const leave = useEffectEvent((from: string) => {
    if (from === key) void navigate('/feed');
  });
  const tellSince = useEffectEvent((status: ChatStatus) => {
    if (!isTerminatedSince(status, chat)) return;
    toast({
      title: 'Chat Terminated',
      description: `${whyTerminated(chat)}.`,
      variant: 'destructive',
      // Two seconds are short: what came back stays within reach, and whoever asks for it stays with it.
      link: { label: 'Show it', to: `/chat/${chat.id}` },
    });
    leaving.current = setTimeout(() => leave(key), LEAVE_AFTER_TERMINATION_MS);
  });
  useEffect(() => {
    if (!isFresh) return;
    if (before.current !== undefined) tellSince(before.current);
    before.current = chat.status;
  }, [chat.status, isFresh]);
  useEffect(() => () => clearTimeout(leaving.current), []);
}

interface RatingFlowProps {
  chat: ChatView;
  /** The chat waits for the member's rating, and the member has not put it off. */
  open: boolean;
  onPutOff: () => void;
  /** Called once the member has read the summary. */
  onDone: () => void;
}

type Step = 'rating' | 'explanation';

/** Asks for a rating, then for an explanation if the rating is low, then shows what the chat paid (rule ratings-2). */
function RatingFlow({ chat, open, onPutOff, onDone }: RatingFlowProps) {
  const rate = useRateChat(chat.id);
  const [step, setStep] = useState<Step>('rating');
  const [review, setReview] = useState<Review>(newReview);
  const other = otherIn(chat);
  const { data: payout } = rate;
  // The dialog also stays open while the answer to the rating is on its way or lost: rating again returns the summary.
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

interface ExplanationDialogProps {
  open: boolean;
  review: Review;
  pending: boolean;
  onChange: (review: Review) => void;
  onBack: () => void;
  onSubmit: () => void;
}

/** Asks what went wrong, for a rating of 75 or below (rule ratings-2). */
function ExplanationDialog({ open, review, pending, onChange, onBack, onSubmit }: ExplanationDialogProps) {
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

interface RatingDialogProps {
  open: boolean;
  other: ChatParty;
  review: Review;
  pending: boolean;
  onChange: (review: Review) => void;
  onCancel: () => void;
  onSubmit: () => void;
}

/** Asks for a rating from 1 to 100, with a short comment (rule ratings-1). */
function RatingDialog({ open, other, review, pending, onChange, onCancel, onSubmit }: RatingDialogProps) {
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
      title={`How was your chat with ${isolated(other.displayName)}?`}
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
          label={`Follow ${isolated(other.displayName)}`}
          checked={review.follow}
          onCheckedChange={(follow) => onChange({ ...review, follow })}
        />
      </div>
    </Dialog>
  );
}

/** What the member types into the rating dialogs. */
interface Review {
  rating: number;
  comment: string;
  follow: boolean;
  explanation: string;
}

/** The slider starts at 50 of 100 (rule ratings-1). */
const RATING_DEFAULT = 50;

const newReview = (): Review => ({ rating: RATING_DEFAULT, comment: '', follow: false, explanation: '' });

const within = (text: string, min: number, max: number): boolean => {
  const characters = countCharacters(text);
  return characters >= min && characters <= max;
};

/** 50 to 100 characters (rule ratings-1). */
const isComment = (text: string): boolean => within(text, REVIEW_CHARACTERS_MIN, REVIEW_CHARACTERS_MAX);

/** 30 to 100 characters (rule ratings-1). */
const isExplanation = (text: string): boolean => within(text, EXPLANATION_CHARACTERS_MIN, EXPLANATION_CHARACTERS_MAX);
