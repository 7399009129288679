import { isolated } from '@app/domain';
import { MonitorCheck, MonitorSmartphone, MonitorX, SearchX, TriangleAlert } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { errorSentence } from '@/shared/api';
import {
  Button,
  buttonClasses,
  Card,
  ErrorNote,
  Field,
  PageNotice,
  Spinner,
  TextInput,
  useDocumentTitle,
} from '@/shared/ui';
import { ConsentHead, ScopeChoice } from '../consent/consent-parts';
import { type ClientInfo, useClientInfo } from '../consent/use-consent';
import type { Scope } from '../scopes';
import { type DeviceRequest, useDeviceDecision, useDeviceRequest } from './use-device';

/** Where a member lets a device without a browser sign in: they enter the code that it shows (rule oauth-22). */
export function DevicePage() {
  const find = useDeviceRequest();
  if (find.data === undefined) {
    const complaint = find.isError ? errorSentence(find.error, 'The code could not be checked.') : undefined;
    return <CodeEntry complaint={complaint} isPending={find.isPending} onCode={find.mutate} />;
  }
  return <FoundDevice request={find.data} />;
}

interface CodeEntryProps {
  complaint: string | undefined;
  isPending: boolean;
  onCode: (userCode: string) => void;
}

/** A link can bring the code along; the member still looks whether their device shows it (RFC 8628 §3.3.1). */
function CodeEntry({ complaint, isPending, onCode }: CodeEntryProps) {
  useDocumentTitle('Connect a Device');
  const [parameters] = useSearchParams();
  const [code, setCode] = useState(parameters.get('user_code') ?? '');
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    onCode(code);
  };
  return (
    <Card className="w-full max-w-md animate-rise shadow-raised">
      <form noValidate className="grid grid-cols-1 gap-5" onSubmit={send}>
        <header className="grid grid-cols-1 justify-items-center gap-3 text-center">
          <MonitorSmartphone aria-hidden="true" className="size-10 text-nova" />
          <h1 className="font-display text-lg font-semibold text-ink">Connect a Device</h1>
          <p className="text-sm text-balance text-ink-muted">
            An application on a TV, a console or in a terminal shows you a code.
          </p>
        </header>
        <Field label="Code on the device" hint="Eight letters, for example BCDF-GHJK" error={complaint}>
          <TextInput
            value={code}
            onChange={(event) => setCode(event.target.value)}
            className="text-center tracking-widest uppercase"
            autoCapitalize="characters"
            autoComplete="off"
            spellCheck={false}
            maxLength={64}
            required
          />
        </Field>
        <Button type="submit" size="lg" variant="primary" disabled={code.trim() === ''} pending={isPending}>
          Continue
        </Button>
      </form>
    </Card>
  );
}

function FoundDevice({ request }: { request: DeviceRequest }) {
  const client = useClientInfo(request.client_id);
  if (client.isError) {
    return (
      <PageNotice
        icon={SearchX}
        title="Application Not Found"
        text="The application on this device could not be verified. This may be a security risk."
        action={onward}
      />
    );
  }
  if (client.data === undefined) return <Spinner className="size-8 text-ink-muted" label="Loading…" />;
  return <DeviceForm request={request} client={client.data} />;
}

interface DeviceFormProps {
  request: DeviceRequest;
  client: ClientInfo;
}

/** Which application wants what, and the warning that a code of somebody else's lets them in. */
function DeviceForm({ request, client }: DeviceFormProps) {
  useDocumentTitle('Connect a Device');
  const [chosen, setChosen] = useState<Scope[]>(['openid']);
  const { mutate: decide, variables, isPending, isSuccess, error } = useDeviceDecision(request);
  if (isSuccess) return <Decided name={client.name} isApproved={variables.approved} />;
  return (
    <Card className="w-full max-w-lg animate-rise shadow-raised">
      <ConsentHead client={client} wants="wants to sign in on a device" />
      <div className="mt-5 rounded-md border border-hold/40 bg-hold/10 p-4 text-sm text-ink">
        <p className="text-center font-mono text-xl font-semibold tracking-widest">{request.user_code}</p>
        <p className="mt-2 flex items-start gap-2">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-hold" />
          <span>
            Go on only if you started this yourself and your own device shows this code. If somebody sent you the code,
            deny: it would let them in.
          </span>
        </p>
      </div>
      <ScopeChoice scopes={request.scopes} chosen={chosen} disabled={isPending} onChoose={setChosen} />
      <p className="mt-5 text-xs text-ink-muted">
        A device never gets to spend your Nova. You can revoke this access any time from the Developer Portal.
      </p>
      {error !== null && (
        <ErrorNote className="mt-5">{errorSentence(error, 'Your answer did not arrive. Please try again.')}</ErrorNote>
      )}
      <footer className="mt-5 flex flex-col-reverse gap-2 sm:grid sm:grid-cols-2">
        <Button
          size="lg"
          disabled={isPending}
          pending={isPending && !variables.approved}
          onClick={() => decide({ approved: false, scopes: [] })}
        >
          Deny Access
        </Button>
        <Button
          size="lg"
          variant="primary"
          disabled={isPending}
          pending={isPending && variables.approved}
          onClick={() => decide({ approved: true, scopes: chosen })}
        >
          Connect Device
        </Button>
      </footer>
    </Card>
  );
}

const onward = (
  <Link to="/" className={buttonClasses()}>
    Go to Nova
  </Link>
);

function Decided({ name, isApproved }: { name: string; isApproved: boolean }) {
  return (
    <PageNotice
      icon={isApproved ? MonitorCheck : MonitorX}
      title={isApproved ? 'Device Connected' : 'Access Denied'}
      text={isApproved ? `${isolated(name)} signs in on your device in a moment.` : `${isolated(name)} was not let in.`}
      action={onward}
    />
  );
}
