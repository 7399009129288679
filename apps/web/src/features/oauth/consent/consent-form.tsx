import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { formatNova } from '@/shared/api';
import { Button, Card } from '@/shared/ui';
import { readDailyLimit } from '../daily-limit';
import type { Scope } from '../scopes';
import { ConsentHead } from './consent-head';
import { destinationOf, type ConsentRequest } from './consent-request';
import { ScopeChoice } from './scope-choice';
import { useDecision, type ClientInfo } from './use-consent';

export interface ConsentFormProps {
  request: ConsentRequest;
  client: ClientInfo;
}

/** Who asks for what; each scope is chosen by hand, and Nova only up to a daily limit (rules oauth-10, oauth-13). */
export function ConsentForm({ request, client }: ConsentFormProps) {
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
