import { CodeXml } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { LoadedCalls } from '@/features/developer/docs/loaded-calls';
import { SampleTabs } from '@/features/developer/docs/sample-tabs';
import { type SampledCall, samplesOf } from '@/features/developer/docs/samples';
import { useSampleContext } from '@/features/developer/docs/use-sample-context';
import { buttonClasses, Card, PageHeader, Tabs, TabsContent, TabsList, TabsTrigger } from '@/shared/ui';
import { CodeBlock } from '../code-block';
import { SCOPE_TEXTS, SCOPES } from '../scopes';
import { TestFlow } from './test-flow';

/** The OAuth demo: the flow by hand, against this very server (rule oauth-20). */
export function DemoPage() {
  return (
    <>
      <PageHeader
        title="OAuth Demo"
        description="Sign-in with Nova, step by step, against this server."
        backTo="/developer"
        backLabel="Back to the Developer Portal"
        actions={
          <Link to="/developer" className={buttonClasses()}>
            <CodeXml aria-hidden="true" className="size-4" />
            Developer Portal
          </Link>
        }
      />
      <Tabs defaultValue="flow">
        <TabsList aria-label="Parts of the demo">
          <TabsTrigger value="flow">Test OAuth Flow</TabsTrigger>
          <TabsTrigger value="guide">Integration Guide</TabsTrigger>
          <TabsTrigger value="code">Code Examples</TabsTrigger>
        </TabsList>
        {/* What was typed stays while the member looks at the other tabs. */}
        <TabsContent value="flow" forceMount className="data-[state=inactive]:hidden">
          <TestFlow />
        </TabsContent>
        <TabsContent value="guide">
          <DemoGuide />
        </TabsContent>
        <TabsContent value="code">
          <CodeExamples />
        </TabsContent>
      </Tabs>
    </>
  );
}

/** Browser and server samples, then the use of tokens (rule oauth-20). */
const EXAMPLES = [
  { title: 'Start the sign-in', call: 'GET /oauth/authorize' },
  { title: 'Exchange the code', call: 'POST /oauth/token' },
  { title: 'Spend tokens', call: 'POST /api/tokens/spend' },
  { title: 'Check balances', call: 'GET /api/oauth/token-balances' },
] as const;

function CodeExamples() {
  const { context } = useSampleContext();
  return (
    <LoadedCalls>
      {(calls) => (
        <ul className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
          {EXAMPLES.map(({ title, call: wanted }) => {
            const call = calls.find(({ method, path }) => `${method} ${path}` === wanted);
            return (
              call && (
                <li key={title} className="min-w-0">
                  <Card title={title} description={wanted}>
                    <SampleTabs label={title} samples={samplesOf(call, context)} />
                  </Card>
                </li>
              )
            );
          })}
        </ul>
      )}
    </LoadedCalls>
  );
}

const CALLS = {
  authorize: { method: 'GET', path: '/oauth/authorize', parameters: [], body: null },
  token: { method: 'POST', path: '/oauth/token', parameters: [], body: null },
  userinfo: { method: 'GET', path: '/oauth/userinfo', parameters: [], body: null },
} as const satisfies Record<string, SampledCall>;

/** The four steps, and the available scopes (rule oauth-20). */
function DemoGuide() {
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
