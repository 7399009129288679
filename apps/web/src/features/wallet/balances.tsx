import type { UseQueryResult } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Clock, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorSentence, type Schemas } from '@/shared/api';
import { Amount, Badge, BalanceCount, Card, ErrorNote, Skeleton, type AmountTone } from '@/shared/ui';

/** Total, purchased and earned Nova; what pools owe; pending and held Nova apart, since they are not in the total. */
export function Balances({ query }: { query: UseQueryResult<Schemas['BalanceDto']> }) {
  const { data, error, isFetching, refetch } = query;
  if (error !== null) {
    return (
      <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
        {errorSentence(error, 'Your balance could not be loaded.')}
      </ErrorNote>
    );
  }
  return (
    <Card aria-busy={data === undefined} aria-label="Balance" flush>
      <div className="grid gap-6 p-4 sm:p-6 lg:grid-cols-[minmax(16rem,1fr)_2fr] lg:items-center">
        <div>
          <h2 className="text-sm font-medium text-ink-muted">Nova balance</h2>
          <p className="mt-1 font-display text-xl font-semibold text-ink cramped:text-lg sm:text-2xl">
            {data === undefined ? <Skeleton className="h-12 w-56" /> : <BalanceCount quiet value={data.novaBalance} />}
          </p>
        </div>
        <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-3">
          <Part label="Purchased" value={data?.purchasedNova} note={<Badge>Non-refundable</Badge>} />
          <Part label="Earned" value={data?.earnedNova} note="Chats, gifts and quests" />
          <Part label="Rewards not yet credited" value={data?.owedNova} note="Credited when you spend them" />
        </dl>
      </div>
      <dl className="grid gap-x-6 gap-y-3 border-t border-line px-4 py-4 sm:grid-cols-2 sm:px-6 lg:grid-cols-[minmax(16rem,1fr)_2fr]">
        <Apart
          icon={<Clock aria-hidden="true" className="size-4 text-hold" />}
          label="Pending"
          note="until a chat is rated"
          value={data?.pendingNova}
        />
        <Apart
          icon={<Lock aria-hidden="true" className="size-4 text-hold" />}
          label="Held"
          note="for open chats and requests"
          value={data?.heldNova}
        />
      </dl>
    </Card>
  );
}

function Part({ label, value, note }: { label: string; value: number | undefined; note: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-x-3 cramped:flex-wrap sm:block">
      <dt className="text-sm text-ink-muted">
        {label}
        <span className="mt-1 block text-xs text-ink-faint sm:hidden">{note}</span>
      </dt>
      <dd className="text-right sm:mt-1 sm:text-left">
        <Figure value={value} className="text-lg font-semibold text-ink" />
        <span className="mt-1 hidden text-xs text-ink-faint sm:block">{note}</span>
      </dd>
    </div>
  );
}

function Apart({
  icon,
  label,
  note,
  value,
}: {
  icon: ReactNode;
  label: string;
  note: string;
  value: number | undefined;
}) {
  return (
    <div className="flex items-center gap-x-2 text-sm cramped:flex-wrap">
      {icon}
      <dt className="text-ink-muted">
        {label} <span className="text-ink-faint">{note}</span>
      </dt>
      <dd className="ml-auto lg:ml-2">
        <Figure value={value} className="font-medium" {...(value !== undefined && value > 0 && { tone: 'hold' })} />
      </dd>
    </div>
  );
}

function Figure({ value, className, tone }: { value: number | undefined; className: string; tone?: AmountTone }) {
  if (value === undefined) return <Skeleton className={clsx('inline-block h-5 w-24 align-middle', className)} />;
  return <Amount value={value} className={className} {...(tone !== undefined && { tone })} />;
}
