import type { ReactNode } from 'react';
import { formatCount, formatNova } from '@/shared/api';
import { Amount, Card, ProgressBar, Skeleton } from '@/shared/ui';
import type { Dashboard } from './status-types';

/** Earned Nova Protocol: the tokens that chats earn, and what each does. */
export function EarnedNovaPanel({ dashboard }: { dashboard: Dashboard | undefined }) {
  return (
    <Card title="Earned Nova Protocol">
      {dashboard === undefined ? <Skeleton className="h-56" /> : <Tokens dashboard={dashboard} />}
    </Card>
  );
}

function Tokens({ dashboard }: { dashboard: Dashboard }) {
  const { current, required } = dashboard.karmaTokenProgress;
  return (
    <dl className="grid gap-4">
      <Token
        dot="bg-nova"
        name="Earned Nova"
        meaning="From chats, gifts and rewards. You can spend it, or burn it for Seyvn."
      >
        <Amount value={dashboard.earnedNova} />
      </Token>
      <Token
        dot="bg-influence"
        name="Influence"
        meaning="1 for each successful chat that you requested, 1 for every fifth that you hosted."
      >
        {formatCount(dashboard.influenceTokens)}
      </Token>
      <Token
        dot="bg-karma"
        name="Karma"
        meaning={`1 for every ${required} completed chats. ${dashboard.karmaTokens} earned so far.`}
        more={
          <>
            <ProgressBar label="Chats toward the next Karma token" value={current} max={required} tone="karma" />
            <p className="mt-1.5 text-xs text-ink-faint tabular-nums">
              {current} of {required} chats toward the next Karma token
            </p>
          </>
        }
      >
        {formatCount(dashboard.karmaTokenBalance)}
      </Token>
      <Token dot="bg-seyvn" name="Seyvn" meaning="What you got from burning.">
        {formatNova(dashboard.seyvnBalance)}
      </Token>
    </dl>
  );
}

interface TokenProps {
  dot: string;
  name: string;
  meaning: string;
  more?: ReactNode;
  children: ReactNode;
}

function Token({ dot, name, meaning, more, children }: TokenProps) {
  return (
    <div className="grid grid-cols-[1fr_auto] gap-x-4 cramped:grid-cols-1">
      <dt className="flex items-center gap-2 text-sm font-medium text-ink">
        <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${dot}`} />
        {name}
      </dt>
      <dd className="text-sm font-semibold text-ink tabular-nums">{children}</dd>
      <dd className="col-span-full mt-0.5 text-xs text-ink-faint">{meaning}</dd>
      {more !== undefined && <dd className="col-span-full mt-3">{more}</dd>}
    </div>
  );
}
