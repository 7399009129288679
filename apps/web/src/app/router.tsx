import { lazy, Suspense, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { createBrowserRouter, Outlet, useRouteError, type RouteObject } from 'react-router-dom';
import { useCurrentUser } from '@/shared/api';
import { FullScreenSpinner, Toaster } from '@/shared/ui';
import { FreshProofs } from '@/features/passkeys/fresh-proofs';
import { hasNewerRelease } from './newer-release';
import { AccessDenied, BrokenApp, BrokenPage, NotFoundPage, PasskeyNeeded, type BrokenPageProps } from './notices';
import { PlainFrame } from './plain-frame';
import { SessionGate } from './session-gate';

const SignedIn = lazy(async () => ({ default: (await import('./signed-in')).SignedIn }));
const MainPage = lazy(async () => ({ default: (await import('@/features/main/main-page')).MainPage }));
const WalletPage = lazy(async () => ({ default: (await import('@/features/wallet/wallet-page')).WalletPage }));
const GiftsPage = lazy(async () => ({ default: (await import('@/features/gifts/gifts-page')).GiftsPage }));
const AdminPage = lazy(async () => ({ default: (await import('@/features/admin/admin-page')).AdminPage }));
const AdminEventPage = lazy(async () => ({
  default: (await import('@/features/admin/admin-event-page')).AdminEventPage,
}));
const ChatPage = lazy(async () => ({ default: (await import('@/features/chats/chat-page')).ChatPage }));
const PayoutHistoryPage = lazy(async () => ({
  default: (await import('@/features/chats/payouts/payout-history-page')).PayoutHistoryPage,
}));
const ProfilePage = lazy(async () => ({ default: (await import('@/features/profiles/profile-page')).ProfilePage }));
const ResonancePage = lazy(async () => ({
  default: (await import('@/features/resonance/resonance-page')).ResonancePage,
}));
const QuestsPage = lazy(async () => ({ default: (await import('@/features/quests/quests-page')).QuestsPage }));
const PostPage = lazy(async () => ({ default: (await import('@/features/feed/post-page')).PostPage }));
const VideoPage = lazy(async () => ({ default: (await import('@/features/video/video-page')).VideoPage }));
const DeveloperPage = lazy(async () => ({
  default: (await import('@/features/developer/developer-page')).DeveloperPage,
}));
const ApplicationPage = lazy(async () => ({
  default: (await import('@/features/developer/application-page')).ApplicationPage,
}));
const ConsentPage = lazy(async () => ({
  default: (await import('@/features/oauth/consent/consent-page')).ConsentPage,
}));
const DemoPage = lazy(async () => ({ default: (await import('@/features/oauth/demo/demo-page')).DemoPage }));
const ResetPasswordPage = lazy(async () => ({
  default: (await import('@/features/identity/reset-password-page')).ResetPasswordPage,
}));
const VerifyEmailPage = lazy(async () => ({
  default: (await import('@/features/identity/verify-email-page')).VerifyEmailPage,
}));
const TermsPage = lazy(async () => ({ default: (await import('@/features/terms/terms-page')).TermsPage }));

function Root() {
  return (
    <>
      <Outlet />
      <FreshProofs />
      <Toaster />
    </>
  );
}

/** Only admins; everybody else is told so (rule screens-4). The server decides again on every call. */
function AdminArea({ children }: { children: ReactNode }) {
  const { data: user } = useCurrentUser();
  if (user?.isAdmin === true && user.needsPasskey === true) return <PasskeyNeeded />;
  if (user?.isAdmin === true) return children;
  return <AccessDenied text="Admin privileges required to access this page." />;
}

/** Nothing of the broken page can be kept: one of a release that was replaced is loaded anew without being asked. */
function RouteError({ notice: Notice }: { notice: ComponentType<BrokenPageProps> }) {
  const error = useRouteError();
  const [isCurrent, setCurrent] = useState(false);
  useEffect(() => {
    console.error(error);
    void hasNewerRelease().then((isNewer) => (isNewer ? window.location.reload() : setCurrent(true)));
  }, [error]);
  if (!isCurrent) return <FullScreenSpinner />;
  return (
    <Notice
      text="This page could not be shown. Loading it again usually helps."
      onRetry={() => window.location.reload()}
    />
  );
}

/** The client's routes (rule screens-1). */
const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <RouteError notice={BrokenApp} />,
    children: [
      {
        path: '/terms',
        element: (
          <Suspense fallback={<FullScreenSpinner />}>
            <TermsPage />
          </Suspense>
        ),
      },
      {
        path: '/reset-password',
        element: (
          <Suspense fallback={<FullScreenSpinner />}>
            <ResetPasswordPage />
          </Suspense>
        ),
      },
      {
        element: <SessionGate frame={PlainFrame} />,
        children: [
          { path: '/oauth/consent', element: <ConsentPage /> },
          { path: '/verify-email', element: <VerifyEmailPage /> },
        ],
      },
      {
        element: <SessionGate frame={SignedIn} />,
        children: [
          {
            // Around the page stay the ways to others.
            errorElement: <RouteError notice={BrokenPage} />,
            children: [
              { path: '/', element: <MainPage /> },
              { path: '/discovery', element: <MainPage /> },
              { path: '/feed', element: <MainPage /> },
              { path: '/wallet', element: <WalletPage /> },
              { path: '/gifts', element: <GiftsPage /> },
              { path: '/profile', element: <ProfilePage /> },
              { path: '/resonance', element: <ResonancePage /> },
              { path: '/post/:id', element: <PostPage /> },
              { path: '/video-chat/:userId', element: <VideoPage /> },
              { path: '/quests', element: <QuestsPage /> },
              { path: '/payout-history', element: <PayoutHistoryPage /> },
              { path: '/chat/:chatId', element: <ChatPage /> },
              { path: '/chats/:chatId', element: <ChatPage /> },
              {
                path: '/admin',
                element: (
                  <AdminArea>
                    <AdminPage />
                  </AdminArea>
                ),
              },
              {
                path: '/admin/events/:eventId',
                element: (
                  <AdminArea>
                    <AdminEventPage />
                  </AdminArea>
                ),
              },
              { path: '/developer', element: <DeveloperPage /> },
              { path: '/developer/apps/:clientId', element: <ApplicationPage /> },
              { path: '/oauth/demo', element: <DemoPage /> },
              { path: '*', element: <NotFoundPage /> },
            ],
          },
        ],
      },
    ],
  },
];

export const createRouter = () => createBrowserRouter(routes);
