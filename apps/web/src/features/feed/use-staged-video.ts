import { useEffect, useRef, useState, type RefObject } from 'react';
import { useFeedSession } from './use-feed-session';
import type { Player } from './video-stage';

/** How finely the browser tells how much of a video is visible. */
const SHARE_STEPS = [0, 0.25, 0.5, 0.75, 1];

export interface StagedVideo {
  video: RefObject<HTMLVideoElement | null>;
  isPlaying: boolean;
  /** The viewer's own choice; it holds until they choose again. */
  toggle: () => void;
  /** For the element's `play` and `pause`. */
  playingChanged: () => void;
}

const prefersStill = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** A video that plays when the stage lets it; for those who asked for less motion, only when they press play. */
export function useStagedVideo(): StagedVideo {
  const { videos } = useFeedSession();
  const video = useRef<HTMLVideoElement>(null);
  const [isWanted, setWanted] = useState(() => !prefersStill());
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    const element = video.current;
    if (element === null || !isWanted) return undefined;
    const player: Player = {
      // A browser may refuse to play by itself; the poster and the play button are still there.
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
      // The stage plays what is wanted and in view; one that is wanted already and not playing is one the browser refused.
      if (!isPlaying && isWanted) void video.current?.play().catch(() => undefined);
    },
    playingChanged() {
      setPlaying(video.current?.paused === false);
    },
  };
}
