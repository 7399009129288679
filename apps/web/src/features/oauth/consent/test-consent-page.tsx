import { FlaskConical, SearchX, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { formatNova } from '@/shared/api';
import { Badge, Card, EmptyState, Spinner, useDocumentTitle } from '@/shared/ui';
import { AppLogo } from '../app-logo';
import { readDailyLimit } from '../daily-limit';
import { DailyLimitField } from '../daily-limit-field';
import type { Scope } from '../scopes';
import { Decide, ScopeChoice } from './consent-parts';
import { type ConsentRequest, destinationOf, readConsentRequest } from './consent-request';
import { type TestConsentScreen, useTestConsentScreen, useTestDecision } from './use-test-consent';

/** Where a developer signs in as a made-up member, with the test client of an application (rule apps-11). */
export function TestConsentPage() {
  useDocumentTitle('Test Mode');
  const [parameters] = useSearchParams();
  const request = readConsentRequest(parameters);
  const screen = useTestConsentScreen(request?.clientId);
  if (request === null || screen.isError) {
    return (
      <Card className="w-full max-w-md">
        <EmptyState
          level="h1"
          icon={request === null ? TriangleAlert : SearchX}
          title={request === null ? 'Invalid Request' : 'Application Not Found'}
          text={
            request === null
              ? 'Missing required OAuth parameters. Please try again from the application.'
              : 'There is no such test client, or its application is switched off.'
          }
        />
      </Card>
    );
  }
  if (screen.data === undefined) return <Spinner className="size-8 text-ink-muted" label="Loading…" />;
  return <TestConsentForm key={`${request.clientId} ${request.scope}`} request={request} screen={screen.data} />;
}

interface TestConsentFormProps {
  request: ConsentRequest;
  screen: TestConsentScreen;
}

/** All scopes are ticked: nobody has to be careful with made-up Nova. */
function TestConsentForm({ request, screen }: TestConsentFormProps) {
  const [member, setMember] = useState(screen.members[0]?.id ?? '');
  const [chosen, setChosen] = useState<Scope[]>(request.scopes);
  const [limitText, setLimitText] = useState(formatNova(screen.dailyLimit, { decimals: 'trim' }));
  const { decide, decided, isBusy } = useTestDecision(request);

  const spends = chosen.includes('nova');
  const dailyLimit = readDailyLimit(limitText);
  const isReady = !spends || dailyLimit !== null;
  const approve = () =>
    decide({ member, approved: true, scopes: chosen, ...(spends && dailyLimit !== null ? { dailyLimit } : {}) });
  return (
    <Card className="w-full max-w-lg animate-rise shadow-raised">
      <TestConsentHead screen={screen} />
      <MemberChoice members={screen.members} chosen={member} disabled={isBusy} onChoose={setMember} />
      <ScopeChoice
        scopes={request.scopes}
        chosen={chosen}
        disabled={isBusy}
        onChoose={setChosen}
        limit={<DailyLimitField text={limitText} readOnly={isBusy} onTextChange={setLimitText} />}
      />
      <p className="mt-5 flex items-start gap-2 text-xs text-ink-muted">
        <FlaskConical aria-hidden="true" className="size-4 shrink-0" />
        <span>
          Your answer takes you to <bdi className="font-medium text-ink">{destinationOf(request.redirectUri)}</bdi>.
        </span>
      </p>
      <Decide
        answer={isBusy ? decided?.approved : undefined}
        isBusy={isBusy}
        isReady={isReady}
        approve={{ label: 'Sign In to Test', onClick: approve }}
        onDeny={() => decide({ member, approved: false, scopes: [] })}
      />
    </Card>
  );
}

function TestConsentHead({ screen: { name, logoUrl } }: { screen: TestConsentScreen }) {
  return (
    <header className="grid grid-cols-1 justify-items-center text-center">
      <Badge tone="hold">Test mode</Badge>
      <p className="mt-4">
        <AppLogo src={logoUrl} size="lg" />
      </p>
      <h1 className="mt-4 font-display text-lg font-semibold text-balance wrap-anywhere text-ink">
        Sign in to <bdi>{name}</bdi> as a made-up member
      </h1>
      <p className="mt-2 max-w-prose text-sm text-ink-muted">
        Nobody's account is used here, and no real Nova moves. This page is for developers who try their application.
      </p>
    </header>
  );
}

interface MemberChoiceProps {
  members: TestConsentScreen['members'];
  /** The id of one of them. */
  chosen: string;
  disabled: boolean;
  onChoose: (id: string) => void;
}

function MemberChoice({ members, chosen, disabled, onChoose }: MemberChoiceProps) {
  return (
    <fieldset className="mt-6">
      <legend className="text-sm font-medium text-ink">Sign in as</legend>
      <ul className="mt-2 divide-y divide-line rounded-md border border-line">
        {members.map(({ id, name, about }) => (
          <li key={id} className="flex min-h-11 items-center gap-3 px-4 py-3">
            <input
              type="radio"
              name="member"
              id={id}
              className="size-4 shrink-0 accent-nova"
              checked={chosen === id}
              disabled={disabled}
              onChange={() => onChoose(id)}
            />
            <label htmlFor={id} className="min-w-0 grow cursor-pointer">
              <span className="block font-medium text-ink">{name}</span>
              <span className="block text-sm text-ink-muted">{about}</span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
