import { useMutation } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useId, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { SampleContext } from '@/features/developer/docs/samples';
import { useMyApplications } from '@/features/developer/use-applications';
import { ApiError, apiFetch } from '@/shared/api';
import {
  Button,
  buttonClasses,
  Card,
  Checkbox,
  ErrorNote,
  failureToast,
  Field,
  PasswordInput,
  TextInput,
  toast,
} from '@/shared/ui';
import { CodeBlock } from '../code-block';
import { contextOf, DEMO_STATE, type DemoDraft, demoUrl, exampleTokenRequest, isFilled, MISSING } from './demo-flow';
import { useKeptFlow } from './kept-flow';

/** Builds the address that starts the flow, then helps with the code that comes back (rule oauth-20). */
export function TestFlow() {
  const [{ draft, isPublic, generated }, change] = useKeptFlow();
  const [address] = useSearchParams();
  const [round, setRound] = useState(0);
  const verifier = generated?.verifier ?? null;
  const { origin } = window.location;

  const generate = async () => {
    if (!isFilled(draft)) {
      failureToast(MISSING.title, MISSING.description);
      return;
    }
    // At once: what is typed while the challenge is made belongs to the new address already.
    setRound(round + 1);
    let pkce: Pkce | null = null;
    try {
      if (isPublic) pkce = await makePkce();
    } catch {
      failureToast(NO_CRYPTOGRAPHY.title, NO_CRYPTOGRAPHY.description);
      return;
    }
    const url = demoUrl(draft, origin, pkce?.challenge);
    change({ generated: { url, draft, verifier: pkce?.verifier ?? null } });
    toast({ title: 'Authorization URL Generated', description: 'Copy this URL to start the OAuth flow' });
  };
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
      <Card title="Generate Authorization URL" description="Where an application sends a member’s browser.">
        <GeneratorForm
          draft={draft}
          onDraftChange={(next) => change({ draft: next })}
          isPublic={isPublic}
          onPublicChange={(next) => change({ isPublic: next })}
          onGenerate={() => void generate()}
        />
        {generated !== null && <GeneratedUrl url={generated.url} />}
      </Card>
      <ExchangeBox
        key={round}
        context={contextOf(generated?.draft ?? draft, origin, verifier !== null)}
        verifier={verifier}
        returned={returnedBy(address)}
      />
    </div>
  );
}

/** What the browser came back with, if the demo's own address was the redirect URI (rule oauth-20). */
interface Returned {
  code: string;
  /** Why there is no code, or why it cannot be trusted. */
  problem: string | null;
}

function returnedBy(address: URLSearchParams): Returned {
  const error = address.get('error');
  const code = address.get('code') ?? '';
  if (error !== null) return { code: '', problem: address.get('error_description') ?? error };
  if (code !== '' && address.get('state') !== DEMO_STATE) {
    return { code: '', problem: 'The state is not the one that was sent. Do not use this code.' };
  }
  return { code, problem: null };
}

/** A public client's verifier, and the challenge that goes with the authorization (RFC 7636, S256). */
interface Pkce {
  verifier: string;
  challenge: string;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const NO_CRYPTOGRAPHY = {
  title: 'Error',
  description: 'The browser makes a code challenge only over https or on this machine.',
} as const;

/** Needs a page over https or on this machine, as the browser's cryptography does. */
async function makePkce(): Promise<Pkce> {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return { verifier, challenge: base64url(new Uint8Array(hash)) };
}

/** The address, to copy and to open. */
function GeneratedUrl({ url }: { url: string }) {
  return (
    <div className="mt-6 grid grid-cols-1 gap-3">
      <CodeBlock label="Authorization URL" code={url} />
      <a href={url} target="_blank" rel="noopener noreferrer" className={buttonClasses({ className: 'gap-2' })}>
        <ExternalLink aria-hidden="true" className="size-4" />
        Open URL
        <span className="sr-only">(opens in a new tab)</span>
      </a>
    </div>
  );
}

interface ExchangeBoxProps {
  context: SampleContext;
  /** For a public client, whose code can be exchanged without a secret. */
  verifier: string | null;
  returned: Returned;
}

/** What to do with the code that comes back (rule oauth-20). The secret is not kept. */
function ExchangeBox({ context, verifier, returned }: ExchangeBoxProps) {
  const [code, setCode] = useState(returned.code);
  const [secret, setSecret] = useState('');
  const isReady = code.trim() !== '' && context.clientId !== '' && (verifier !== null || secret.trim() !== '');
  const exchange = useMutation({
    mutationFn: () =>
      apiFetch<unknown>('/oauth/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: code.trim(),
          redirect_uri: context.redirectUri,
          client_id: context.clientId,
          ...(verifier === null ? { client_secret: secret.trim() } : { code_verifier: verifier }),
        }),
      }),
  });
  return (
    <Card
      title="After authorization"
      description="The browser comes back to the redirect URI with a code in its address. It works once, within a minute."
    >
      <div className="grid grid-cols-1 gap-4">
        {returned.problem !== null && <ErrorNote>{returned.problem}</ErrorNote>}
        <Field label="Authorization Code" hint="The value of code in the address.">
          <TextInput
            autoComplete="off"
            spellCheck={false}
            placeholder="Paste the code here"
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
        </Field>
        <CodeBlock label="Example token request" code={exampleTokenRequest(context, code.trim(), verifier)} />
        {verifier === null && (
          <Field label="Client Secret" hint="Only to exchange the code here. It is not kept.">
            <PasswordInput autoComplete="off" value={secret} onChange={({ target }) => setSecret(target.value)} />
          </Field>
        )}
        <Button disabled={!isReady} pending={exchange.isPending} onClick={() => exchange.mutate()}>
          Exchange Code
        </Button>
        {exchange.error !== null && !exchange.isPending && <ErrorNote>{refusalOf(exchange.error)}</ErrorNote>}
        {exchange.data !== undefined && (
          <CodeBlock label="Token response" code={JSON.stringify(exchange.data, null, 2)} />
        )}
      </div>
    </Card>
  );
}

/** The token call refuses in the protocol's own words (RFC 6749 §5.2). */
function refusalOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'The code could not be exchanged.';
  const { body } = error;
  const described = typeof body === 'object' && body !== null && 'error_description' in body;
  return described && typeof body.error_description === 'string' ? body.error_description : error.sentence;
}

interface GeneratorFormProps {
  draft: DemoDraft;
  onDraftChange: (draft: DemoDraft) => void;
  isPublic: boolean;
  onPublicChange: (isPublic: boolean) => void;
  onGenerate: () => void;
}

/** The inputs of the demo (rule oauth-20); the member's own applications are suggested while typing. */
function GeneratorForm({ draft, onDraftChange, isPublic, onPublicChange, onGenerate }: GeneratorFormProps) {
  const { data: applications = [] } = useMyApplications();
  const [ownIds, ownUris] = [useId(), useId()];
  const chosen = applications.find(({ clientId }) => clientId === draft.clientId.trim());
  return (
    <form
      noValidate
      className="grid grid-cols-1 gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onGenerate();
      }}
    >
      <Field label="Client ID" hint="Of an application in the Developer Portal.">
        <TextInput
          list={ownIds}
          autoComplete="off"
          spellCheck={false}
          value={draft.clientId}
          onChange={({ target }) => onDraftChange({ ...draft, clientId: target.value })}
        />
      </Field>
      <datalist id={ownIds}>
        {applications.map(({ clientId, name }) => (
          <option key={clientId} value={clientId}>
            {name}
          </option>
        ))}
      </datalist>
      <Field label="Redirect URI" hint="Exactly as it is registered.">
        <TextInput
          type="url"
          inputMode="url"
          list={ownUris}
          autoComplete="off"
          value={draft.redirectUri}
          onChange={({ target }) => onDraftChange({ ...draft, redirectUri: target.value })}
        />
      </Field>
      <datalist id={ownUris}>
        {chosen?.redirectUris.map((uri) => (
          <option key={uri} value={uri}>
            {uri}
          </option>
        ))}
      </datalist>
      <Field label="Scopes" hint="Separated by spaces: openid, profile, email, nova, karma, influence.">
        <TextInput
          autoComplete="off"
          spellCheck={false}
          value={draft.scopes}
          onChange={({ target }) => onDraftChange({ ...draft, scopes: target.value })}
        />
      </Field>
      <Checkbox
        label="It is a public client"
        hint="The address then carries a PKCE challenge, and the exchange needs no secret."
        checked={isPublic}
        onCheckedChange={onPublicChange}
      />
      <Button type="submit" variant="primary" size="lg">
        Generate Authorization URL
      </Button>
    </form>
  );
}
