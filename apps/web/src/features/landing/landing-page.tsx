import { useState } from 'react';
import { AuthCard } from '@/features/identity/auth-card';
import { CookieNotice } from '@/features/cookies/cookie-notice';
import { NovaMark, useDocumentTitle } from '@/shared/ui';
import { BackgroundVideo } from './background-video';

/** What signed-out visitors see at every path (rule screens-3). Signing in leaves the path as it is, so it opens what was asked for. */
export function LandingPage() {
  const [entered, setEntered] = useState(false);
  useDocumentTitle('Nova');
  return (
    <div className="relative flex min-h-dvh flex-col">
      <BackgroundVideo />
      <main className="relative grid flex-1 place-items-center p-4 py-10">
        {entered ? <AuthCard /> : <Entrance onEnter={() => setEntered(true)} />}
      </main>
      <CookieNotice />
    </div>
  );
}

function Entrance({ onEnter }: { onEnter: () => void }) {
  return (
    <div className="grid animate-appear justify-items-center gap-10">
      <h1 className="grid justify-items-center">
        <NovaMark className="size-14 drop-shadow-[0_0_24px_var(--color-nova)]" />
        <span className="sr-only">Nova</span>
      </h1>
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
