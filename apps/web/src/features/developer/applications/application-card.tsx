import { ChevronRight, KeyRound, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { AppLogo } from '@/features/oauth/app-logo';
import type { Application } from '@/features/oauth/application-types';
import { Badge, Button, buttonClasses, Card, CopyButton, RelativeTime } from '@/shared/ui';
import { DeleteApplication } from './delete-application';
import { RegenerateSecret } from './regenerate-secret';
import { ScopeList } from './scope-list';

/** One of the member's own applications: what it is, whether it is active, and the actions on it. */
export function ApplicationCard({ application }: { application: Application }) {
  const [asked, setAsked] = useState<'regenerate' | 'delete' | null>(null);
  const { clientId, name, description, logoUrl, isActive, isPublic, scopes, createdAt } = application;
  return (
    <Card>
      <div className="flex items-start gap-4">
        <AppLogo src={logoUrl} />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 className="min-w-0 text-base font-semibold wrap-anywhere text-ink">
              <Link to={applicationPath(clientId)} className="underline-offset-2 hover:underline">
                <bdi>{name}</bdi>
              </Link>
            </h2>
            <ActiveBadge isActive={isActive} />
            {isPublic && <Badge>Public client</Badge>}
          </div>
          {description !== null && (
            <p className="mt-1 line-clamp-3 text-sm wrap-anywhere text-ink-muted" dir="auto">
              {description}
            </p>
          )}
        </div>
      </div>
      <ClientId clientId={clientId} />
      <ScopeList scopes={scopes} className="mt-3" />
      <footer className="mt-4 flex flex-wrap items-center gap-2 border-t border-line pt-4">
        <p className="mr-auto w-full text-xs sm:w-auto text-ink-faint">
          Created <RelativeTime iso={createdAt} />
        </p>
        {!isPublic && (
          <Button
            size="sm"
            variant="ghost"
            icon={<KeyRound aria-hidden="true" className="size-4" />}
            onClick={() => setAsked('regenerate')}
          >
            Regenerate Secret
          </Button>
        )}
        <Button
          size="sm"
          variant="ghost"
          icon={<Trash2 aria-hidden="true" className="size-4" />}
          onClick={() => setAsked('delete')}
        >
          Delete
        </Button>
        <Link to={applicationPath(clientId)} className={buttonClasses({ size: 'sm', className: 'w-full sm:w-auto' })}>
          Manage
          <span className="sr-only">
            {' '}
            <bdi>{name}</bdi>
          </span>
          <ChevronRight aria-hidden="true" className="size-4" />
        </Link>
      </footer>
      <RegenerateSecret application={application} open={asked === 'regenerate'} onClose={() => setAsked(null)} />
      <DeleteApplication application={application} open={asked === 'delete'} onClose={() => setAsked(null)} />
    </Card>
  );
}

export function ActiveBadge({ isActive }: { isActive: boolean }) {
  return <Badge tone={isActive ? 'gain' : 'neutral'}>{isActive ? 'Active' : 'Inactive'}</Badge>;
}

/** The client id, with a copy button. */
export function ClientId({ clientId, label = 'Client ID' }: { clientId: string; label?: string }) {
  return (
    <div className="mt-4 flex items-center justify-between gap-3 rounded-sm border border-line bg-sky-700/40 py-1 pr-1 pl-3">
      <p className="min-w-0 text-sm">
        <span className="mr-2 text-ink-muted">{label}</span>
        <span className="font-mono text-xs break-all text-ink">{clientId}</span>
      </p>
      <CopyButton text={clientId} label={label === 'Client ID' ? 'Copy client ID' : `Copy the ${label}`} />
    </div>
  );
}

/** The page of one of the member's own applications. */
const applicationPath = (clientId: string): string => `/developer/apps/${encodeURIComponent(clientId)}`;
