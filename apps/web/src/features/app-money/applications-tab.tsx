import { useQuery } from '@tanstack/react-query';
import { AppWindow } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { AppLogo } from '@/features/oauth/app-logo';
import { ChangeLimitDialog, type LimitedApplication } from '@/features/oauth/change-limit-dialog';
import { oauthKeys } from '@/features/oauth/oauth-keys';
import { api, errorSentence } from '@/shared/api';
import { buttonClasses, EmptyState, ErrorNote, Skeleton } from '@/shared/ui';
import { ApplicationRow } from './application-row';

const AUTHORIZED_APPS = '/developer?tab=authorized';

/** What each application spent of the member's Nova, gave away and paid them (rule apps-9). */
export function ApplicationsTab() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: oauthKeys.used,
    queryFn: ({ signal }) => api.get('/api/wallet/applications', { signal }),
    select: ({ applications }) => applications,
    refetchOnMount: 'always',
  });
  const [limited, setLimited] = useState<LimitedApplication | null>(null);
  if (data === undefined && error !== null) {
    return (
      <ErrorNote className="mx-4 mb-4 sm:mx-6" onRetry={() => void refetch()} retrying={isFetching}>
        {errorSentence(error, 'Your applications could not be loaded.')}
      </ErrorNote>
    );
  }
  if (data === undefined) return <SkeletonRow />;
  if (data.length === 0) {
    return (
      <EmptyState
        icon={AppWindow}
        title="No application has used your Nova"
        text="What applications spend in your name, and what they pay you, is listed here."
        action={
          <Link to={AUTHORIZED_APPS} className={buttonClasses()}>
            Authorized apps
          </Link>
        }
      />
    );
  }
  return (
    <>
      <ul aria-label="Applications" className="-mt-4 divide-y divide-line">
        {data.map((application) => (
          <li key={application.clientId}>
            <ApplicationRow application={application} onLimit={setLimited} />
          </li>
        ))}
      </ul>
      <p className="border-t border-line px-4 py-3 sm:px-6">
        <Link to={AUTHORIZED_APPS} className={buttonClasses({ variant: 'ghost', size: 'sm', className: '-ml-3' })}>
          See what each may do, or revoke it
        </Link>
      </p>
      <ChangeLimitDialog application={limited} onClose={() => setLimited(null)} />
    </>
  );
}

function SkeletonRow() {
  return (
    <div aria-busy="true" className="flex min-h-18 items-center gap-3 px-4 py-3 sm:px-6">
      <AppLogo src={null} />
      <Skeleton className="h-4 w-40" />
      <span className="ml-auto">
        <Skeleton className="h-4 w-20" />
      </span>
    </div>
  );
}
