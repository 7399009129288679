import { clsx } from 'clsx';
import { useState } from 'react';
import { MemberAvatar } from '@/features/shell/member-avatar';
import type { ProfileCard } from './card-types';
import { CardVideo } from './card-video';
import { moodOf } from './moods';

export interface CardMediaProps {
  profile: ProfileCard;
  /** Among the first three videos of the grid. */
  isAutoplay: boolean;
  /** The front is turned towards the member. */
  isFacing: boolean;
}

/** What fills the front: the picture or video of the card, else a sky in the colour of the mood (rule discovery-4). */
export function CardMedia({ profile, isAutoplay, isFacing }: CardMediaProps) {
  const content = profile.profileCardContent;
  return (
    <>
      <MoodSky profile={profile} />
      {content?.contentType === 'image' && (
        <Picture key={content.mediaUrl} src={content.thumbnailUrl ?? content.mediaUrl} />
      )}
      {content?.contentType === 'video' && (
        // Another video under the same card begins anew.
        <CardVideo
          key={content.mediaUrl}
          content={content}
          name={profile.displayName}
          isAutoplay={isAutoplay}
          isFacing={isFacing}
        />
      )}
    </>
  );
}

/** Fades in over the sky, which stays where a picture cannot be loaded. */
function Picture({ src }: { src: string }) {
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
  if (state === 'failed') return null;
  return (
    <img
      src={src}
      alt=""
      loading="lazy"
      decoding="async"
      onLoad={() => setState('loaded')}
      onError={() => setState('failed')}
      className={clsx(
        'absolute inset-0 size-full bg-sky-800 object-cover transition-opacity duration-200',
        state === 'loading' && 'opacity-0',
      )}
    />
  );
}

/** What lies under the content and shows where there is none: hence an avatar that is not made of the content. */
function MoodSky({ profile }: { profile: ProfileCard }) {
  return (
    <div className={clsx('absolute inset-0 grid place-items-center bg-radial-[at_30%_15%]', moodOf(profile.mood).sky)}>
      <MemberAvatar
        user={{ ...profile, profileCardContent: null }}
        size="xl"
        className="-mt-12 size-24! border-2! shadow-raised"
      />
    </div>
  );
}
