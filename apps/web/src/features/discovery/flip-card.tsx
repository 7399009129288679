import { clsx } from 'clsx';
import { type CSSProperties, memo, type ReactNode, useEffect, useRef, useState } from 'react';
import { formatCount, isOutcomeUnknown, minorToNova, novaToMinor, type PaidPress, sayAmount } from '@/shared/api';
import { cappedAt, NovaMark, PaidButton, Textarea } from '@/shared/ui';
import { useCardDeck } from './card-deck';
import { type CardFace, faceAfter } from './card-faces';
import { CardFront } from './card-front';
import { NAVIGATE_NOVA, WALL_CHARACTERS_MAX, wallCommentNova } from './card-prices';
import type { ProfileCard } from './card-types';
import { ChatButtons, DetailsFace } from './details-face';
import { FaceFrame, PaidStep, TurnedContext } from './face-frame';
import { OwnCardBack } from './own-card-back';
import { useNavigateCard } from './use-card-actions';
import { useWriteOnWall } from './use-wall';
import { WallList } from './wall-list';

/** Slightly longer than the turn takes: then the side that turned away is removed. */
const GONE_AFTER_MS = 250;

export interface FlipCardProps {
  profile: ProfileCard;
  face: CardFace;
  isUnlocked: boolean;
  /** The card has just risen in the grid (rule discovery-16). */
  isHighlighted: boolean;
  isAutoplay: boolean;
  openChatId: string | null;
  /** On a phone, where the back takes the whole row: its width, and the side to which it grows. */
  backStyle: CSSProperties | undefined;
}

/** A card with a front and a back; the side that is turned away cannot be reached (rule discovery-4). */
export const FlipCard = memo(function FlipCard(props: FlipCardProps) {
  const { profile, face, isUnlocked, isHighlighted, isAutoplay, openChatId, backStyle } = props;
  const back = useLastBack(face);
  const isFront = face === 'front';
  const card = useFocusOnFront(isFront);
  const wasTurned = useWasTurned(face);
  return (
    <div ref={card} className="relative h-72 perspective-[1200px]" data-highlighted={isHighlighted || undefined}>
      <Side isShown={isFront} away="rotate-y-180" isHighlighted={isHighlighted}>
        <CardFront
          profile={profile}
          isUnlocked={isUnlocked}
          isAutoplay={isAutoplay}
          isFacing={isFront}
          openChatId={openChatId}
        />
      </Side>
      {back !== null && (
        <Side isShown={!isFront} away="-rotate-y-180" style={backStyle} isHighlighted={isHighlighted} isNew>
          <TurnedContext value={wasTurned}>
            {profile.isOwn ? (
              <OwnCardBack profile={profile} face={back} />
            ) : (
              <CardBack profile={profile} face={back} openChatId={openChatId} />
            )}
          </TurnedContext>
        </Side>
      )}
    </div>
  );
});

/** The face of the back that is shown or turning away; null once it is gone. */
function useLastBack(face: CardFace): CardFace | null {
  const [back, setBack] = useState<CardFace | null>(null);
  if (face !== 'front' && face !== back) setBack(face);
  useEffect(() => {
    if (face !== 'front') return undefined;
    const timer = setTimeout(() => setBack(null), GONE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [face]);
  return face === 'front' ? back : face;
}

/** False as long as the card shows the face that it started with. */
function useWasTurned(face: CardFace): boolean {
  const [first, setFirst] = useState<CardFace | null>(face);
  if (first !== null && first !== face) setFirst(null);
  return first === null;
}

/** When the card turns back to its front, the control that opened it gets the focus again. */
function useFocusOnFront(isFront: boolean) {
  const card = useRef<HTMLDivElement>(null);
  const wasFront = useRef(isFront);
  useEffect(() => {
    if (isFront && !wasFront.current) {
      card.current?.querySelector<HTMLElement>('[data-card-opener]')?.focus({ preventScroll: true });
    }
    wasFront.current = isFront;
  }, [isFront]);
  return card;
}

interface SideProps {
  isShown: boolean;
  /** The turn that takes this side out of sight. */
  away: 'rotate-y-180' | '-rotate-y-180';
  style?: CSSProperties | undefined;
  isHighlighted: boolean;
  /** The side turns in as it appears. */
  isNew?: boolean;
  children: ReactNode;
}

function Side({ isShown, away, style, isHighlighted, isNew = false, children }: SideProps) {
  return (
    <div
      data-card-side
      inert={!isShown}
      style={style}
      className={clsx(
        'absolute inset-y-0 right-0 left-0 rounded-lg backface-hidden transition-[transform,opacity,box-shadow] duration-200',
        'motion-reduce:transform-none!',
        isHighlighted && 'ring-2 ring-nova ring-offset-4 ring-offset-sky-950',
        !isShown && `${away} opacity-0`,
        isNew && 'starting:-rotate-y-180 starting:opacity-0',
      )}
    >
      {children}
    </div>
  );
}

interface CardBackProps {
  profile: ProfileCard;
  face: CardFace;
  openChatId: string | null;
}

/** The three faces that others see; each step costs 50 Nova (rules discovery-4, discovery-12). */
function CardBack({ profile, face, openChatId }: CardBackProps) {
  const deck = useCardDeck();
  const navigate = useNavigateCard(profile.id, () => deck.turn(profile.id, faceAfter(face)));
  const step = (
    <PaidStep
      face={face}
      profileId={profile.id}
      isTurning={navigate.isPending}
      onPay={(press) => navigate.mutate(press)}
    />
  );
  const onClose = () => deck.turn(profile.id, 'front');
  if (face === 'details') {
    return (
      <FaceFrame
        face={face}
        title={profile.displayName}
        step={step}
        onClose={onClose}
        // Not at the foot: whoever presses the triangle once more would press one of them.
        lead={<ChatButtons profile={profile} openChatId={openChatId} />}
      >
        <DetailsFace profile={profile} />
      </FaceFrame>
    );
  }
  const isWhole = face === 'fullWall';
  return (
    <FaceFrame
      face={face}
      onClose={onClose}
      title={
        <>
          <span>{isWhole ? 'Whole wall' : 'Wall'}</span> <span className="sr-only">of {profile.displayName}</span>
        </>
      }
      aside={
        <span className="px-2 text-xs text-ink-faint tabular-nums">
          {formatCount(profile.wallCount)}
          <span className="sr-only"> {profile.wallCount === 1 ? 'comment' : 'comments'}</span>
        </span>
      }
      step={isWhole ? undefined : step}
      footer={isWhole ? <LastStep profile={profile} step={step} /> : <WallCommentForm profile={profile} />}
    >
      <WallList profile={profile} isWhole={isWhole} />
    </FaceFrame>
  );
}

/** The step from the last face only leads to the front, as closing does: it says what it is for. */
function LastStep({ profile: { displayName }, step }: { profile: ProfileCard; step: ReactNode }) {
  return (
    <>
      <p className="line-clamp-3 min-w-0 flex-1 text-xs text-ink-muted">
        <span>
          Closing is free. Turning to the front gives {sayAmount(minorToNova(novaToMinor(NAVIGATE_NOVA) / 2))} to{' '}
        </span>
        <bdi>{displayName}</bdi>
      </p>
      {step}
    </>
  );
}

/** Writes on a wall; the button shows the price of the words as they are typed (rule discovery-14). */
function WallCommentForm({ profile }: { profile: ProfileCard }) {
  const [text, setText] = useState('');
  const write = useWriteOnWall(profile.id, () => setText(''));
  const price = wallCommentNova(text);
  const length = Array.from(text).length;
  // The first comment may have arrived and been paid for; different words would be a second one.
  const isUnknown = isOutcomeUnknown(write.error);
  const form = useRef<HTMLFormElement>(null);
  const submit = (press: PaidPress) => {
    if (price > 0 && !write.isPending) write.mutate({ comment: text.trim(), press });
  };
  return (
    <form
      ref={form}
      className="flex min-w-0 flex-1 flex-wrap items-end gap-2"
      onSubmit={(event) => event.preventDefault()}
    >
      {isUnknown && (
        <p className="basis-full text-xs text-hold">
          Your comment may have been posted. Posting it again never charges twice.
        </p>
      )}
      <Textarea
        aria-label={`Comment for ${profile.displayName}`}
        placeholder="Write a comment"
        rows={1}
        autoComplete="off"
        readOnly={write.isPending || isUnknown}
        className="field-sizing-content max-h-24 min-h-11 min-w-0 flex-1 resize-none sm:min-h-10"
        value={text}
        onChange={(event) => setText(cappedAt(event.target.value, WALL_CHARACTERS_MAX))}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          form.current?.querySelector<HTMLButtonElement>('[type=submit]')?.click();
        }}
      />
      <div className="grid justify-items-center gap-1">
        {length > 0 && (
          <span className="text-xs text-ink-faint tabular-nums">
            {length}/{WALL_CHARACTERS_MAX}
          </span>
        )}
        <PaidButton
          type="submit"
          variant="primary"
          className="px-3!"
          disabled={price === 0}
          pending={write.isPending}
          buys={`wall ${profile.id}`}
          onPay={submit}
        >
          <span>Post</span>
          <span className="sr-only">{price > 0 ? ' comment for ' : ' comment'}</span>
          {price > 0 && (
            <>
              <span className="flex items-center gap-0.5 tabular-nums">
                <NovaMark className="size-2.5 text-on-nova!" />
                {price}
              </span>
              <span className="sr-only"> Nova</span>
            </>
          )}
        </PaidButton>
      </div>
    </form>
  );
}
