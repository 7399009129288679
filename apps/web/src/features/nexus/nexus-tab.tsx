import { useMutation } from '@tanstack/react-query';
import { Blocks, ShieldAlert, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { type CurrentUser, errorSentence, formatCount, useCurrentUser } from '@/shared/api';
import {
  Amount,
  Button,
  Card,
  Dialog,
  ErrorNote,
  formatDateTime,
  PageHeader,
  ProgressBar,
  Skeleton,
} from '@/shared/ui';
import { type ChainVerdict, checkChain } from './chain/check-chain';
import { Fact, HashFact } from './fact';
import { NoThreads } from './no-threads';
import { CANVAS_NODES_MAX, ConstellationCanvas } from './sky/constellation-canvas';
import { ThreadDialog } from './thread-dialog';
import { ThreadList } from './thread-list';
import type { PersonalThread, ThreadStats } from './thread-types';
import { fetchThreads, useThreads, useThreadStats } from './use-threads';

/** The personal thread network (rule nexus-5). */
export function NexusTab() {
  const { data: user } = useCurrentUser();
  return user ? <Nexus me={user} /> : null;
}

function Nexus({ me }: { me: CurrentUser }) {
  const query = useThreads(me.id);
  const [open, setOpen] = useState<PersonalThread | null>(null);
  const [chainOpen, setChainOpen] = useState(false);
  const threads = query.data?.pages.flatMap((page) => page.threads);
  return (
    <>
      <PageHeader
        title="Nexus"
        description="Everyone you had a good chat with, by both ratings."
        actions={
          <Button icon={<Blocks aria-hidden="true" className="size-4" />} onClick={() => setChainOpen(true)}>
            Personal Blockchain
          </Button>
        }
      />
      {threads?.length === 0 ? (
        <Card>
          <NoThreads />
        </Card>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
          {(threads !== undefined || !query.isError) && (
            <Card flush className="overflow-hidden">
              {threads === undefined ? (
                <Skeleton className="h-[600px] rounded-none" />
              ) : (
                <ConstellationCanvas me={me} threads={threads} onThread={setOpen} onCentre={() => setChainOpen(true)} />
              )}
              <SkyLegend isPart={(threads?.length ?? 0) > CANVAS_NODES_MAX} />
            </Card>
          )}
          {/* As high as the sky beside it, however long the list is. */}
          <div className="lg:relative lg:h-full lg:min-h-100">
            <Card title="Threads" flush className="lg:absolute lg:inset-0 lg:overflow-y-auto">
              <ThreadList query={query} onThread={setOpen} empty={null} />
            </Card>
          </div>
        </div>
      )}
      <ThreadDialog thread={open} onClose={() => setOpen(null)} />
      <ChainDialog ownerId={me.id} open={chainOpen} onClose={() => setChainOpen(false)} />
    </>
  );
}

/** What the lines and colours of the sky mean. `isPart`: the sky does not show all threads. */
function SkyLegend({ isPart }: { isPart: boolean }) {
  return (
    <ul className="flex min-h-11 flex-wrap items-center gap-x-5 gap-y-1 border-t border-line px-4 py-2 text-xs text-ink-muted">
      <li className="flex items-center gap-2">
        <span aria-hidden="true" className="w-6 border-t-2 border-karma" />
        Karma: you were the host
      </li>
      <li className="flex items-center gap-2">
        <span aria-hidden="true" className="w-6 border-t-2 border-dashed border-influence" />
        Influence: you asked
      </li>
      <li>A node’s colour is the member’s mood</li>
      {isPart && <li>The {CANVAS_NODES_MAX} newest are shown</li>}
    </ul>
  );
}

interface ChainDialogProps {
  ownerId: string;
  open: boolean;
  onClose: () => void;
}

/** The centre of the Nexus: a member's chain in figures, and the check that it is complete (rule nexus-5). */
function ChainDialog({ ownerId, open, onClose }: ChainDialogProps) {
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

/** Web Crypto exists only at secure addresses. */
const CAN_HASH = 'subtle' in crypto;

/** Checks every block of the chain in this browser, and shows the result. */
function ChainCheckPanel({ ownerId, stats }: { ownerId: string; stats: ThreadStats }) {
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
        {isPending && <span>{`${formatCount(progress)} of ${formatCount(stats.blocks)} blocks`}</span>}
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

/** Checks the whole chain in the browser. `progress` is the number of blocks checked so far. */
function useChainCheck(ownerId: string) {
  const [progress, setProgress] = useState(0);
  const check = useMutation({
    async mutationFn({ blocks, headHash }: ThreadStats) {
      setProgress(0);
      return checkChain({ ownerId, blocks, headHash, pages: pagesOf(ownerId), sha256, onProgress: setProgress });
    },
  });
  return { ...check, progress };
}

async function* pagesOf(ownerId: string): AsyncGenerator<readonly PersonalThread[]> {
  let cursor: string | null = null;
  do {
    const page = await fetchThreads({ ownerId, cursor });
    yield page.threads;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
