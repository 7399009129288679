import { Suspense } from 'react';
import { Outlet } from 'react-router-dom';
import { MessageAlerts } from '@/features/chats';
import { LiveNotices } from '@/features/notices/live-notices';
import { PushHere } from '@/features/notices/push/use-push';
import { SecurityBanner } from '@/features/identity/security-banner';
import { Shell } from '@/features/shell/shell';
import { IncomingCalls } from '@/features/video/incoming-calls';
import type { CurrentUser } from '@/shared/api';
import { RealtimeProvider } from '@/shared/realtime';
import { Spinner } from '@/shared/ui';

/** Loaded for members only: the shell, the live connection and their pages. */
export function SignedIn({ user }: { user: CurrentUser }) {
  return (
    <RealtimeProvider>
      <Shell user={user}>
        <LiveNotices />
        <PushHere memberId={user.id} />
        <MessageAlerts />
        <SecurityBanner />
        <IncomingCalls>
          <Suspense fallback={<PageSpinner />}>
            <Outlet />
          </Suspense>
        </IncomingCalls>
      </Shell>
    </RealtimeProvider>
  );
}

function PageSpinner() {
  return (
    <div className="grid min-h-[50dvh] place-items-center text-ink-muted">
      <Spinner className="size-6" label="Loading…" />
    </div>
  );
}
