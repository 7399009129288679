import { LoadedCalls } from '@/features/developer/docs/loaded-calls';
import { SampleTabs } from '@/features/developer/docs/sample-tabs';
import { samplesOf } from '@/features/developer/docs/samples';
import { useSampleContext } from '@/features/developer/docs/use-sample-context';
import { Card } from '@/shared/ui';

/** Browser and server samples, then what is done with tokens (rule oauth-20). */
const EXAMPLES = [
  { title: 'Start the sign-in', call: 'GET /oauth/authorize' },
  { title: 'Exchange the code', call: 'POST /oauth/token' },
  { title: 'Spend tokens', call: 'POST /api/tokens/spend' },
  { title: 'Check balances', call: 'GET /api/oauth/token-balances' },
] as const;

export function CodeExamples() {
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
