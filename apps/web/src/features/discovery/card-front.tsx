import { isShownByDefault } from '@app/domain';
import { MessageCircle, Star } from 'lucide-react';
import { Button } from '@/shared/ui';
import { useCardDeck } from './card-deck';
import { firstFace } from './card-faces';
import { CardMedia } from './card-media';
import type { ProfileCard } from './card-types';
import { MemberMenu } from './member-menu';
import { moodOf } from './moods';
import { RequestsForMe } from './requests-for-me';
import { UpvoteButton } from './upvote-button';

export interface CardFrontProps {
  profile: ProfileCard;
  isUnlocked: boolean;
  isAutoplay: boolean;
  isFacing: boolean;
  /** The chat that I have with this member. */
  openChatId: string | null;
}

/** The front of a card: media, triangle, online dot, rating, name; on one's own, requests that wait (rule discovery-4). */
export function CardFront({ profile, isUnlocked, isAutoplay, isFacing, openChatId }: CardFrontProps) {
  const deck = useCardDeck();
  const { displayName, isOwn } = profile;
  return (
    <div className="absolute inset-0 overflow-hidden rounded-lg border border-line bg-sky-800">
      <CardMedia profile={profile} isAutoplay={isAutoplay} isFacing={isFacing} />
      <div className="pointer-events-none absolute inset-x-0 bottom-0 h-36 bg-linear-to-t from-sky-950 via-sky-950/70 to-transparent" />
      {(isOwn || isUnlocked) && (
        <button
          type="button"
          data-card-opener
          aria-label={isOwn ? 'Edit my card' : `Open the profile of ${displayName}`}
          onClick={() => deck.turn(profile.id, firstFace(profile))}
          className="absolute inset-0 rounded-lg focus-visible:-outline-offset-4"
        />
      )}
      <RatingBadge profile={profile} />
      {!isOwn && (
        <div className="absolute top-2 right-2 z-1 flex gap-1 max-[37.5rem]:flex-col-reverse">
          {openChatId !== null && (
            <Button
              size="icon"
              className="rounded-full! border-nova/60 bg-sky-950/70!"
              aria-label={`Open chat with ${displayName}`}
              title="Open chat"
              onClick={() => deck.openChat(openChatId, displayName)}
            >
              <MessageCircle aria-hidden="true" className="size-4 text-nova" />
            </Button>
          )}
          <MemberMenu profile={profile} />
        </div>
      )}
      <div className="pointer-events-none absolute inset-x-0 bottom-0 grid grid-cols-1 gap-2 p-3 *:pointer-events-auto">
        {isOwn && <RequestsForMe />}
        {/* On a phone the name has the whole width, and the triangle is above it. */}
        <div className="pointer-events-none! flex items-end gap-2 max-[37.5rem]:flex-col-reverse">
          <NameLine profile={profile} />
          {!isOwn && <UpvoteButton profile={profile} isUnlocked={isUnlocked} />}
        </div>
      </div>
    </div>
  );
}

function RatingBadge({ profile: { rating, ratingCount } }: { profile: ProfileCard }) {
  const isUnrated = isShownByDefault(rating, ratingCount);
  return (
    <p className="pointer-events-none absolute top-3 left-3 flex min-h-6 items-center gap-1 rounded-full bg-sky-950/75 px-2 text-xs font-semibold text-ink tabular-nums">
      <Star aria-hidden="true" className="size-3 fill-current text-nova" />
      <span className="sr-only">{isUnrated ? 'Not rated yet: ' : 'Rating '}</span>
      {isUnrated ? 'New' : rating.toFixed(2)}
    </p>
  );
}

function NameLine({ profile }: { profile: ProfileCard }) {
  const { displayName, isOnline, isOwn, mood, status, occupation } = profile;
  const { meaning, dot } = moodOf(mood);
  const words = status ?? occupation;
  return (
    <div className="min-w-0 flex-1 self-center max-[37.5rem]:w-full">
      <h2 title={displayName} className="flex items-center gap-1.5 text-base font-semibold text-ink">
        <span
          aria-hidden="true"
          title={isOnline ? 'Online' : 'Offline'}
          className={
            isOnline
              ? 'size-2.5 shrink-0 rounded-full bg-gain ring-2 ring-gain/30'
              : 'size-2.5 shrink-0 rounded-full border-2 border-ink-faint'
          }
        />
        <bdi className="truncate">{displayName}</bdi>
        <span className="sr-only">{isOnline ? '(online)' : '(offline)'}</span>
      </h2>
      <p className="flex items-center gap-1.5 text-xs text-ink-muted">
        <span
          aria-hidden="true"
          title={`Mood: ${meaning}`}
          className={`mx-px size-2 shrink-0 rounded-full forced-color-adjust-none ${dot}`}
        />
        <span className="sr-only">Mood: {meaning}. </span>
        <bdi className="truncate">{isOwn ? (words ?? 'This is you') : (words ?? meaning)}</bdi>
      </p>
    </div>
  );
}
