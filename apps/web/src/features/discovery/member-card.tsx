import { MessageCircle, Star, Video } from 'lucide-react';
import { Link } from 'react-router-dom';
import { chatPriceOf, useSecondsUntil } from '@/features/chats';
import { useMyChats } from '@/features/status';
import { Amount, Avatar, Badge, Button, buttonClasses } from '@/shared/ui';
import { MemberMenu } from './member-menu';
import type { ProfileCard } from './use-discovery';

export interface MemberCardProps {
  profile: ProfileCard;
  onAsk: (profile: ProfileCard) => void;
  onOpenChat: (chatId: string, name: string) => void;
}

/** One member: who they are, what a chat costs, and how to begin one (S0 §2 Profile card; 288 px high). */
export function MemberCard({ profile, onAsk, onOpenChat }: MemberCardProps) {
  const { displayName, profileImageUrl, rating, ratingCount, followerCount, isOnline } = profile;
  return (
    <li className="relative flex h-72 flex-col rounded-lg border border-line bg-sky-800 p-4">
      <div className="flex items-start justify-between gap-2">
        <Badge tone={isOnline ? 'gain' : 'neutral'}>{isOnline ? 'Online' : 'Offline'}</Badge>
        <MemberMenu profile={profile} />
      </div>
      <div className="grid min-h-0 flex-1 content-center justify-items-center gap-1 text-center">
        <Avatar name={displayName} src={profileImageUrl} size="xl" />
        <h2 className="mt-2 max-w-full truncate text-base font-semibold text-ink" title={displayName}>
          {displayName}
        </h2>
        <p className="max-w-full truncate text-xs text-ink-muted">{profile.status ?? profile.occupation ?? ' '}</p>
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

function ChatButtons({ profile, onAsk, onOpenChat }: MemberCardProps) {
  const { data: chats } = useMyChats();
  const open = chats?.find(({ otherUser }) => otherUser.id === profile.id);
  const cooldown = useSecondsUntil(profile.cooldownUntil) ?? 0;
  const mayAsk = profile.allowDirectChats && cooldown === 0;
  return (
    <div className="flex gap-2">
      {open === undefined ? (
        <Button
          variant="primary"
          className="min-w-0 flex-1"
          disabled={!mayAsk}
          icon={<MessageCircle aria-hidden="true" className="size-4" />}
          aria-label={`Chat with ${profile.displayName}`}
          onClick={() => onAsk(profile)}
        >
          {label(profile, cooldown)}
        </Button>
      ) : (
        <Button
          className="min-w-0 flex-1 border-nova/40"
          icon={<MessageCircle aria-hidden="true" className="size-4 text-nova" />}
          aria-label={`Open the chat with ${profile.displayName}`}
          onClick={() => onOpenChat(open.id, profile.displayName)}
        >
          Open chat
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
      Chat · <Amount value={chatPriceOf(profile.minimumChatPrice)} bare />
    </>
  );
}
