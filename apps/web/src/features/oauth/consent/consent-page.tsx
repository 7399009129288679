import {
  ArrowLeftRight,
  ExternalLink,
  KeyRound,
  type LucideIcon,
  SearchX,
  ShieldCheck,
  TriangleAlert,
} from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { MemberAvatar } from '@/features/shell/member-avatar';
import { formatNova, useCurrentUser, useSignOut } from '@/shared/api';
import {
  Badge,
  Button,
  buttonClasses,
  Card,
  Checkbox,
  EmptyState,
  errorToast,
  Spinner,
  useDocumentTitle,
} from '@/shared/ui';
import { AppLogo } from '../app-logo';
import { readDailyLimit } from '../daily-limit';
import { DailyLimitField } from '../daily-limit-field';
import { type Scope, SCOPE_TEXTS } from '../scopes';
import { webAddress } from '../web-address';
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
        text={`${name} wants to be sure that it is you. Sign in again, then decide.`}
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
  const choose = (scope: Scope, isChosen: boolean) =>
    setChosen(request.scopes.filter((each) => (each === scope ? isChosen : chosen.includes(each))));
  const approve = () =>
    decide({ approved: true, scopes: chosen, ...(spends && dailyLimit !== null ? { dailyLimit } : {}) });
  return (
    <Card className="w-full max-w-lg animate-rise shadow-raised">
      <ConsentHead client={client} />
      <ScopeChoice
        scopes={request.scopes}
        chosen={chosen}
        disabled={isBusy}
        onChoose={choose}
        limitText={limitText}
        onLimitTextChange={setLimitText}
      />
      <p className="mt-5 flex items-start gap-2 text-xs text-ink-muted">
        <ShieldCheck aria-hidden="true" className="size-4 shrink-0" />
        <span>
          You can revoke this access any time from the Developer Portal. Your answer takes you to{' '}
          <bdi className="font-medium text-ink">{destinationOf(request.redirectUri)}</bdi>.
        </span>
      </p>
      <footer className="mt-5 flex flex-col-reverse gap-2 sm:grid sm:grid-cols-2">
        <Button
          size="lg"
          disabled={isBusy}
          pending={isBusy && decided?.approved === false}
          onClick={() => decide({ approved: false, scopes: [] })}
        >
          Deny Access
        </Button>
        <Button
          size="lg"
          variant="primary"
          disabled={isBusy || !isReady}
          pending={isBusy && decided?.approved === true}
          onClick={approve}
        >
          Authorize Application
        </Button>
      </footer>
    </Card>
  );
}

interface ScopeChoiceProps {
  scopes: readonly Scope[];
  chosen: readonly Scope[];
  disabled: boolean;
  onChoose: (scope: Scope, isChosen: boolean) => void;
  limitText: string;
  onLimitTextChange: (text: string) => void;
}

/** The requested scopes with their boxes: openid is locked on, and nova adds the daily limit (rule oauth-10). */
function ScopeChoice(props: ScopeChoiceProps) {
  const { scopes, chosen, disabled, onChoose, limitText, onLimitTextChange } = props;
  return (
    <fieldset className="mt-6">
      <legend className="text-sm font-medium text-ink">It asks for</legend>
      <ul className="mt-2 divide-y divide-line rounded-md border border-line">
        {scopes.map((scope) => (
          <li key={scope} className="px-4 py-3">
            <Checkbox
              label={<ScopeLabel scope={scope} />}
              hint={SCOPE_TEXTS[scope].description}
              checked={chosen.includes(scope)}
              disabled={disabled || scope === 'openid'}
              onCheckedChange={(isChosen) => onChoose(scope, isChosen)}
            />
            {scope === 'nova' && chosen.includes('nova') && (
              <div className="mt-3 animate-appear pl-7">
                <DailyLimitField text={limitText} readOnly={disabled} onTextChange={onLimitTextChange} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function ScopeLabel({ scope }: { scope: Scope }) {
  return (
    <span className="flex flex-wrap items-center gap-2 font-medium text-ink">
      {SCOPE_TEXTS[scope].title}
      {scope === 'openid' && <Badge>Required</Badge>}
      {scope === 'nova' && <Badge tone="hold">Includes spending</Badge>}
    </span>
  );
}

const DEFAULT_DESCRIPTION = 'This application is requesting permission to access your account information.';

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric' });

/** Who asks and who is asked: the application beside the member. */
function ConsentHead({ client }: { client: ClientInfo }) {
  const { data: user } = useCurrentUser();
  const address = webAddress(client.applicationUrl);
  return (
    <header className="grid grid-cols-1 justify-items-center text-center">
      <p className="flex items-center gap-3 text-ink-faint">
        <AppLogo src={client.logoUrl} size="lg" />
        <ArrowLeftRight aria-hidden="true" className="size-5" />
        {user && <MemberAvatar user={user} size="lg" />}
      </p>
      <h1 className="mt-4 font-display text-lg font-semibold text-balance wrap-anywhere text-ink">
        <bdi>{client.name}</bdi> wants to access your Nova account
      </h1>
      <p className="mt-2 max-w-prose text-sm wrap-anywhere text-ink-muted" dir="auto">
        {client.description ?? DEFAULT_DESCRIPTION}
      </p>
      {address !== null && (
        <a
          href={address}
          target="_blank"
          rel="noopener noreferrer"
          className="mt-2 inline-flex min-h-11 max-w-full items-center gap-1.5 rounded-sm px-2 text-sm text-nova underline underline-offset-2 sm:min-h-8"
        >
          <span className="truncate">{new URL(address).host}</span>
          <ExternalLink aria-hidden="true" className="size-3.5 shrink-0" />
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      )}
      <p className="mt-2 text-sm wrap-anywhere text-ink-muted">
        Run by <bdi className="font-medium text-ink">{client.owner.displayName}</bdi>, a member since{' '}
        {MONTH.format(new Date(client.owner.memberSince))}. Not by Nova.
      </p>
      {user && (
        <p className="mt-2 text-xs text-ink-faint">
          Signed in as <bdi className="text-ink-muted">{user.displayName}</bdi>
          {client.isFirstConsent ? '' : ', who has authorized it before'}
        </p>
      )}
    </header>
  );
}
