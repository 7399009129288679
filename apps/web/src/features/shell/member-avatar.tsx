import { clsx } from 'clsx';
import { useState } from 'react';
import type { CurrentUser } from '@/shared/api';
import { Avatar, type AvatarProps } from '@/shared/ui';

type Pictured = Pick<CurrentUser, 'displayName' | 'profileImageUrl' | 'profileCardThumbnailUrl' | 'profileCardContent'>;

const videoSizes = { sm: 'size-8', md: 'size-10', lg: 'size-14', xl: 'size-20' };

/** A picture under an unchanged address may have been replaced: ask for it anew once per visit (S0 §2 Avatar). */
function fresh(url: string, visitMs: number): string {
  return `${url}${url.includes('?') ? '&' : '?'}t=${visitMs}`;
}

/** S0 §2 Avatar: the profile image, else the card's thumbnail, else the card's content (a video plays muted), else the initial. */
export function MemberAvatar({ user, size = 'md' }: { user: Pictured; size?: NonNullable<AvatarProps['size']> }) {
  const [visitMs] = useState(() => Date.now());
  const content = user.profileCardContent;
  const picture = user.profileImageUrl ?? user.profileCardThumbnailUrl;
  if (picture === null && content !== null && content.type.startsWith('video/')) {
    return (
      <video
        src={content.url}
        aria-hidden="true"
        autoPlay
        muted
        loop
        playsInline
        className={clsx('shrink-0 rounded-full border border-line object-cover', videoSizes[size])}
      />
    );
  }
  const src = user.profileImageUrl === null ? (picture ?? content?.url) : fresh(user.profileImageUrl, visitMs);
  return <Avatar name={user.displayName} src={src} size={size} />;
}
