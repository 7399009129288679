import { Link } from 'react-router-dom';
import { Card } from '@/shared/ui';
import { ApplicationChoice } from './application-choice';
import { MethodMark } from './call-card';
import { guideWith } from './guide-steps';
import { LoadedCalls } from './loaded-calls';
import { SampleTabs } from './sample-tabs';
import { useSampleContext } from './use-sample-context';

/** From a registration to the first movement of Nova, with samples that run (rule oauth-6). */
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
