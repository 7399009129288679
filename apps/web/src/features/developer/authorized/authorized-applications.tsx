import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { AppLogo } from '@/features/oauth/app-logo';
import type { AuthorizedApplication } from '@/features/oauth/application-types';
import { ChangeLimitDialog, type LimitedApplication } from '@/features/oauth/change-limit-dialog';
import { useAuthorizedApplications, useRevokeAccess } from '@/features/oauth/use-authorized';
import { errorSentence, formatNova } from '@/shared/api';
import { Button, Card, Dialog, EmptyState, ErrorNote, formatDateTime, Skeleton, StayOpen } from '@/shared/ui';
import { ApplicationName } from '../applications/regenerate-secret';
import { ScopeList } from '../applications/scope-list';

/** The applications that may act for the member (rule oauth-8). */
export function AuthorizedApplications() {
  const { data, error, isFetching, refetch } = useAuthorizedApplications();
  const [revoked, setRevoked] = useState<AuthorizedApplication | null>(null);
  const [limited, setLimited] = useState<LimitedApplication | null>(null);
  if (data === undefined && error !== null) {
    return (
      <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
        {errorSentence(error, 'Your authorized apps could not be loaded.')}
      </ErrorNote>
    );
  }
  if (data === undefined) return <Skeleton className="h-40 rounded-lg" />;
  if (data.length === 0) {
    return (
      <Card>
        <EmptyState
          icon={ShieldCheck}
          title="No authorized apps"
          text="Applications that may act for you are listed here, with their permissions. You can revoke them."
        />
      </Card>
    );
  }
  return (
    <>
      <ul aria-label="Authorized apps" className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        {data.map((application) => (
          <li key={application.id} className="grid">
            <AuthorizedCard
              application={application}
              onRevoke={() => setRevoked(application)}
              onLimit={(dailyLimit) => setLimited({ clientId: application.id, name: application.name, dailyLimit })}
            />
          </li>
        ))}
      </ul>
      <RevokeDialog application={revoked} onClose={() => setRevoked(null)} />
      <ChangeLimitDialog application={limited} onClose={() => setLimited(null)} />
    </>
  );
}

interface AuthorizedCardProps {
  application: AuthorizedApplication;
  onRevoke: () => void;
  onLimit: (dailyLimit: number) => void;
}

function AuthorizedCard({ application, onRevoke, onLimit }: AuthorizedCardProps) {
  const { name, description, logoUrl, grantedScopes, dailyLimit, firstConsentAt, lastConsentAt } = application;
  return (
    <Card className="flex flex-col">
      <div className="flex items-start gap-4">
        <AppLogo src={logoUrl} />
        <div className="min-w-0 flex-1">
          <h2 className="text-base font-semibold wrap-anywhere text-ink">
            <bdi>{name}</bdi>
          </h2>
          {description !== null && (
            <p className="mt-1 line-clamp-3 text-sm wrap-anywhere text-ink-muted" dir="auto">
              {description}
            </p>
          )}
        </div>
      </div>
      <ScopeList scopes={grantedScopes} className="mt-4" />
      {dailyLimit !== null && (
        <p className="mt-4 flex flex-wrap items-center justify-between gap-2 text-sm text-ink-muted">
          <span>
            May spend <span className="font-medium text-ink tabular-nums">{formatNova(dailyLimit)}</span> Nova a day
          </span>
          <Button size="sm" variant="ghost" onClick={() => onLimit(dailyLimit)}>
            Change limit
          </Button>
        </p>
      )}
      <footer className="mt-auto flex flex-wrap items-end justify-between gap-3 pt-4">
        <p className="text-xs text-ink-faint">
          First authorized {formatDateTime(firstConsentAt)}
          <br />
          Last authorized {formatDateTime(lastConsentAt)}
        </p>
        <Button size="sm" onClick={onRevoke}>
          Revoke Access
        </Button>
      </footer>
    </Card>
  );
}

interface RevokeDialogProps {
  /** Null while the dialog is closed. */
  application: AuthorizedApplication | null;
  onClose: () => void;
}

/** Asks before an application's access is revoked (rule oauth-5). */
function RevokeDialog({ application, onClose }: RevokeDialogProps) {
  const revocation = useRevokeAccess();
  return (
    <Dialog
      open={application !== null}
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title="Revoke access?"
      description="It can no longer read your data or spend your Nova. It may ask you again."
      footer={
        <>
          <StayOpen while={revocation.isPending} />
          <Button disabled={revocation.isPending} onClick={onClose}>
            Keep it
          </Button>
          <Button
            variant="danger"
            pending={revocation.isPending}
            onClick={() => application && revocation.mutate(application, { onSuccess: onClose })}
          >
            Revoke Access
          </Button>
        </>
      }
    >
      <ApplicationName name={application?.name ?? ''} />
    </Dialog>
  );
}
