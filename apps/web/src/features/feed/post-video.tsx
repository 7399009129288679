import { type LucideIcon, Pause, Play, Volume2, VolumeX } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { usePlaysByItself } from '@/shared/hooks/use-plays-by-itself';
import type { Post } from './feed-types';
import { MediaUnavailable, PostMediaFrame } from './post-media-frame';
import { useFeedSession } from './use-feed-session';
import type { Player } from './video-stage';

export interface PostVideoProps {
  post: Post;
  isFirst: boolean;
  /** Called with the played part, 0 to 100. */
  onWatched: (percent: number) => void;
}

/** A post's video: starts muted, plays while it is the one in view, and can be stopped and unmuted. */
export function PostVideo({ post: { mediaUrl, thumbnailUrl, author }, isFirst, onWatched }: PostVideoProps) {
  const [hasFailed, setFailed] = useState(false);
  const [isMuted, setMuted] = useState(true);
  const { video, isPlaying, toggle, playingChanged } = useStagedVideo();
  if (hasFailed) {
    return (
      <PostMediaFrame thumbnailUrl={thumbnailUrl} isFirst={isFirst}>
        {() => <MediaUnavailable kind="video" />}
      </PostMediaFrame>
    );
  }
  return (
    <PostMediaFrame thumbnailUrl={thumbnailUrl} isFirst={isFirst}>
      {(isNear) => (
        <>
          {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- What members upload has no captions. */}
          <video
            ref={video}
            src={mediaUrl}
            {...(thumbnailUrl !== null && isNear && { poster: thumbnailUrl })}
            aria-label={`Video by ${author.displayName}`}
            muted={isMuted}
            loop
            playsInline
            preload="none"
            className="absolute inset-0 size-full object-contain"
            onClick={toggle}
            onPlay={playingChanged}
            onPause={playingChanged}
            onError={() => setFailed(true)}
            onTimeUpdate={({ currentTarget: { currentTime, duration } }) => {
              if (duration > 0) onWatched(Math.min(100, Math.round((currentTime / duration) * 100)));
            }}
          />
          <div className="absolute right-3 bottom-3 flex gap-2">
            <Control icon={isPlaying ? Pause : Play} label={isPlaying ? 'Pause' : 'Play'} onPress={toggle} />
            <Control
              icon={isMuted ? VolumeX : Volume2}
              label={isMuted ? 'Unmute' : 'Mute'}
              onPress={() => setMuted(!isMuted)}
            />
          </div>
        </>
      )}
    </PostMediaFrame>
  );
}

interface ControlProps {
  icon: LucideIcon;
  label: string;
  onPress: () => void;
}

function Control({ icon: Icon, label, onPress }: ControlProps) {
  return (
    <button
      type="button"
      aria-label={label}
      className="grid size-11 place-items-center rounded-full border border-line bg-sky-950/80 text-ink hover:bg-sky-950"
      onClick={onPress}
    >
      <Icon aria-hidden="true" className="size-5" />
    </button>
  );
}

/** The visible shares at which the browser reports. */
const SHARE_STEPS = [0, 0.25, 0.5, 0.75, 1];

interface StagedVideo {
  video: RefObject<HTMLVideoElement | null>;
  isPlaying: boolean;
  /** The viewer's own choice, which holds until they choose again. */
  toggle: () => void;
  /** For the element's `play` and `pause` events. */
  playingChanged: () => void;
}

/** A video that plays when the stage lets it, or else only when the viewer presses play. */
function useStagedVideo(): StagedVideo {
  const { videos } = useFeedSession();
  const video = useRef<HTMLVideoElement>(null);
  const playsByItself = usePlaysByItself();
  const [isWanted, setWanted] = useState(playsByItself);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    const element = video.current;
    if (element === null || !isWanted) return undefined;
    const player: Player = {
      // A browser may refuse to play automatically; the poster and the play button remain.
      play: () => void element.play().catch(() => undefined),
      pause: () => element.pause(),
    };
    const observer = new IntersectionObserver(
      (entries) => videos.seen(player, entries.at(-1)?.intersectionRatio ?? 0),
      { threshold: SHARE_STEPS },
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      videos.removed(player);
    };
  }, [videos, isWanted]);
  return {
    video,
    isPlaying,
    toggle() {
      setWanted(!isPlaying);
      // The stage plays videos that are wanted and in view. If this one is already wanted but not playing, the browser
      // refused it.
      if (!isPlaying && isWanted) void video.current?.play().catch(() => undefined);
    },
    playingChanged() {
      setPlaying(video.current?.paused === false);
    },
  };
}
