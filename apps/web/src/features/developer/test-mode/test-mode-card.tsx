import { KeyRound, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { Application } from '@/features/oauth/application-types';
import { errorSentence } from '@/shared/api';
import { Badge, Button, Card, CopyButton, Dialog, ErrorNote, Skeleton, StayOpen } from '@/shared/ui';
import { ClientId } from '../applications/application-card';
import { SecretDialog } from '../applications/secret-dialog';
import { useMakeTestSecret, useResetTestData, useTestMode } from './use-test-mode';

/** The test client of an application, its made-up members, and how much test data there is (rule apps-11). */
export function TestModeCard({ application }: { application: Application }) {
  const { clientId, isPublic } = application;
  const { data, error, isFetching, refetch } = useTestMode(clientId);
  return (
    <Card title="Test Mode" actions={<Badge tone="hold">No real Nova</Badge>}>
      <p className="text-sm text-ink-muted">
        The same API with a client of its own: three made-up members, made-up Nova, and <code>livemode: false</code> in
        every answer.
      </p>
      {data === undefined && error !== null && (
        <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
          {errorSentence(error, 'The test mode could not be loaded.')}
        </ErrorNote>
      )}
      {data === undefined && error === null && <Skeleton className="mt-4 h-40 rounded-md" />}
      {data !== undefined && (
        <>
          <ClientId clientId={data.clientId} label="Test client ID" />
          <ul aria-label="Test members" className="mt-4 divide-y divide-line rounded-md border border-line">
            {data.members.map(({ id, name, about }) => (
              <li key={id} className="flex items-center justify-between gap-3 py-2 pr-1 pl-4">
                <p className="min-w-0 text-sm">
                  <span className="font-medium text-ink">{name}</span>
                  <span className="ml-2 text-ink-muted">{about}</span>
                  <span className="block font-mono text-xs break-all text-ink-faint">{id}</span>
                </p>
                <CopyButton text={id} label={`Copy the id of ${name}`} />
              </li>
            ))}
          </ul>
          <p className="mt-4 text-sm text-ink-muted">
            {data.events.toLocaleString('en-US')} of {data.eventsMax.toLocaleString('en-US')} events of test data
          </p>
          <footer className="mt-3 flex flex-wrap gap-2">
            {!isPublic && <MakeTestSecret clientId={clientId} hasSecret={data.hasSecret} />}
            <ResetTestData clientId={clientId} resetsLeft={data.resetsLeft} />
          </footer>
        </>
      )}
    </Card>
  );
}

function MakeTestSecret({ clientId, hasSecret }: { clientId: string; hasSecret: boolean }) {
  const making = useMakeTestSecret(clientId);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <Button
        icon={<KeyRound aria-hidden="true" className="size-4" />}
        pending={making.isPending}
        onClick={() => making.mutate(undefined, { onSuccess: ({ clientSecret }) => setSecret(clientSecret) })}
      >
        {hasSecret ? 'New Test Secret' : 'Make Test Secret'}
      </Button>
      <SecretDialog
        secret={secret}
        onSaved={() => setSecret(null)}
        title="Test Secret Generated"
        label="Test client secret"
      />
    </>
  );
}

function ResetTestData({ clientId, resetsLeft }: { clientId: string; resetsLeft: number }) {
  const reset = useResetTestData(clientId);
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button
        variant="ghost"
        icon={<RotateCcw aria-hidden="true" className="size-4" />}
        disabled={resetsLeft === 0}
        onClick={() => setAsked(true)}
      >
        {resetsLeft === 0 ? 'Reset again tomorrow' : 'Reset Test Data'}
      </Button>
      <Dialog
        open={isAsked}
        onOpenChange={(open) => !open && setAsked(false)}
        size="sm"
        title="Reset the test data?"
        description="The test members get new ids and begin with the Nova that they had at first. Their tokens end."
        footer={
          <>
            <StayOpen while={reset.isPending} />
            <Button disabled={reset.isPending} onClick={() => setAsked(false)}>
              Keep It
            </Button>
            <Button
              variant="danger"
              pending={reset.isPending}
              onClick={() => reset.mutate(undefined, { onSettled: () => setAsked(false) })}
            >
              Reset Test Data
            </Button>
          </>
        }
      />
    </>
  );
}
