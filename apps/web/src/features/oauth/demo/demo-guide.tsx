import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { samplesOf, type SampledCall } from '@/features/developer/docs/samples';
import { useSampleContext } from '@/features/developer/docs/use-sample-context';
import { Card } from '@/shared/ui';
import { CodeBlock } from '../code-block';
import { SCOPE_TEXTS, SCOPES } from '../scopes';

const CALLS = {
  authorize: { method: 'GET', path: '/oauth/authorize', parameters: [], body: null },
  token: { method: 'POST', path: '/oauth/token', parameters: [], body: null },
  userinfo: { method: 'GET', path: '/oauth/userinfo', parameters: [], body: null },
} as const satisfies Record<string, SampledCall>;

/** The four steps, and what can be asked for (rule oauth-20). */
export function DemoGuide() {
  const { context } = useSampleContext();
  const node = (call: SampledCall) => samplesOf(call, context).find(({ language }) => language === 'Node')?.code ?? '';
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <ol className="grid min-w-0 grid-cols-1 gap-4">
        <Step number={1} title="Register your application">
          In the{' '}
          <Link to="/developer" className="text-nova underline underline-offset-2">
            Developer Portal
          </Link>
          , with every redirect URI that it uses. Keep its client secret on your server.
        </Step>
        <Step number={2} title="Redirect to authorize" code={node(CALLS.authorize)}>
          Send the member’s browser to this address. Nova asks the member, and sends the browser back.
        </Step>
        <Step number={3} title="Handle the callback" code={node(CALLS.token)}>
          Compare the state with the one that you sent; then exchange the code with a POST to the token path.
        </Step>
        <Step number={4} title="Get the member’s information" code={node(CALLS.userinfo)}>
          GET userinfo with the access token: what the member allowed, by scope.
        </Step>
      </ol>
      <Card title="Scopes">
        <dl className="grid grid-cols-1 gap-3">
          {SCOPES.map((scope) => (
            <div key={scope}>
              <dt className="font-mono text-xs text-ink">{scope}</dt>
              <dd className="mt-0.5 text-sm text-ink-muted">
                {SCOPE_TEXTS[scope].title}: {SCOPE_TEXTS[scope].description}
              </dd>
            </div>
          ))}
        </dl>
      </Card>
    </div>
  );
}

interface StepProps {
  number: number;
  title: string;
  code?: string;
  children: ReactNode;
}

function Step({ number, title, code, children }: StepProps) {
  return (
    <li>
      <Card>
        <h2 className="flex gap-3 text-base font-semibold text-ink">
          <span className="text-nova tabular-nums">{number}</span>
          {title}
        </h2>
        <p className="mt-2 text-sm text-ink-muted">{children}</p>
        {code !== undefined && <CodeBlock className="mt-4" label={title} code={code} />}
      </Card>
    </li>
  );
}
