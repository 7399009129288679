import { clsx } from 'clsx';
import type { CurrentUser } from '@/shared/api';
import { Avatar, type AvatarProps } from '@/shared/ui';

export interface MemberAvatarProps extends Pick<AvatarProps, 'size' | 'className'> {
  user: Pick<CurrentUser, 'displayName' | 'profileImageUrl' | 'profileCardThumbnailUrl' | 'profileCardContent'>;
}

const videoSizes = { sm: 'size-8', md: 'size-10', lg: 'size-14', xl: 'size-20' };

/** A picture may be replaced under the same address, so it is fetched again once per visit (rule screens-12). */
const VISIT_MS = Date.now();
const fresh = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}t=${VISIT_MS}`;

/**
 * The profile image, else the card's thumbnail, else the card's content (a video plays muted), else a silhouette (rule
 * screens-12).
 */
export function MemberAvatar({ user, size = 'md', className }: MemberAvatarProps) {
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
        className={clsx('shrink-0 rounded-full border border-line object-cover', videoSizes[size], className)}
      />
    );
  }
  const src = user.profileImageUrl === null ? (picture ?? content?.url) : fresh(user.profileImageUrl);
  return <Avatar name={user.displayName} src={src} size={size} className={className} />;
}
