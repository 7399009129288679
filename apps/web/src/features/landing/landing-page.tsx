import { Pause, Play } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { CookieNotice } from '@/features/cookies/cookie-notice';
import { useAfterLoad } from '@/shared/hooks/use-after-load';
import { usePlaysByItself } from '@/shared/hooks/use-plays-by-itself';
import { Button, clearToast, NovaMark, Spinner, useDocumentTitle } from '@/shared/ui';

const loadAuthCard = () => import('@/features/identity/auth-card');
const AuthCard = lazy(async () => ({ default: (await loadAuthCard()).AuthCard }));

/**
 * What signed-out visitors see at every path (rule screens-3). Signing in keeps the path, so it opens the requested
 * page.
 */
export function LandingPage() {
  const [entered, setEntered] = useState(false);
  useDocumentTitle('Nova');
  return (
    <div className="relative flex min-h-dvh flex-col">
      <BackgroundVideo />
      <main className="relative grid flex-1 place-items-center p-4 py-10">
        {entered ? (
          <Suspense fallback={<Spinner className="size-8 text-ink-muted" label="Loading…" />}>
            <AuthCard />
          </Suspense>
        ) : (
          <Entrance
            onEnter={() => {
              // What was said on the way here would lie over the card.
              clearToast();
              setEntered(true);
            }}
          />
        )}
      </main>
      <CookieNotice />
    </div>
  );
}

function Entrance({ onEnter }: { onEnter: () => void }) {
  const isLoaded = useAfterLoad();
  useEffect(() => {
    // Almost everybody presses ENTER. Without an answer now, the press asks again.
    if (isLoaded) loadAuthCard().catch(() => undefined);
  }, [isLoaded]);
  return (
    <div className="grid animate-appear justify-items-center gap-10">
      <h1 className="grid justify-items-center">
        <NovaMark className="size-14 drop-shadow-[0_0_24px_var(--color-nova)]" />
        <span className="sr-only">Nova</span>
      </h1>
      <p className="max-w-sm text-center font-display text-lg font-medium text-balance text-ink drop-shadow-[0_1px_6px_var(--color-sky-950)]">
        Meet people worth talking to, in paid chats where both sides are rewarded.
      </p>
      <button
        type="button"
        onClick={onEnter}
        className="min-h-14 rounded-full border border-ink/40 bg-sky-950/40 pr-9 pl-12 font-display text-base font-medium tracking-[0.32em] text-ink backdrop-blur-sm transition-colors hover:border-nova hover:text-nova"
      >
        ENTER
      </button>
    </div>
  );
}

const coverClasses = 'absolute inset-0 size-full object-cover';

/**
 * The night sky behind the landing screen: its first picture at once, over it a silent loop that can be stopped. With
 * reduced motion, or where the browser saves data, the picture alone.
 */
function BackgroundVideo() {
  const isLoaded = useAfterLoad();
  const playsByItself = usePlaysByItself();
  const video = useRef<HTMLVideoElement>(null);
  const [playing, setPlaying] = useState(true);
  const Icon = playing ? Pause : Play;

  const toggle = async () => {
    if (playing || video.current === null) {
      video.current?.pause();
      // A video that has not begun reports no end.
      setPlaying(!playing);
      return;
    }
    try {
      await video.current.play();
    } catch {
      // The browser refuses to play (data saver); the poster and the button's label stay.
    }
  };

  return (
    <>
      <div className="fixed inset-0 bg-sky-950">
        <img src="/landing-poster.webp" alt="" fetchPriority="high" className={coverClasses} />
        {playsByItself && isLoaded && (
          <video
            ref={video}
            className={coverClasses}
            autoPlay={playing}
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
      {/* Above everything that lies on the video. */}
      {playsByItself && (
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
