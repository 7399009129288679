import { Suspense } from 'react';
import { Outlet } from 'react-router-dom';
import { NightSky } from '@/features/shell/night-sky';
import { NovaMark, Spinner } from '@/shared/ui';

/** The frame of a page that asks one question of a signed-in member: no ways to anywhere else. */
export function PlainFrame() {
  return (
    <>
      <NightSky />
      <div className="flex min-h-dvh flex-col">
        <header className="flex items-center justify-center gap-2 pt-6 font-display text-lg font-semibold tracking-tight">
          <NovaMark className="size-5" /> Nova
        </header>
        <main className="grid flex-1 grid-cols-1 place-items-center p-4 pb-10">
          <Suspense fallback={<Spinner className="size-8 text-ink-muted" label="Loading…" />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
    </>
  );
}
