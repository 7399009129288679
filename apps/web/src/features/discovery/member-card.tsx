import { MessageCircle, Star, Video } from 'lucide-react';
import { Link } from 'react-router-dom';
import { chatPriceOf, useSecondsUntil } from '@/features/chats';
import { useMyChats } from '@/features/status';
import { Amount, Avatar, Badge, Button, buttonClasses } from '@/shared/ui';
import { MemberMenu } from './member-menu';
import { moodOf, type Mood } from './moods';
import type { ProfileCard } from './use-discovery';

export interface MemberCardProps {
  profile: ProfileCard;
  onAsk: (profile: ProfileCard) => void;
  onOpenChat: (chatId: string, name: string) => void;
}

/** Keeps the line where nothing is said. */
const NOTHING = '\u00A0';

/** One member: who they are, what a chat costs, and how to begin one (S0 §2 Profile card; 288 px high). */
export function MemberCard({ profile, onAsk, onOpenChat }: MemberCardProps) {
  const { displayName, profileImageUrl, rating, ratingCount, followerCount, isOnline } = profile;
  return (
    <li className="relative flex h-72 flex-col rounded-lg border border-line bg-sky-800 p-4">
      <div className="flex items-start justify-between gap-2">
        <Badge tone={isOnline ? 'gain' : 'neutral'}>{isOnline ? 'Online' : 'Offline'}</Badge>
        <MemberMenu profile={profile} />
      </div>
      <div className="grid min-h-0 flex-1 grid-cols-1 content-center justify-items-center gap-1 text-center">
        <Avatar name={displayName} src={profileImageUrl} size="xl" />
        <div className="mt-2 flex max-w-full items-center gap-2">
          <h2 dir="auto" className="truncate text-base font-semibold text-ink" title={displayName}>
            {displayName}
          </h2>
          <MoodDot mood={moodOf(profile.mood)} />
        </div>
        <p dir="auto" className="max-w-full truncate text-xs text-ink-muted">
          {profile.status ?? profile.occupation ?? NOTHING}
        </p>
        <p className="flex items-center gap-3 text-xs text-ink-muted tabular-nums">
          <span className="flex items-center gap-1">
            <Star aria-hidden="true" className="size-3.5 text-nova" />
            {ratingCount === 0 ? 'New' : rating.toFixed(2)}
          </span>
          <span>
            {followerCount.toLocaleString('en-US')} {followerCount === 1 ? 'follower' : 'followers'}
          </span>
        </p>
      </div>
      <ChatButtons profile={profile} onAsk={onAsk} onOpenChat={onOpenChat} />
    </li>
  );
}

function MoodDot({ mood: { meaning, dot } }: { mood: Mood }) {
  return (
    <span title={`Mood: ${meaning}`} className={`size-2 shrink-0 rounded-full ${dot}`}>
      <span className="sr-only">Mood: {meaning}.</span>
    </span>
  );
}

function ChatButtons({ profile, onAsk, onOpenChat }: MemberCardProps) {
  const { data: chats } = useMyChats();
  const open = chats?.find(({ otherUser }) => otherUser.id === profile.id);
  const cooldown = useSecondsUntil(profile.cooldownUntil) ?? 0;
  const mayAsk = profile.allowDirectChats && cooldown === 0;
  return (
    <div className="flex gap-2">
      {open === undefined ? (
        <Button
          className="min-w-0 flex-1"
          disabled={!mayAsk}
          icon={<MessageCircle aria-hidden="true" className="size-4" />}
          onClick={() => onAsk(profile)}
        >
          {label(profile, cooldown)}
        </Button>
      ) : (
        <Button
          className="min-w-0 flex-1 border-nova/40"
          icon={<MessageCircle aria-hidden="true" className="size-4 text-nova" />}
          onClick={() => onOpenChat(open.id, profile.displayName)}
        >
          Open chat
          <With name={profile.displayName} />
        </Button>
      )}
      <Link
        to={`/video-chat/${profile.id}`}
        aria-label={`Video chat with ${profile.displayName}`}
        className={buttonClasses({ size: 'icon', className: 'sm:size-10' })}
      >
        <Video aria-hidden="true" className="size-4" />
      </Link>
    </div>
  );
}

function label(profile: ProfileCard, cooldown: number) {
  if (!profile.allowDirectChats) return 'Not taking chats';
  if (cooldown > 0) return `Available in ${cooldown}s`;
  return (
    <>
      Chat
      <With name={profile.displayName} />
      <Amount value={chatPriceOf(profile.minimumChatPrice)} className="font-semibold" />
    </>
  );
}

/** Tells one card's button from another's where the card is not seen. */
const With = ({ name }: { name: string }) => <span className="sr-only"> with {name}</span>;
