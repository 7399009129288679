import { ArrowLeftRight, ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { MemberAvatar } from '@/features/shell/member-avatar';
import { useCurrentUser } from '@/shared/api';
import { Badge, Button, Checkbox } from '@/shared/ui';
import { AppLogo } from '../app-logo';
import { type Scope, SCOPE_TEXTS } from '../scopes';
import { webAddress } from '../web-address';
import type { ClientInfo } from './use-consent';

interface ScopeChoiceProps {
  scopes: readonly Scope[];
  chosen: readonly Scope[];
  disabled: boolean;
  onChoose: (chosen: Scope[]) => void;
  /** Shown with nova once it is ticked. */
  limit?: ReactNode;
}

/** The requested scopes with their boxes: openid is locked on, and nova adds the daily limit (rule oauth-10). */
export function ScopeChoice({ scopes, chosen, disabled, onChoose, limit }: ScopeChoiceProps) {
  const choose = (scope: Scope, isChosen: boolean) =>
    onChoose(scopes.filter((each) => (each === scope ? isChosen : chosen.includes(each))));
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
              onCheckedChange={(isChosen) => choose(scope, isChosen)}
            />
            {scope === 'nova' && chosen.includes('nova') && <div className="mt-3 animate-appear pl-7">{limit}</div>}
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

interface ConsentHeadProps {
  client: ClientInfo;
  /** What it wants, after its name. */
  wants: string;
}

/** Who asks and who is asked: the application beside the member. */
export function ConsentHead({ client, wants }: ConsentHeadProps) {
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
        <bdi>{client.name}</bdi> {wants}
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
          {!client.isFirstConsent && <span>, who has authorized it before</span>}
        </p>
      )}
    </header>
  );
}

interface DecideProps {
  /** What was answered, while the answer is on its way. */
  answer: boolean | undefined;
  isBusy: boolean;
  isReady: boolean;
  approve: { label: string; onClick: () => void };
  onDeny: () => void;
}

/** The two answers to an application's request. */
export function Decide({ answer, isBusy, isReady, approve, onDeny }: DecideProps) {
  return (
    <footer className="mt-5 flex flex-col-reverse gap-2 sm:grid sm:grid-cols-2">
      <Button size="lg" disabled={isBusy} pending={answer === false} onClick={onDeny}>
        Deny Access
      </Button>
      <Button
        size="lg"
        variant="primary"
        disabled={isBusy || !isReady}
        pending={answer === true}
        onClick={approve.onClick}
      >
        {approve.label}
      </Button>
    </footer>
  );
}
