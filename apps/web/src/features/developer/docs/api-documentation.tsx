import { ApplicationChoice } from './application-choice';
import { CallCard } from './call-card';
import { LoadedCalls } from './loaded-calls';
import type { ApiArea, ApiCall } from './open-api';
import { TOKEN_REFUSALS } from './refusals';
import { useSampleContext, type ChosenApplication } from './use-sample-context';

const AREAS: readonly { name: ApiArea; text: string }[] = [
  { name: 'Sign-in', text: 'OAuth 2.0 with PKCE and OpenID Connect: any library that supports them works.' },
  { name: 'Tokens', text: 'With an access token as bearer. Amounts are Nova with at most two decimals.' },
];

/** The calls for third parties, read from the running server's OpenAPI document (rule oauth-6). */
export function ApiDocumentation() {
  const chosen = useSampleContext();
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <ApplicationChoice {...chosen} />
        <p className="text-sm text-ink-muted">
          Every call of this server:{' '}
          <a href="/api/openapi.json" className="text-nova underline underline-offset-2">
            OpenAPI document
          </a>
        </p>
      </div>
      <LoadedCalls>
        {(calls) => AREAS.map((area) => <Area key={area.name} {...area} calls={calls} chosen={chosen} />)}
      </LoadedCalls>
      <Refusals />
    </div>
  );
}

interface AreaProps {
  name: ApiArea;
  text: string;
  calls: readonly ApiCall[];
  chosen: ChosenApplication;
}

function Area({ name, text, calls, chosen }: AreaProps) {
  return (
    <section>
      <h2 className="text-base font-semibold text-ink">{name}</h2>
      <p className="mt-1 text-sm text-ink-muted">{text}</p>
      <ul className="mt-4 divide-y divide-line overflow-hidden rounded-lg border border-line bg-sky-800">
        {calls
          .filter(({ area }) => area === name)
          .map((call) => (
            <li key={`${call.method} ${call.path}`}>
              <CallCard call={call} context={chosen.context} />
            </li>
          ))}
      </ul>
    </section>
  );
}

function Refusals() {
  return (
    <section>
      <h2 className="text-base font-semibold text-ink">Refusals</h2>
      <p className="mt-1 text-sm text-ink-muted">
        The token API answers with <code className="font-mono text-xs">message</code>, a sentence for people, and{' '}
        <code className="font-mono text-xs">code</code>, a word for programs. Nothing was moved; only with{' '}
        <code className="font-mono text-xs">OUTCOME_UNKNOWN</code> nobody knows that yet.
      </p>
      <dl className="mt-4 divide-y divide-line rounded-lg border border-line bg-sky-800">
        {TOKEN_REFUSALS.map(({ status, codes, text }) => (
          <div key={codes.join()} className="flex gap-4 px-4 py-3 text-sm sm:px-6">
            <dt className="shrink-0 font-mono text-ink">{status}</dt>
            <dd className="min-w-0 text-ink-muted">
              {text}
              <span className="mt-0.5 block font-mono text-xs wrap-anywhere text-ink-faint">{codes.join(', ')}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
