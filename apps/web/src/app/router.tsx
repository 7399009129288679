import { useQueryClient } from '@tanstack/react-query';
import { type ComponentType, isValidElement, type ReactNode, Suspense, useEffect, useState } from 'react';
import {
  createBrowserRouter,
  matchRoutes,
  Outlet,
  type RouteObject,
  useLocation,
  useRouteError,
} from 'react-router-dom';
import { LandingPage } from '@/features/landing/landing-page';
import { FreshProofs } from '@/features/passkeys/fresh-proofs';
import { NightSky } from '@/features/shell/night-sky';
import { FILLS_SCREEN } from '@/shared/hooks/whole-screen';
import { ApiError, type CurrentUser, useCurrentUser } from '@/shared/api';
import { loadPart, part } from '@/shared/part';
import { FullScreenSpinner, NovaMark, Spinner, toast, Toaster } from '@/shared/ui';
import { watchMember } from './member-watch';
import { AccessDenied, BrokenApp, BrokenPage, type BrokenPageProps, NotFoundPage, PasskeyNeeded } from './notices';

/** Signed out, every path shows the landing screen; signed in, the page in its frame (rule screens-3). */
function SessionGate({ frame: Frame }: { frame: ComponentType<{ user: CurrentUser }> }) {
  const user = useCurrentUser();
  const endedAt = useSessionEnd();
  const { pathname } = useLocation();
  if (user.isPending) return <FullScreenSpinner />;
  // Also after a sign-in: a member who was just let in must not be asked for their password again.
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
    return <LandingPage />;
  }
  return (
    <Suspense fallback={<FullScreenSpinner />}>
      <Frame key={user.data.id} user={user.data} />
    </Suspense>
  );
}

/** If a session ends here, Access Denied is shown instead of the landing screen (rule screens-4). */
const DENIED_PATH = '/wallet';

/** The path on which the session ended by itself; null while it has not. */
function useSessionEnd(): string | null {
  const client = useQueryClient();
  const [endedAt, setEndedAt] = useState<string | null>(null);
  useEffect(
    () =>
      watchMember(client, (memberId) => {
        const { pathname } = window.location;
        setEndedAt(memberId === null ? pathname : null);
        if (memberId === null && pathname !== DENIED_PATH) {
          toast({ title: 'Session ended', description: 'Sign in again to continue.' });
        }
      }),
    [client],
  );
  return endedAt;
}

/** A page outside a member's frame: a call rings there as well (rule chats-36). */
function OutsideFrame() {
  const { data: user } = useCurrentUser();
  return (
    <>
      <Suspense fallback={<FullScreenSpinner />}>
        <Outlet />
      </Suspense>
      {user && (
        <Suspense fallback={null}>
          <Ringing key={user.id} />
        </Suspense>
      )}
    </>
  );
}

/** The frame of a page that asks a signed-in member one question, without navigation. */
function PlainFrame() {
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

const Ringing = part(async () => (await import('./ringing')).Ringing);
const SignedIn = part(async () => (await import('./signed-in')).SignedIn);
const MainPage = part(async () => (await import('@/features/main/main-page')).MainPage);
const WalletPage = part(async () => (await import('@/features/wallet/wallet-page')).WalletPage);
const GiftsPage = part(async () => (await import('@/features/gifts/gifts-page')).GiftsPage);
const AdminPage = part(async () => (await import('@/features/admin/admin-page')).AdminPage);
const AdminEventPage = part(async () => (await import('@/features/admin/admin-event-page')).AdminEventPage);
const ChatPage = part(async () => (await import('@/features/chats/chat-page')).ChatPage);
const PayoutHistoryPage = part(
  async () => (await import('@/features/chats/payouts/payout-history-page')).PayoutHistoryPage,
);
const ProfilePage = part(async () => (await import('@/features/profiles/profile-page')).ProfilePage);
const ResonancePage = part(async () => (await import('@/features/resonance/resonance-page')).ResonancePage);
const QuestsPage = part(async () => (await import('@/features/quests/quests-page')).QuestsPage);
const PostPage = part(async () => (await import('@/features/feed/post-page')).PostPage);
const VideoPage = part(async () => (await import('@/features/video/video-page')).VideoPage);
const DeveloperPage = part(async () => (await import('@/features/developer/developer-page')).DeveloperPage);
const ApplicationPage = part(async () => (await import('@/features/developer/application-page')).ApplicationPage);
const ConsentPage = part(async () => (await import('@/features/oauth/consent/consent-page')).ConsentPage);
const TestConsentPage = part(async () => (await import('@/features/oauth/consent/test-consent-page')).TestConsentPage);
const DevicePage = part(async () => (await import('@/features/oauth/device/device-page')).DevicePage);
const DemoPage = part(async () => (await import('@/features/oauth/demo/demo-page')).DemoPage);
const ResetPasswordPage = part(async () => (await import('@/features/identity/reset-password-page')).ResetPasswordPage);
const VerifyEmailPage = part(async () => (await import('@/features/identity/verify-email-page')).VerifyEmailPage);
const TermsPage = part(async () => (await import('@/features/terms/terms-page')).TermsPage);

function Root() {
  return (
    <>
      <Outlet />
      <FreshProofs />
      <Toaster />
    </>
  );
}

/** For admins only; everybody else sees Access Denied (rule screens-4). The server checks again on every call. */
function AdminArea({ children }: { children: ReactNode }) {
  const { data: user } = useCurrentUser();
  if (user?.isAdmin === true && user.needsPasskey === true) return <PasskeyNeeded />;
  if (user?.isAdmin === true) return children;
  return <AccessDenied text="Admin privileges required to access this page." />;
}

/** Nothing of the broken page can be kept. If its release was replaced, it reloads without asking. */
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

/** The main page loads its tabs when it shows them; this one has an address of its own. */
const FEED_TAB = {
  loadTab: async () => loadPart((await import('@/features/main/main-page')).FeedView),
};

/** The client's routes (rule screens-1). */
const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <RouteError notice={BrokenApp} />,
    children: [
      {
        element: <OutsideFrame />,
        children: [
          { path: '/terms', element: <TermsPage /> },
          { path: '/reset-password', element: <ResetPasswordPage /> },
          // Nobody needs to be signed in: made-up members decide.
          { element: <PlainFrame />, children: [{ path: '/oauth/consent/test', element: <TestConsentPage /> }] },
          {
            element: <SessionGate frame={PlainFrame} />,
            children: [
              { path: '/oauth/consent', element: <ConsentPage /> },
              { path: '/device', element: <DevicePage /> },
              { path: '/verify-email', element: <VerifyEmailPage /> },
            ],
          },
        ],
      },
      {
        element: <SessionGate frame={SignedIn} />,
        children: [
          {
            // The navigation stays around the broken page.
            errorElement: <RouteError notice={BrokenPage} />,
            children: [
              { path: '/', element: <MainPage /> },
              { path: '/discovery', element: <MainPage /> },
              { path: '/feed', element: <MainPage />, handle: FEED_TAB },
              { path: '/wallet', element: <WalletPage /> },
              { path: '/gifts', element: <GiftsPage /> },
              { path: '/profile', element: <ProfilePage /> },
              { path: '/resonance', element: <ResonancePage /> },
              { path: '/post/:id', element: <PostPage /> },
              { path: '/video-chat/:userId', element: <VideoPage />, handle: FILLS_SCREEN },
              { path: '/quests', element: <QuestsPage /> },
              { path: '/payout-history', element: <PayoutHistoryPage /> },
              { path: '/chat/:chatId', element: <ChatPage />, handle: FILLS_SCREEN },
              { path: '/chats/:chatId', element: <ChatPage />, handle: FILLS_SCREEN },
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

/** Loads what shows a member this address, so that the client's first picture is the whole page. */
export async function loadParts(address: Pick<Location, 'pathname'>): Promise<void> {
  const parts = (matchRoutes(routes, address) ?? []).flatMap(({ route: { element, handle } }) => {
    const shown = isValidElement<{ frame?: unknown }>(element) ? [element.type, element.props.frame].map(loadPart) : [];
    return isTabbed(handle) ? [...shown, handle.loadTab()] : shown;
  });
  // What does not come is asked for again, and told, where it is shown.
  await Promise.allSettled(parts);
}

const isTabbed = (handle: unknown): handle is typeof FEED_TAB => handle === FEED_TAB;

export const createRouter = () => createBrowserRouter(routes);

const ANSWER_MS_MAX = 5_000;

/** The page's entry script, whose name has the hash of its build. */
const ENTRY = /<script type="module"[^>]* src="([^"]+)"/;

/** Whether the server now has another release than this page, whose parts are then gone. */
async function hasNewerRelease(): Promise<boolean> {
  try {
    const page = await fetch('/', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    const entry = page.ok ? ENTRY.exec(await page.text())?.[1] : undefined;
    return entry !== undefined && ![...document.scripts].some((script) => script.getAttribute('src') === entry);
  } catch {
    return false;
  }
}
