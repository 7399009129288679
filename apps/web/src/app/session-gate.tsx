import { lazy, Suspense } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { LiveNotices } from '@/features/notices/live-notices';
import { NightSky } from '@/features/shell/night-sky';
import { Shell } from '@/features/shell/shell';
import { ApiError, useCurrentUser } from '@/shared/api';
import { FullScreenSpinner, Spinner } from '@/shared/ui';
import { AccessDenied, BrokenPage } from './notices';
import { DENIED_PATH, useSessionEnd } from './use-session-end';

const LandingPage = lazy(async () => ({ default: (await import('@/features/landing/landing-page')).LandingPage }));

/** Signed out, every path shows the landing screen; signed in, the page in its shell (S0 §6, S1 §2.1). */
export function SessionGate() {
  const user = useCurrentUser();
  const endedAt = useSessionEnd();
  const { pathname } = useLocation();
  if (user.isPending) return <FullScreenSpinner />;
  if (user.data === undefined) {
    const text = user.error instanceof ApiError ? user.error.sentence : 'Nova could not be loaded.';
    return <BrokenPage text={text} retrying={user.isFetching} onRetry={() => void user.refetch()} />;
  }
  if (user.data === null) {
    if (endedAt === DENIED_PATH && pathname === DENIED_PATH) {
      return (
        <>
          <NightSky />
          <main className="grid min-h-dvh grid-cols-1 content-center p-4">
            <AccessDenied text="Your session has ended. Sign in to see your wallet." />
          </main>
        </>
      );
    }
    return (
      <Suspense fallback={<FullScreenSpinner />}>
        <LandingPage />
      </Suspense>
    );
  }
  return (
    <Shell user={user.data}>
      <LiveNotices />
      <Suspense fallback={<PageSpinner />}>
        <Outlet />
      </Suspense>
    </Shell>
  );
}

function PageSpinner() {
  return (
    <div className="grid min-h-[50dvh] place-items-center text-ink-muted">
      <Spinner className="size-6" label="Loading…" />
    </div>
  );
}
