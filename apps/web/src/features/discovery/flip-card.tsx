import { clsx } from 'clsx';
import { memo, useEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import { CardBack } from './card-back';
import type { CardFace } from './card-faces';
import { CardFront } from './card-front';
import { TurnedContext } from './face-frame';
import type { ProfileCard } from './card-types';
import { OwnCardBack } from './own-card-back';

/** As long as the turn takes, and a little more: then what has turned away may go. */
const GONE_AFTER_MS = 250;

export interface FlipCardProps {
  profile: ProfileCard;
  face: CardFace;
  isUnlocked: boolean;
  /** It has just risen in the grid (rule discovery-16). */
  isHighlighted: boolean;
  isAutoplay: boolean;
  openChatId: string | null;
  /** Where the back takes the whole row, on a phone: how wide it is and to which side it grows. */
  backStyle: CSSProperties | undefined;
}

/** A card with a front and a back; the side that is turned away is out of reach (rule discovery-4). */
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

/** Not as long as it shows the face that it came with. */
function useWasTurned(face: CardFace): boolean {
  const [first, setFirst] = useState<CardFace | null>(face);
  if (first !== null && first !== face) setFirst(null);
  return first === null;
}

/** Turned back, the card gives the focus to what opened it. */
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
  /** The turn that takes it out of sight. */
  away: 'rotate-y-180' | '-rotate-y-180';
  style?: CSSProperties | undefined;
  isHighlighted: boolean;
  /** It turns in as it comes. */
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
