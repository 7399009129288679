import { Pause, Play } from 'lucide-react';
import { useRef, useState } from 'react';
import { useMediaQuery } from '@/shared/hooks/use-media-query';
import { Button } from '@/shared/ui';

const coverClasses = 'absolute inset-0 size-full object-cover';

/** The night sky behind the landing screen: a silent loop that can be stopped, or its poster for less motion. */
export function BackgroundVideo() {
  const still = useMediaQuery('(prefers-reduced-motion: reduce)');
  const video = useRef<HTMLVideoElement>(null);
  const [playing, setPlaying] = useState(true);
  const Icon = playing ? Pause : Play;

  const toggle = async () => {
    if (playing) {
      video.current?.pause();
      // A video that has not begun tells nothing of its end.
      setPlaying(false);
      return;
    }
    try {
      await video.current?.play();
    } catch {
      // The browser refuses to play (data saver); the poster stays, and so does the button's label.
    }
  };

  return (
    <>
      <div className="fixed inset-0 bg-sky-950">
        {still ? (
          <img src="/landing-poster.jpg" alt="" className={coverClasses} />
        ) : (
          <video
            ref={video}
            className={coverClasses}
            poster="/landing-poster.jpg"
            autoPlay
            muted
            loop
            playsInline
            disablePictureInPicture
            aria-hidden="true"
            tabIndex={-1}
            onPlay={() => setPlaying(true)}
            onPause={() => setPlaying(false)}
          >
            <source src="/landing.webm" type="video/webm" />
            <source src="/landing.mp4" type="video/mp4" />
          </video>
        )}
      </div>
      {/* Above what lies on the video. */}
      {!still && (
        <Button
          variant="ghost"
          size="icon"
          aria-label={playing ? 'Pause background' : 'Play background'}
          className="absolute top-3 right-3 z-10"
          onClick={() => void toggle()}
        >
          <Icon aria-hidden="true" className="size-4" />
        </Button>
      )}
    </>
  );
}
