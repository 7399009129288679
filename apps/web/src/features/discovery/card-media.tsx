import { cardPicture, smallerPicture } from '@app/domain';
import { clsx } from 'clsx';
import { Pause, Play, VideoOff, Volume2, VolumeX } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { MemberAvatar } from '@/features/shell/member-avatar';
import { useNearScreen } from '@/shared/hooks/use-near-screen';
import { usePlaysByItself } from '@/shared/hooks/use-plays-by-itself';
import { Spinner } from '@/shared/ui';
import { useCardDeck } from './card-deck';
import type { CardContent, ProfileCard } from './card-types';
import { moodOf } from './moods';

export interface CardMediaProps {
  profile: ProfileCard;
  /** The video is among the first three of the grid. */
  isAutoplay: boolean;
  /** The front is turned towards the member. */
  isFacing: boolean;
}

/** Fills the front: the card's picture or video, or else a sky in the colour of the mood (rule discovery-4). */
export function CardMedia({ profile, isAutoplay, isFacing }: CardMediaProps) {
  const content = profile.profileCardContent;
  const [failedUrl, setFailedUrl] = useState<string>();
  // An avatar that nobody sees is not fetched.
  const isCovered = content !== null && content.mediaUrl !== failedUrl;
  return (
    <>
      <MoodSky profile={profile} isCovered={isCovered} />
      {content?.contentType === 'image' && isCovered && (
        <Picture
          key={content.mediaUrl}
          src={content.thumbnailUrl ?? content.mediaUrl}
          onFailed={() => setFailedUrl(content.mediaUrl)}
        />
      )}
      {content?.contentType === 'video' && (
        // A different video on the same card starts over.
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

/** Fades in over the sky, which stays if the picture cannot be loaded. */
function Picture({ src, onFailed }: { src: string; onFailed: () => void }) {
  const [isLoaded, setLoaded] = useState(false);
  const image = useRef<HTMLImageElement>(null);
  const isNear = useNearScreen(image);
  return (
    <img
      ref={image}
      {...(isNear && cardPicture(src))}
      alt=""
      loading="lazy"
      decoding="async"
      onLoad={() => setLoaded(true)}
      onError={onFailed}
      className={clsx(
        'absolute inset-0 size-full bg-sky-800 object-cover transition-opacity duration-200',
        !isLoaded && 'opacity-0',
      )}
    />
  );
}

/** Lies under the content and shows where there is none; its avatar is therefore not made from the content. */
function MoodSky({ profile, isCovered }: { profile: ProfileCard; isCovered: boolean }) {
  return (
    <div className={clsx('absolute inset-0 grid place-items-center bg-radial-[at_30%_15%]', moodOf(profile.mood).sky)}>
      {!isCovered && (
        <MemberAvatar
          user={{ ...profile, profileCardContent: null }}
          size="xl"
          className="-mt-12 size-24! border-2! shadow-raised"
        />
      )}
    </div>
  );
}

/** A video plays only if at least this part of it is visible. */
const IN_VIEW_PART = 0.5;

interface CardVideoProps {
  content: CardContent;
  /** The name of the card's member. */
  name: string;
  isAutoplay: boolean;
  isFacing: boolean;
}

/** The video of a card; the grid's stage decides whether it plays (rule discovery-5). */
function CardVideo({ content, name, isAutoplay, isFacing }: CardVideoProps) {
  const { stage } = useCardDeck();
  const video = useRef<HTMLVideoElement>(null);
  const isNear = useNearScreen(video);
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
  const { isPlaying, isMuted } = useSyncExternalStore(stage.subscribe, () => stage.stateOf(content.id));
  useOnStage({ video, id: content.id, isAutoplay, isFacing });
  if (state === 'failed') return <Unavailable />;
  return (
    <>
      <video
        ref={video}
        src={content.mediaUrl}
        poster={isNear && content.thumbnailUrl !== null ? smallerPicture(content.thumbnailUrl, 'medium') : undefined}
        aria-hidden="true"
        tabIndex={-1}
        loop
        muted
        playsInline
        disablePictureInPicture
        preload="none"
        onLoadedData={() => setState('loaded')}
        onError={() => setState('failed')}
        className="absolute inset-0 size-full object-cover"
      />
      {isPlaying && state === 'loading' && (
        <span className="absolute inset-0 grid place-items-center text-ink">
          <Spinner className="size-7" label="Loading video…" />
        </span>
      )}
      {/* On a phone they stand above each other, so that they leave room for the triangle beside them. */}
      <div className="absolute bottom-17 left-2 z-1 flex gap-1 max-[37.5rem]:bottom-15 max-[37.5rem]:flex-col-reverse">
        <VideoButton
          label={isPlaying ? `Pause the video of ${name}` : `Play the video of ${name}`}
          onPress={() => (isPlaying ? stage.pause(content.id) : stage.play(content.id))}
        >
          {isPlaying ? <Pause className="size-4" /> : <Play className="size-4 fill-current" />}
        </VideoButton>
        {isPlaying && (
          <VideoButton
            label={isMuted ? `Unmute the video of ${name}` : `Mute the video of ${name}`}
            onPress={() => stage.setMuted(content.id, !isMuted)}
          >
            {isMuted ? <VolumeX className="size-4" /> : <Volume2 className="size-4" />}
          </VideoButton>
        )}
      </div>
    </>
  );
}

interface OnStage {
  video: RefObject<HTMLVideoElement | null>;
  id: string;
  isAutoplay: boolean;
  isFacing: boolean;
}

function useOnStage({ video, id, isAutoplay, isFacing }: OnStage): void {
  const { stage } = useCardDeck();
  const autoplay = usePlaysByItself() && isAutoplay;
  useEffect(() => {
    const element = video.current;
    return element === null ? undefined : stage.enter(id, element);
  }, [stage, video, id]);
  useEffect(() => stage.setAutoplay(id, autoplay), [stage, id, autoplay]);
  useEffect(() => {
    const element = video.current;
    if (element === null || !isFacing) return undefined;
    const observer = new IntersectionObserver(
      (entries) => stage.setInView(id, entries.at(-1)?.isIntersecting === true),
      { threshold: IN_VIEW_PART },
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      stage.setInView(id, false);
    };
  }, [stage, video, id, isFacing]);
}

interface VideoButtonProps {
  label: string;
  onPress: () => void;
  children: ReactNode;
}

function VideoButton({ label, onPress, children }: VideoButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onPress}
      className="grid size-11 place-items-center rounded-full bg-sky-950/70 text-ink transition-colors hover:bg-sky-950 sm:size-9"
    >
      {children}
    </button>
  );
}

function Unavailable() {
  return (
    <div className="absolute inset-0 grid place-content-center justify-items-center gap-1 bg-sky-700 px-3 pb-12 text-center">
      <VideoOff aria-hidden="true" className="size-7 text-ink-faint" />
      <p className="mt-1 text-sm font-medium text-ink">Video unavailable</p>
      <p className="text-xs text-ink-muted">Unable to load video</p>
    </div>
  );
}
