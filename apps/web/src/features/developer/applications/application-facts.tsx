import { ExternalLink, KeyRound, Pencil, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { AppLogo } from '@/features/oauth/app-logo';
import type { Application } from '@/features/oauth/application-types';
import { webAddress } from '@/features/oauth/web-address';
import { Badge, Button, Card, formatDateTime, Switch } from '@/shared/ui';
import { useEditApplication } from '../use-applications';
import { ActiveBadge, ClientId } from './application-card';
import { DeleteApplication } from './delete-application';
import { EditApplication } from './edit-application';
import { RegenerateSecret } from './regenerate-secret';
import { ScopeList } from './scope-list';

export interface ApplicationFactsProps {
  application: Application;
  onDeleted: () => void;
}

/** What an application is known by, whether it is active, and everything that can be done about it. */
export function ApplicationFacts({ application, onDeleted }: ApplicationFactsProps) {
  const { clientId, description, logoUrl, isActive, isPublic } = application;
  return (
    <Card aria-label="Settings">
      <div className="flex items-center gap-3">
        <AppLogo src={logoUrl} size="lg" />
        <ActiveBadge isActive={isActive} />
        {isPublic && <Badge>Public client</Badge>}
      </div>
      {description !== null && (
        <p className="mt-3 text-sm wrap-anywhere text-ink-muted" dir="auto">
          {description}
        </p>
      )}
      <ClientId clientId={clientId} />
      <ActiveSwitch application={application} />
      <Facts application={application} />
      <Actions application={application} onDeleted={onDeleted} />
    </Card>
  );
}

function Facts({ application: { applicationUrl, redirectUris, scopes, createdAt } }: { application: Application }) {
  const address = webAddress(applicationUrl);
  return (
    <dl className="grid grid-cols-1 gap-4 border-t border-line pt-4 text-sm">
      {address !== null && (
        <Fact label="Application URL">
          <a
            href={address}
            target="_blank"
            rel="noopener noreferrer"
            className="inline-flex items-center gap-1.5 break-all text-nova underline underline-offset-2"
          >
            {address}
            <ExternalLink aria-hidden="true" className="size-3.5 shrink-0" />
            <span className="sr-only">(opens in a new tab)</span>
          </a>
        </Fact>
      )}
      <Fact label="Redirect URIs">
        <ul className="grid grid-cols-1 gap-1">
          {redirectUris.map((uri) => (
            <li key={uri} className="font-mono text-xs break-all">
              {uri}
            </li>
          ))}
        </ul>
      </Fact>
      <Fact label="Scopes">
        <ScopeList scopes={scopes} className="pt-1" />
      </Fact>
      <Fact label="Created">{formatDateTime(createdAt)}</Fact>
    </dl>
  );
}

function Actions({ application, onDeleted }: ApplicationFactsProps) {
  const [asked, setAsked] = useState<'edit' | 'regenerate' | 'delete' | null>(null);
  const close = () => setAsked(null);
  return (
    <footer className="mt-5 grid grid-cols-1 gap-2">
      <Button icon={<Pencil aria-hidden="true" className="size-4" />} onClick={() => setAsked('edit')}>
        Edit
      </Button>
      {!application.isPublic && (
        <Button icon={<KeyRound aria-hidden="true" className="size-4" />} onClick={() => setAsked('regenerate')}>
          Regenerate Secret
        </Button>
      )}
      <Button
        variant="ghost"
        icon={<Trash2 aria-hidden="true" className="size-4" />}
        onClick={() => setAsked('delete')}
      >
        Delete Application
      </Button>
      <EditApplication application={application} open={asked === 'edit'} onClose={close} />
      <RegenerateSecret application={application} open={asked === 'regenerate'} onClose={close} />
      <DeleteApplication application={application} open={asked === 'delete'} onClose={close} onDeleted={onDeleted} />
    </footer>
  );
}

function ActiveSwitch({ application: { clientId, isActive } }: { application: Application }) {
  const edit = useEditApplication(clientId);
  return (
    <Switch
      className="mt-2 flex items-center justify-between gap-4 py-3"
      label="Active"
      hint="While it is inactive, Nova refuses its sign-ins and tokens."
      checked={edit.isPending ? edit.variables.isActive === true : isActive}
      onCheckedChange={(next) => !edit.isPending && edit.mutate({ isActive: next })}
    />
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-ink-faint">{label}</dt>
      <dd className="mt-0.5 min-w-0 text-ink">{children}</dd>
    </div>
  );
}
