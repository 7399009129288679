import { lazy, Suspense, type ComponentType } from 'react';
import { useLocation } from 'react-router-dom';
import { NightSky } from '@/features/shell/night-sky';
import { ApiError, useCurrentUser, type CurrentUser } from '@/shared/api';
import { FullScreenSpinner } from '@/shared/ui';
import { AccessDenied, BrokenApp } from './notices';
import { DENIED_PATH, useSessionEnd } from './use-session-end';

const LandingPage = lazy(async () => ({ default: (await import('@/features/landing/landing-page')).LandingPage }));

/** Signed out, every path shows the landing screen; signed in, the page in its frame (rule screens-3). */
export function SessionGate({ frame: Frame }: { frame: ComponentType<{ user: CurrentUser }> }) {
  const user = useCurrentUser();
  const endedAt = useSessionEnd();
  const { pathname } = useLocation();
  if (user.isPending) return <FullScreenSpinner />;
  // Also after a sign-in: who was just let in is not to be asked for their password again.
  if (!user.data && user.isError) {
    const text = user.error instanceof ApiError ? user.error.sentence : 'Nova could not be loaded.';
    return <BrokenApp text={text} retrying={user.isFetching} onRetry={() => void user.refetch()} />;
  }
  if (!user.data) {
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
    <Suspense fallback={<FullScreenSpinner />}>
      <Frame key={user.data.id} user={user.data} />
    </Suspense>
  );
}
