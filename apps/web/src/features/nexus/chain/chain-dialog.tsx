import { formatCount } from '@/shared/api';
import { Amount, Dialog, ErrorNote, formatDateTime, Skeleton } from '@/shared/ui';
import { Fact, HashFact } from '../fact';
import type { ThreadStats } from '../thread-types';
import { useThreadStats } from '../use-threads';
import { ChainCheckPanel } from './chain-check-panel';

export interface ChainDialogProps {
  ownerId: string;
  open: boolean;
  onClose: () => void;
}

/** The centre of the Nexus: a member's chain in figures, and the check that it is whole (rule nexus-5). */
export function ChainDialog({ ownerId, open, onClose }: ChainDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Personal Blockchain"
      description="Every thread is a block that carries the hash of the one before, so any change or removal shows."
    >
      <ChainStats ownerId={ownerId} />
    </Dialog>
  );
}

function ChainStats({ ownerId }: { ownerId: string }) {
  const { data: stats, isError, isFetching, refetch } = useThreadStats(ownerId);
  if (stats !== undefined) {
    return (
      <div className="grid gap-5">
        <Figures stats={stats} />
        {stats.blocks > 0 && <ChainCheckPanel ownerId={ownerId} stats={stats} />}
      </div>
    );
  }
  if (!isError) return <Skeleton className="h-64" />;
  return (
    <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
      Unable to load network stats
    </ErrorNote>
  );
}

function Figures({ stats }: { stats: ThreadStats }) {
  const { totalNovaReceived, totalNovaOwed } = stats;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3">
      <Fact label="Blocks">{formatCount(stats.blocks)}</Fact>
      <Fact label="Karma threads">{formatCount(stats.karmaThreads)}</Fact>
      <Fact label="Influence threads">{formatCount(stats.influenceThreads)}</Fact>
      {totalNovaReceived !== null && (
        <Fact label="Nova received">
          <Amount value={totalNovaReceived} />
        </Fact>
      )}
      {totalNovaOwed !== null && (
        <Fact label="Not yet credited">
          <Amount value={totalNovaOwed} />
        </Fact>
      )}
      <Fact label="Average given">{average(stats.averageGiven)}</Fact>
      <Fact label="Average received">{average(stats.averageReceived)}</Fact>
      {stats.firstAt !== null && <Fact label="First thread">{formatDateTime(stats.firstAt)}</Fact>}
      {stats.lastAt !== null && <Fact label="Newest thread">{formatDateTime(stats.lastAt)}</Fact>}
      {stats.headHash !== null && <HashFact label="Newest hash" hash={stats.headHash} />}
    </dl>
  );
}

const average = (value: number | null): string => (value === null ? 'None yet' : `${value} / 100`);
