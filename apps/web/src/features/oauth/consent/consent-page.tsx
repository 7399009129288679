import { isolated } from '@app/domain';
import { KeyRound, type LucideIcon, SearchX, ShieldCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { formatNova, useSignOut } from '@/shared/api';
import { Button, buttonClasses, Card, EmptyState, errorToast, Spinner, useDocumentTitle } from '@/shared/ui';
import { readDailyLimit } from '../daily-limit';
import { DailyLimitField } from '../daily-limit-field';
import type { Scope } from '../scopes';
import { ConsentHead, Decide, ScopeChoice } from './consent-parts';
import { type ConsentRequest, destinationOf, PROMPT, readConsentRequest } from './consent-request';
import { type ClientInfo, useClientInfo, useDecision } from './use-consent';

/** Where a member decides whether an application may act for them. */
export function ConsentPage() {
  useDocumentTitle('Authorize Application');
  const [parameters] = useSearchParams();
  const request = readConsentRequest(parameters);
  const client = useClientInfo(request?.clientId);
  if (request === null) {
    return (
      <Refusal
        icon={TriangleAlert}
        title="Invalid Request"
        text="Missing required OAuth parameters. Please try again from the application."
      />
    );
  }
  if (client.isError) {
    return (
      <Refusal
        icon={SearchX}
        title="Application Not Found"
        text="The application requesting access could not be verified. This may be a security risk."
      />
    );
  }
  if (client.data === undefined) return <Spinner className="size-8 text-ink-muted" label="Loading…" />;
  if (request.signInAgain) return <SignInAgain name={client.data.name} />;
  // Each request is a new question, so nothing stays ticked from the last one (rule oauth-10).
  return <ConsentForm key={`${request.clientId} ${request.scope}`} request={request} client={client.data} />;
}

function Refusal({ icon, title, text }: { icon: LucideIcon; title: string; text: string }) {
  return (
    <Card className="w-full max-w-md">
      <EmptyState
        level="h1"
        icon={icon}
        title={title}
        text={text}
        action={
          <Link to="/feed" className={buttonClasses({ variant: 'primary' })}>
            Return to Feed
          </Link>
        }
      />
    </Card>
  );
}

/** An application may require proof that the member is really present (OpenID Connect, `prompt=login`). */
function SignInAgain({ name }: { name: string }) {
  const [parameters, setParameters] = useSearchParams();
  const { signOut, isPending } = useSignOut({
    // Next come the sign-in card and then this address, without the requirement that has been met.
    onSignedOut() {
      const rest = new URLSearchParams(parameters);
      rest.delete(PROMPT);
      setParameters(rest, { replace: true });
    },
    onError: (error) => errorToast('Error', error),
  });
  return (
    <Card className="w-full max-w-md">
      <EmptyState
        level="h1"
        icon={KeyRound}
        title="Sign in once more"
        text={`${isolated(name)} wants to be sure that it is you. Sign in again, then decide.`}
        action={
          <Button variant="primary" pending={isPending} onClick={signOut}>
            Sign In Again
          </Button>
        }
      />
    </Card>
  );
}

interface ConsentFormProps {
  request: ConsentRequest;
  client: ClientInfo;
}

/**
 * Who asks for what. The member ticks each scope, and allows Nova only up to a daily limit (rules oauth-10, oauth-13).
 */
function ConsentForm({ request, client }: ConsentFormProps) {
  const [chosen, setChosen] = useState<Scope[]>(['openid']);
  const [limitText, setLimitText] = useState(formatNova(client.dailyLimit, { decimals: 'trim' }));
  const { decide, decided, isBusy } = useDecision(request);

  const spends = chosen.includes('nova');
  const dailyLimit = readDailyLimit(limitText);
  const isReady = chosen.length > 0 && (!spends || dailyLimit !== null);
  const approve = () =>
    decide({ approved: true, scopes: chosen, ...(spends && dailyLimit !== null ? { dailyLimit } : {}) });
  return (
    <Card className="w-full max-w-lg animate-rise shadow-raised">
      <ConsentHead client={client} wants="wants to access your Nova account" />
      <ScopeChoice
        scopes={request.scopes}
        chosen={chosen}
        disabled={isBusy}
        onChoose={setChosen}
        limit={<DailyLimitField text={limitText} readOnly={isBusy} onTextChange={setLimitText} />}
      />
      <p className="mt-5 flex items-start gap-2 text-xs text-ink-muted">
        <ShieldCheck aria-hidden="true" className="size-4 shrink-0" />
        <span>
          You can revoke this access any time from the Developer Portal. Your answer takes you to{' '}
          <bdi className="font-medium text-ink">{destinationOf(request.redirectUri)}</bdi>.
        </span>
      </p>
      <Decide
        answer={isBusy ? decided?.approved : undefined}
        isBusy={isBusy}
        isReady={isReady}
        approve={{ label: 'Authorize Application', onClick: approve }}
        onDeny={() => decide({ approved: false, scopes: [] })}
      />
    </Card>
  );
}
