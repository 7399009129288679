import { Compass, KeyRound, LockKeyhole, RotateCcw, TriangleAlert } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Button, buttonClasses, PageNotice } from '@/shared/ui';

const goHome = (
  <Link to="/" className={buttonClasses({ variant: 'primary' })}>
    Go Home
  </Link>
);

/** Any unknown path, for a signed-in member (rule screens-2). */
export function NotFoundPage() {
  return (
    <PageNotice
      icon={Compass}
      title="Page Not Found"
      text="There is no page at this address. It may have moved, or the link may be wrong."
      action={goHome}
    />
  );
}

/** A page that this visitor may not see (rule screens-4). */
export function AccessDenied({ text }: { text: string }) {
  return <PageNotice icon={LockKeyhole} title="Access Denied" text={text} action={goHome} />;
}

/** An admin without the passkey that this area requires. */
export function PasskeyNeeded() {
  return (
    <PageNotice
      icon={KeyRound}
      title="Add a Passkey First"
      text="Admins of this installation need a passkey. Add one in your settings, then come back to this page."
      action={
        <Link to="/profile?tab=settings" className={buttonClasses({ variant: 'primary' })}>
          Go to Settings
        </Link>
      }
    />
  );
}

export interface BrokenPageProps {
  text: string;
  onRetry: () => void;
  retrying?: boolean;
}

/** Replaces a broken page, within its frame. */
export function BrokenPage({ text, onRetry, retrying }: BrokenPageProps) {
  return (
    <PageNotice
      icon={TriangleAlert}
      title="Something went wrong"
      text={text}
      action={
        <Button
          variant="primary"
          icon={<RotateCcw aria-hidden="true" className="size-4" />}
          pending={retrying ?? false}
          onClick={onRetry}
        >
          Try again
        </Button>
      }
    />
  );
}

/** Replaces everything if the app's first request or its frame failed. */
export function BrokenApp(props: BrokenPageProps) {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <BrokenPage {...props} />
    </main>
  );
}
