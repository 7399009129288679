import { isolated } from '@app/domain';
import {
  CodeXml,
  FlaskConical,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Plus,
  RefreshCw,
  ShieldCheck,
} from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { errorSentence } from '@/shared/api';
import {
  Button,
  buttonClasses,
  Card,
  Dialog,
  EmptyState,
  ErrorNote,
  PageHeader,
  Skeleton,
  Tabs,
  TabsContent,
  TabsList,
  TabsTrigger,
  toast,
} from '@/shared/ui';
import { emptyDraft, toBody } from './application-schema';
import { ApplicationCard } from './applications/application-card';
import { ApplicationForm } from './applications/application-form';
import { SecretDialog } from './applications/secret-dialog';
import { AuthorizedApplications } from './authorized/authorized-applications';
import { ApiDocumentation } from './docs/api-documentation';
import { IntegrationGuide } from './docs/integration-guide';
import { useMyApplications, useRegisterApplication } from './use-applications';

/** On a phone, the row of tabs scrolls to keep the current one visible. */
const showInRow = (trigger: HTMLElement | null) => trigger?.scrollIntoView({ block: 'nearest', inline: 'center' });

/** The Developer Portal (rule oauth-6). */
export function DeveloperPage() {
  const [tab, show] = useDeveloperTab();
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <PageHeader
        title="Developer Portal"
        description="Applications that sign members in with Nova, and act for them."
        backTo="/"
        backLabel="Back to discovery"
        actions={
          <>
            <Link to="/oauth/demo" className={buttonClasses()}>
              <FlaskConical aria-hidden="true" className="size-4" />
              OAuth Demo
            </Link>
            <Button
              variant="primary"
              icon={<Plus aria-hidden="true" className="size-4" />}
              onClick={() => setCreating(true)}
            >
              Create Application
            </Button>
          </>
        }
      />
      <Tabs value={tab} onValueChange={show}>
        <TabsList aria-label="Parts of the Developer Portal">
          {DEVELOPER_TABS.map(({ name, label }) => (
            <TabsTrigger key={name} value={name} ref={name === tab ? showInRow : undefined}>
              {label}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="applications">
          <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
            <MyApplications onCreate={() => setCreating(true)} />
            <BestPractices />
          </div>
        </TabsContent>
        <TabsContent value="authorized">
          <AuthorizedApplications />
        </TabsContent>
        <TabsContent value="api">
          <ApiDocumentation />
        </TabsContent>
        <TabsContent value="guide">
          <IntegrationGuide />
        </TabsContent>
      </Tabs>
      <CreateApplication open={isCreating} onOpenChange={setCreating} />
    </>
  );
}

/** The tabs of the Developer Portal (rule oauth-6). */
const DEVELOPER_TABS = [
  { name: 'applications', label: 'My Applications' },
  { name: 'authorized', label: 'Authorized Apps' },
  { name: 'api', label: 'API Documentation' },
  { name: 'guide', label: 'Integration Guide' },
] as const;
type DeveloperTab = (typeof DEVELOPER_TABS)[number]['name'];

/** The address holds the tab; without one, My Applications is shown. The rest of the address stays unchanged. */
function useDeveloperTab(): [tab: DeveloperTab, show: (tab: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const named = parameters.get('tab');
  const show = (tab: string) =>
    setParameters(
      (current) => {
        const next = new URLSearchParams(current);
        if (tab === 'applications') next.delete('tab');
        else next.set('tab', tab);
        return next;
      },
      { replace: true },
    );
  return [DEVELOPER_TABS.find(({ name }) => name === named)?.name ?? 'applications', show];
}

const TIPS: readonly { icon: LucideIcon; title: string; text: string }[] = [
  {
    icon: KeyRound,
    title: 'Keep secrets secure',
    text: 'A client secret belongs on a server, never in a page, an app or a repository.',
  },
  {
    icon: RefreshCw,
    title: 'Handle token refresh',
    text: 'Access tokens live for an hour. Each refresh returns a new refresh token and ends the old one.',
  },
  {
    icon: ShieldCheck,
    title: 'Validate the state parameter',
    text: 'Send a random state, and reject every answer without it.',
  },
  {
    icon: ListChecks,
    title: 'Request minimal scopes',
    text: 'Members tick each scope by hand. Ask for what you use.',
  },
];

/** The Best Practices card (rule oauth-6). */
function BestPractices() {
  return (
    <Card title="Best Practices">
      <ul className="grid grid-cols-1 gap-4">
        {TIPS.map(({ icon: Icon, title, text }) => (
          <li key={title} className="flex gap-3">
            <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-nova" />
            <div className="min-w-0">
              <h3 className="text-sm font-medium text-ink">{title}</h3>
              <p className="mt-0.5 text-sm text-ink-muted">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The applications that the member has registered (rule oauth-6). */
function MyApplications({ onCreate }: { onCreate: () => void }) {
  const { data, error, isFetching, refetch } = useMyApplications();
  if (data === undefined && error !== null) {
    return (
      <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
        {errorSentence(error, 'Your applications could not be loaded.')}
      </ErrorNote>
    );
  }
  if (data === undefined) return <SkeletonCards />;
  if (data.length === 0) {
    return (
      <Card>
        <EmptyState
          icon={CodeXml}
          title="No applications yet"
          text="Register an application so that members can sign in to it with Nova, share data with it and pay in it."
          action={
            <Button icon={<Plus aria-hidden="true" className="size-4" />} onClick={onCreate}>
              Create your first application
            </Button>
          }
        />
      </Card>
    );
  }
  return (
    <ul aria-label="My applications" className="grid grid-cols-1 gap-4">
      {data.map((application) => (
        <li key={application.clientId}>
          <ApplicationCard application={application} />
        </li>
      ))}
    </ul>
  );
}

function SkeletonCards() {
  return (
    <ul aria-label="Loading applications" aria-busy="true" className="grid grid-cols-1 gap-4">
      {['first', 'second'].map((place) => (
        <li key={place}>
          <Card>
            <div className="flex items-center gap-4">
              <Skeleton className="size-10 rounded-md" />
              <Skeleton className="h-5 w-40" />
            </div>
            <Skeleton className="mt-4 h-4 w-full max-w-sm" />
            <Skeleton className="mt-2 h-4 w-full max-w-xs" />
          </Card>
        </li>
      ))}
    </ul>
  );
}

interface CreateApplicationProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The Create OAuth Application dialog, and the secret that follows it (rule oauth-3). */
function CreateApplication({ open, onOpenChange }: CreateApplicationProps) {
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        size="lg"
        title="Create OAuth Application"
        description="It gets a client id, and a secret that is shown once."
      >
        {open && (
          <CreateForm
            onCreated={(clientSecret) => {
              onOpenChange(false);
              setSecret(clientSecret);
            }}
          />
        )}
      </Dialog>
      <SecretDialog secret={secret} onSaved={() => setSecret(null)} />
    </>
  );
}

/** Empty optional fields are left out. */
const filled = ({ description, applicationUrl, logoUrl, ...rest }: ReturnType<typeof toBody>) => ({
  ...rest,
  ...(description === '' ? {} : { description }),
  ...(applicationUrl === '' ? {} : { applicationUrl }),
  ...(logoUrl === '' ? {} : { logoUrl }),
});

function CreateForm({ onCreated }: { onCreated: (secret: string | null) => void }) {
  const registration = useRegisterApplication();
  return (
    <ApplicationForm
      initial={emptyDraft()}
      submitText="Create Application"
      isPending={registration.isPending}
      error={registration.error}
      canBePublic
      onSubmit={(draft) =>
        registration.mutate(filled(toBody(draft)), {
          onSuccess({ application, clientSecret }) {
            toast({
              title: 'Application Created',
              description: `“${isolated(application.name)}” can sign members in now.`,
            });
            onCreated(clientSecret);
          },
        })
      }
    />
  );
}
