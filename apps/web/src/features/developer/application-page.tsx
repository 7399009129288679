import { testClientIdOf } from '@app/domain';
import { ExternalLink, KeyRound, Pencil, SearchX, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { AppLogo } from '@/features/oauth/app-logo';
import type { Application } from '@/features/oauth/application-types';
import { webAddress } from '@/features/oauth/web-address';
import { errorSentence } from '@/shared/api';
import {
  Badge,
  Button,
  buttonClasses,
  Card,
  Dialog,
  EmptyState,
  ErrorNote,
  formatDateTime,
  PageHeader,
  Skeleton,
  Switch,
  toast,
} from '@/shared/ui';
import { AppWalletCard } from '../app-money/app-wallet-card';
import { draftOf, toBody } from './application-schema';
import { ActiveBadge, ClientId } from './applications/application-card';
import { ApplicationForm } from './applications/application-form';
import { DeleteApplication } from './applications/delete-application';
import { type AboutApplicationProps, RegenerateSecret } from './applications/regenerate-secret';
import { ScopeList } from './applications/scope-list';
import { TestModeCard } from './test-mode/test-mode-card';
import { CallsCard } from './credentials/calls-card';
import { MembersCard } from './credentials/members-card';
import { SecretsCard } from './credentials/secrets-card';
import { useEditApplication, useMyApplication } from './use-applications';
import { WebhooksCard } from './webhooks/webhooks-card';

const PORTAL = '/developer';
const BACK = { backTo: PORTAL, backLabel: 'Back to the Developer Portal' };

/** One of the member's own applications: its settings, wallet, secrets, webhooks, members and calls. */
export function ApplicationPage() {
  const { clientId = '' } = useParams();
  const { application, error, isFetching, refetch } = useMyApplication(clientId);
  const navigate = useNavigate();
  const [isGone, setGone] = useState(false);
  if (application === undefined) {
    return (
      <>
        <PageHeader title="Application" {...BACK} />
        {error === null ? (
          <Skeleton className="h-64 rounded-lg" />
        ) : (
          <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
            {errorSentence(error, 'The application could not be loaded.')}
          </ErrorNote>
        )}
      </>
    );
  }
  if (application === null) return isGone ? null : <NoSuchApplication />;
  return (
    <>
      <PageHeader title={application.name} {...BACK} />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <AppWalletCard application={application} />
          <TestModeCard application={application} />
          {!application.isPublic && <SecretsCard clientId={clientId} />}
          <WebhooksCard clientId={clientId} />
          <WebhooksCard clientId={testClientIdOf(clientId)} />
          <MembersCard clientId={clientId} />
          <CallsCard clientId={clientId} />
        </div>
        <ApplicationFacts
          application={application}
          onDeleted={() => {
            setGone(true);
            void navigate(PORTAL, { replace: true });
          }}
        />
      </div>
    </>
  );
}

function NoSuchApplication() {
  return (
    <>
      <PageHeader title="Application" {...BACK} />
      <Card>
        <EmptyState
          icon={SearchX}
          title="Application not found"
          text="It was deleted, or it is not yours."
          action={
            <Link to={PORTAL} className={buttonClasses()}>
              My applications
            </Link>
          }
        />
      </Card>
    </>
  );
}

interface ApplicationFactsProps {
  application: Application;
  onDeleted: () => void;
}

/** The application's public details, whether it is active, and all actions on it. */
function ApplicationFacts({ application, onDeleted }: ApplicationFactsProps) {
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

/** Changes an application's public details, its redirect addresses and its scopes. */
function EditApplication({ application, open, onClose }: AboutApplicationProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      size="lg"
      title="Edit Application"
      description="A scope that you remove ends for everybody at once. It returns only when members grant it again."
    >
      {open && <EditForm application={application} onDone={onClose} />}
    </Dialog>
  );
}

function EditForm({ application, onDone }: Pick<AboutApplicationProps, 'application'> & { onDone: () => void }) {
  const edit = useEditApplication(application.clientId);
  return (
    <ApplicationForm
      initial={draftOf(application)}
      submitText="Save Changes"
      isPending={edit.isPending}
      error={edit.error}
      onSubmit={(draft) => {
        const { isPublic: _, ...changes } = toBody(draft);
        edit.mutate(changes, {
          onSuccess() {
            toast({ title: 'Application Updated', description: 'The changes are in effect.' });
            onDone();
          },
        });
      }}
    />
  );
}
