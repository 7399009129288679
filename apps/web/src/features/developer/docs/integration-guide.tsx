import { Link } from 'react-router-dom';
import { Card } from '@/shared/ui';
import { ApplicationChoice } from './application-choice';
import { MethodMark } from './call-card';
import { LoadedCalls } from './loaded-calls';
import type { ApiCall } from './open-api';
import { SampleTabs } from './sample-tabs';
import { refreshSamples, type Sample, type SampleContext, samplesOf } from './samples';
import { useSampleContext } from './use-sample-context';

/** From registration to the first movement of Nova, with samples that run (rule oauth-6). */
export function IntegrationGuide() {
  const chosen = useSampleContext();
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <ApplicationChoice {...chosen} />
        <p className="text-sm text-ink-muted">
          Try it by hand:{' '}
          <Link to="/oauth/demo" className="text-nova underline underline-offset-2">
            OAuth demo
          </Link>
        </p>
      </div>
      <LoadedCalls>
        {(calls) => (
          <ol className="grid grid-cols-1 gap-4">
            {guideWith(calls, chosen.context).map(({ title, text, call, samples }, index) => (
              <li key={title}>
                <Card className="grid grid-cols-1 gap-4 xl:grid-cols-2 xl:gap-8">
                  <div className="min-w-0">
                    <h2 className="flex gap-3 text-base font-semibold text-ink">
                      <span className="text-nova tabular-nums">{index + 1}</span>
                      {title}
                    </h2>
                    <p className="mt-2 max-w-prose text-sm text-ink-muted">{text}</p>
                    {call !== undefined && (
                      <p className="mt-3 flex flex-wrap items-center gap-2">
                        <MethodMark method={call.method} />
                        <span className="font-mono text-sm break-all text-ink">{call.path}</span>
                      </p>
                    )}
                  </div>
                  <SampleTabs label={title} samples={samples} />
                </Card>
              </li>
            ))}
          </ol>
        )}
      </LoadedCalls>
    </div>
  );
}

/** A step of an integration, with its call. */
interface GuideStep {
  title: string;
  text: string;
  /** `GET /oauth/userinfo`; absent for a step done by hand. */
  call?: string;
  samples?: (call: ApiCall, context: SampleContext) => Sample[];
}

/** The steps from registration to the first movement of Nova (rule oauth-6). */
const GUIDE_STEPS: readonly GuideStep[] = [
  {
    title: 'Register your application',
    text: 'Create it under My Applications with every redirect URI that it uses, and keep its secret on your server. Pages and apps without a server are public clients: they have no secret and must use PKCE.',
  },
  {
    title: 'Send the member to Nova',
    text: 'Their browser goes to the authorization address with your client id, one of your redirect URIs and the scopes that you need. The state is a random text that you keep: it ties the answer to this visit.',
    call: 'GET /oauth/authorize',
  },
  {
    title: 'Exchange the code',
    text: 'The browser returns to your redirect URI with code and state. Compare the state, then exchange the code within a minute. The code works once. With error=access_denied the member has said no.',
    call: 'POST /oauth/token',
  },
  {
    title: 'Know the member',
    text: 'The id_token names the member by sub, which never changes. More about them, as far as they allowed it, is here.',
    call: 'GET /oauth/userinfo',
  },
  {
    title: 'Keep the access',
    text: 'An access token lives for an hour. Renew it with the refresh token, and keep the new refresh token in place of the old one: using an old one again ends the access.',
    call: 'POST /oauth/token',
    samples: refreshSamples,
  },
  {
    title: 'Read balances',
    text: 'Of each scope that the member granted: Nova with what is left of the daily limit, Karma, Influence.',
    call: 'GET /api/oauth/token-balances',
  },
  {
    title: 'Spend, pay, give',
    text: 'What a member spends goes to your application’s wallet, and your payments come from it. Send one idempotency key per purchase, and repeat it if no answer came.',
    call: 'POST /api/tokens/spend',
  },
];

/** The steps with their calls and samples. A call that the server does not describe has no samples. */
const guideWith = (calls: readonly ApiCall[], context: SampleContext) =>
  GUIDE_STEPS.map(({ samples = samplesOf, ...step }) => {
    const call = calls.find(({ method, path }) => `${method} ${path}` === step.call);
    return { ...step, call, samples: call === undefined ? [] : samples(call, context) };
  });
