import { isShownByDefault } from '@app/domain';
import { clsx } from 'clsx';
import { MessageCircle, Star, Video } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { chatPriceOf, useSecondsUntil } from '@/features/chats';
import { formatCount } from '@/shared/api';
import { Amount, Button, buttonClasses, ProgressBar } from '@/shared/ui';
import { useCardDeck } from './card-deck';
import type { ProfileCard } from './card-types';
import { FaceBody } from './face-frame';
import { moodOf } from './moods';

/** Face 1: who they are (rule discovery-4). */
export function DetailsFace({ profile }: { profile: ProfileCard }) {
  const { compatibilityScore, status, occupation, ambitions, relationshipStatus } = profile;
  const { meaning, dot } = moodOf(profile.mood);
  return (
    <FaceBody label={`About ${profile.displayName}`}>
      {compatibilityScore !== null && (
        <div className="mb-2.5">
          <p className="mb-1 text-sm text-ink-muted">
            <span className="text-lg font-semibold text-ink tabular-nums">{Math.round(compatibilityScore)}%</span>{' '}
            compatible
          </p>
          <ProgressBar label="Compatibility" value={compatibilityScore} className="h-1.5!" />
        </div>
      )}
      {status !== null && (
        <p dir="auto" className="mb-2.5 text-sm wrap-anywhere whitespace-pre-line text-ink">
          {status}
        </p>
      )}
      <dl className="grid grid-cols-2 gap-x-3 gap-y-2">
        <Fact label="Rating">
          <Star aria-hidden="true" className="mr-1 mb-0.5 inline size-3.5 fill-current text-nova" />
          <Ratings profile={profile} />
        </Fact>
        <Fact label="Followers">{formatCount(profile.followerCount)}</Fact>
        <Fact label="Mood">
          <span className={`mr-1.5 inline-block size-2 rounded-full ${dot}`} />
          {meaning}
        </Fact>
        <Fact label="Chat">
          <Amount value={chatPriceOf(profile.minimumChatPrice)} />
        </Fact>
        {occupation !== null && <Fact label="Occupation">{occupation}</Fact>}
        {relationshipStatus !== null && <Fact label="Relationship">{relationshipStatus}</Fact>}
        {ambitions !== null && (
          <Fact label="Ambitions" isWide>
            {ambitions}
          </Fact>
        )}
      </dl>
    </FaceBody>
  );
}

function Ratings({ profile: { rating, ratingCount } }: { profile: ProfileCard }) {
  if (isShownByDefault(rating, ratingCount)) return <span>Not rated yet</span>;
  return (
    <span>
      {rating.toFixed(2)}{' '}
      {ratingCount > 0 && (
        <span className="text-ink-muted">
          from {formatCount(ratingCount)} {ratingCount === 1 ? 'chat' : 'chats'}
        </span>
      )}
    </span>
  );
}

function Fact({ label, isWide = false, children }: { label: string; isWide?: boolean; children: ReactNode }) {
  return (
    <div className={isWide ? 'col-span-2' : undefined}>
      <dt className="text-xs text-ink-faint">{label}</dt>
      <dd
        dir="auto"
        className={clsx('text-sm wrap-anywhere whitespace-pre-line text-ink tabular-nums', !isWide && 'text-left')}
      >
        {children}
      </dd>
    </div>
  );
}

export interface ChatButtonsProps {
  profile: ProfileCard;
  openChatId: string | null;
}

/** The Chat and Video Chat buttons (rule discovery-4). */
export function ChatButtons({ profile, openChatId }: ChatButtonsProps) {
  const deck = useCardDeck();
  const cooldown = useSecondsUntil(profile.cooldownUntil) ?? 0;
  const icon = <MessageCircle aria-hidden="true" className="size-4" />;
  return (
    <>
      {openChatId === null ? (
        <Button
          className="min-w-0 flex-1 px-2!"
          disabled={!profile.allowDirectChats || cooldown > 0}
          icon={icon}
          onClick={() => deck.askForChat(profile)}
        >
          <ChatLabel profile={profile} cooldown={cooldown} />
        </Button>
      ) : (
        <Button
          className="min-w-0 flex-1 border-nova/40 px-2!"
          icon={icon}
          onClick={() => deck.openChat(openChatId, profile.displayName)}
        >
          Open chat
          <With name={profile.displayName} />
        </Button>
      )}
      <Link
        to={`/video-chat/${profile.id}`}
        aria-label={`Video chat with ${profile.displayName}`}
        className={buttonClasses({ className: 'min-w-0 flex-1 px-2!' })}
      >
        <Video aria-hidden="true" className="size-4" />
        Video Chat
      </Link>
    </>
  );
}

function ChatLabel({ profile, cooldown }: { profile: ProfileCard; cooldown: number }) {
  if (!profile.allowDirectChats) return <span>Not taking chats</span>;
  if (cooldown > 0) return <span>Available in {cooldown}s</span>;
  return (
    <span>
      Chat
      <With name={profile.displayName} />
    </span>
  );
}

/** Tells one card's button from another's where the card is not visible. */
const With = ({ name }: { name: string }) => <span className="sr-only"> with {name}</span>;
