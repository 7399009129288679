import { smallerPicture } from '@app/domain';
import { clsx } from 'clsx';
import type { CurrentUser } from '@/shared/api';
import { Avatar, type AvatarProps } from '@/shared/ui';

export interface MemberAvatarProps extends Pick<AvatarProps, 'size' | 'className'> {
  user: Pick<CurrentUser, 'displayName' | 'profileImageUrl' | 'profileCardThumbnailUrl' | 'profileCardContent'>;
}

const videoSizes = { sm: 'size-8', md: 'size-10', lg: 'size-14', xl: 'size-20' };

const VISIT_MS = Date.now();

/** The time of the file, or else, where a picture may be replaced under its address, of this visit (rule screens-12). */
function fresh(url: string): string {
  const small = smallerPicture(url, 'small');
  return small === url ? `${url}${url.includes('?') ? '&' : '?'}t=${VISIT_MS}` : small;
}

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
