import { useQuery } from '@tanstack/react-query';
import { AppWindow } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { AppLogo } from '@/features/oauth/app-logo';
import type { UsedApplication } from '@/features/oauth/application-types';
import { ChangeLimitDialog, type LimitedApplication } from '@/features/oauth/change-limit-dialog';
import { oauthKeys } from '@/features/oauth/oauth-keys';
import { addNova, api, errorSentence, formatNova } from '@/shared/api';
import { Amount, Button, buttonClasses, EmptyState, ErrorNote, ProgressBar, RelativeTime, Skeleton } from '@/shared/ui';

const AUTHORIZED_APPS = '/developer?tab=authorized';

/** What each application spent of the member's Nova, gave away, and paid the member (rule apps-9). */
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

interface ApplicationRowProps {
  application: UsedApplication;
  onLimit: (application: LimitedApplication) => void;
}

/** One application: what it took and gave, and how much of today's limit is used. */
function ApplicationRow({ application, onLimit }: ApplicationRowProps) {
  const { clientId, name, logoUrl, spent, transferred, earned, dailyLimit, lastUsedAt } = application;
  return (
    <div className="grid gap-3 px-4 py-4 sm:px-6">
      <div className="flex items-start gap-3">
        <AppLogo src={logoUrl} />
        <div className="min-w-0 flex-1">
          <h3 className="line-clamp-2 text-sm font-medium wrap-anywhere text-ink">
            <bdi>{name}</bdi>
          </h3>
          <p className="mt-0.5 text-xs text-ink-faint tabular-nums">
            {formatNova(spent)} spent, {formatNova(transferred)} given
          </p>
          {lastUsedAt !== null && (
            <p className="mt-0.5 text-xs text-ink-faint">
              Last used <RelativeTime iso={lastUsedAt} />
            </p>
          )}
        </div>
        <p className="grid shrink-0 justify-items-end">
          <Amount value={-addNova(spent, transferred)} signed bare className="text-sm font-semibold" />
          {earned > 0 && (
            <span className="text-xs text-ink-faint">
              paid you <Amount value={earned} signed bare />
            </span>
          )}
        </p>
      </div>
      {dailyLimit === null ? (
        <p className="text-xs text-ink-faint sm:pl-13">It can spend no more.</p>
      ) : (
        <Today {...application} dailyLimit={dailyLimit} onLimit={() => onLimit({ clientId, name, dailyLimit })} />
      )}
    </div>
  );
}

interface TodayProps {
  name: string;
  spentToday: number;
  dailyLimit: number;
  onLimit: () => void;
}

function Today({ name, spentToday, dailyLimit, onLimit }: TodayProps) {
  const text = `${formatNova(spentToday)} of ${formatNova(dailyLimit)} Nova today`;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 sm:pl-13">
      <div className="min-w-40 flex-1">
        <p className="mb-1 text-xs text-ink-muted tabular-nums">{text}</p>
        {dailyLimit > 0 && <ProgressBar label={`Daily limit of ${name}`} value={spentToday} max={dailyLimit} />}
      </div>
      <Button size="sm" variant="ghost" onClick={onLimit}>
        Change limit
      </Button>
    </div>
  );
}
