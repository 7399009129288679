import { useQuery } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import type { PoolShare } from '@/features/status';
import { errorSentence, formatCount, type Answer } from '@/shared/api';
import { Amount, Dialog, EmptyState, ErrorNote, Skeleton } from '@/shared/ui';

export interface InfluenceInventoryDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Influence Inventory (rule status-7): points held, share of the pool, rewards so far; the same for Karma. */
export function InfluenceInventoryDialog({ open, onOpenChange }: InfluenceInventoryDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Influence Inventory"
      description="Tokens that earn a share of what others pay, as long as you hold them."
    >
      <Inventory />
    </Dialog>
  );
}

function Inventory() {
  const inventory = useQuery<Answer<'/api/status/influence'>>({ queryKey: ['/api/status/influence'], gcTime: 0 });
  if (inventory.isError) {
    return (
      <ErrorNote onRetry={() => void inventory.refetch()} retrying={inventory.isFetching}>
        {errorSentence(inventory.error, 'Your tokens could not be loaded.')}
      </ErrorNote>
    );
  }
  const { data } = inventory;
  if (data === undefined) return <Skeleton className="h-56" />;
  const hasNothing = data.points === 0 && data.karma.points === 0 && data.threads.count === 0 && data.rewardsPaid === 0;
  if (hasNothing) {
    return (
      <EmptyState
        icon={Sparkles}
        title="No Influence yet"
        text="You earn Influence when your chats succeed. Its holders share half of every gift and card payment."
        className="pt-2 pb-6"
      />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <Share name="Influence" colour="text-influence" share={data} />
      <Share name="Karma" colour="text-karma" share={data.karma} />
      <section aria-label="Threads" className="rounded-md border border-line p-4">
        <h3 className="text-sm font-semibold text-ink">Threads</h3>
        <Facts
          facts={[
            ['Hosts whose chats you share', String(data.threads.count)],
            ['Rewards so far', data.threads.rewardsPaid],
            ['Not yet credited', data.threads.rewardsOwed],
          ]}
        />
      </section>
    </div>
  );
}

function Share({ name, colour, share }: { name: string; colour: string; share: PoolShare }) {
  return (
    <section aria-label={name} className="rounded-md border border-line p-4">
      <h3 className="flex items-baseline justify-between text-sm font-semibold text-ink">
        {name}
        <span className={`text-lg tabular-nums ${colour}`}>{formatCount(share.points)}</span>
      </h3>
      <Facts
        facts={[
          ['Share of the pool', `${share.sharePercent}% of ${formatCount(share.totalPoints)}`],
          ['Rewards so far', share.rewardsPaid],
          ['Not yet credited', share.rewardsOwed],
        ]}
      />
    </section>
  );
}

function Facts({ facts }: { facts: readonly (readonly [name: string, value: string | number])[] }) {
  return (
    <dl className="mt-2 grid gap-1 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-4">
          <dt className="text-ink-muted">{name}</dt>
          <dd className="text-ink tabular-nums">{typeof value === 'number' ? <Amount value={value} /> : value}</dd>
        </div>
      ))}
    </dl>
  );
}
