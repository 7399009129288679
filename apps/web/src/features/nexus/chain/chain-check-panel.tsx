import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { errorSentence, formatCount } from '@/shared/api';
import { Button, ErrorNote, ProgressBar } from '@/shared/ui';
import type { ThreadStats } from '../thread-types';
import type { ChainVerdict } from './check-chain';
import { useChainCheck } from './use-chain-check';

/** Web Crypto is for secure addresses alone. */
const CAN_HASH = 'subtle' in crypto;

/** Checks every block of the chain in this browser, and says what came of it. */
export function ChainCheckPanel({ ownerId, stats }: { ownerId: string; stats: ThreadStats }) {
  const { mutate, data: verdict, error, isPending, progress } = useChainCheck(ownerId);
  return (
    <div className="grid gap-3 rounded-md border border-line bg-sky-950/40 p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1 basis-48 text-sm text-ink-muted">
          {CAN_HASH
            ? 'Your browser recomputes and compares every block’s hash.'
            : 'Hashes can only be checked over a secure connection (https).'}
        </p>
        <Button variant="primary" disabled={!CAN_HASH} pending={isPending} onClick={() => mutate(stats)}>
          Check the chain
        </Button>
      </div>
      {isPending && <ProgressBar label="Blocks checked" value={progress} max={stats.blocks} tone="gain" />}
      <output className="block text-sm empty:hidden">
        {isPending && `${formatCount(progress)} of ${formatCount(stats.blocks)} blocks`}
        {verdict !== undefined && !isPending && <Verdict verdict={verdict} />}
      </output>
      {error !== null && !isPending && (
        <ErrorNote onRetry={() => mutate(stats)}>
          {errorSentence(error, 'The chain could not be read to its end, so its hashes were not checked.')}
        </ErrorNote>
      )}
    </div>
  );
}

function Verdict({ verdict: { checked, fault } }: { verdict: ChainVerdict }) {
  const total = formatCount(checked);
  if (fault === null) {
    return (
      <span className="flex items-center gap-2 text-gain">
        <ShieldCheck aria-hidden="true" className="size-5 shrink-0" />
        {total} of {total} blocks check out
      </span>
    );
  }
  return (
    <span className="flex items-start gap-2 text-loss">
      <ShieldAlert aria-hidden="true" className="size-5 shrink-0" />
      Block {formatCount(fault.blockNumber)} does not check out. {fault.sentence}
    </span>
  );
}
