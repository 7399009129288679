import { formatCount } from '@/shared/api';
import { useCardDeck } from './card-deck';
import { faceAfter, type CardFace } from './card-faces';
import type { ProfileCard } from './card-types';
import { ChatButtons, DetailsFace } from './details-face';
import { FaceFrame } from './face-frame';
import { useNavigateCard } from './use-card-actions';
import { WallCommentForm } from './wall-comment-form';
import { WallList } from './wall-list';

export interface CardBackProps {
  profile: ProfileCard;
  face: CardFace;
  openChatId: string | null;
}

/** The three faces that others see; each step on costs 50 Nova (rules discovery-4, discovery-12). */
export function CardBack({ profile, face, openChatId }: CardBackProps) {
  const deck = useCardDeck();
  const navigate = useNavigateCard(profile.id, () => deck.turn(profile.id, faceAfter(face)));
  const frame = {
    face,
    isPaid: true,
    isTurning: navigate.isPending,
    onNext: () => navigate.mutate(),
    onClose: () => deck.turn(profile.id, 'front'),
  };
  if (face === 'details') {
    return (
      <FaceFrame
        {...frame}
        title={profile.displayName}
        footer={<ChatButtons profile={profile} openChatId={openChatId} />}
      >
        <DetailsFace profile={profile} />
      </FaceFrame>
    );
  }
  const isWhole = face === 'fullWall';
  return (
    <FaceFrame
      {...frame}
      title={
        <>
          {isWhole ? 'Whole wall' : 'Wall'} <span className="sr-only">of {profile.displayName}</span>
        </>
      }
      aside={
        <span className="text-xs text-ink-faint tabular-nums">
          {formatCount(profile.wallCount)}
          <span className="sr-only"> {profile.wallCount === 1 ? 'comment' : 'comments'}</span>
        </span>
      }
      {...(!isWhole && { footer: <WallCommentForm profile={profile} /> })}
    >
      <WallList profile={profile} isWhole={isWhole} />
    </FaceFrame>
  );
}
