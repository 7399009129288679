import { Pause, Play, Volume2, VolumeX, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { Post } from './feed-types';
import { MediaUnavailable, PostMediaFrame } from './post-media-frame';
import { useStagedVideo } from './use-staged-video';

export interface PostVideoProps {
  post: Post;
  /** How much of it has played, 0 to 100. */
  onWatched: (percent: number) => void;
}

/** A post's video: muted, plays while it is the one in view, can be stopped and heard. */
export function PostVideo({ post: { mediaUrl, thumbnailUrl, author }, onWatched }: PostVideoProps) {
  const [hasFailed, setFailed] = useState(false);
  const [isMuted, setMuted] = useState(true);
  const { video, isPlaying, toggle, playingChanged } = useStagedVideo();
  if (hasFailed) {
    return (
      <PostMediaFrame thumbnailUrl={thumbnailUrl}>
        <MediaUnavailable kind="video" />
      </PostMediaFrame>
    );
  }
  return (
    <PostMediaFrame thumbnailUrl={thumbnailUrl}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- What members upload has no captions. */}
      <video
        ref={video}
        src={mediaUrl}
        {...(thumbnailUrl !== null && { poster: thumbnailUrl })}
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
