import { Blocks } from 'lucide-react';
import { useState } from 'react';
import { useCurrentUser, type CurrentUser } from '@/shared/api';
import { Button, Card, PageHeader, Skeleton } from '@/shared/ui';
import { ChainDialog } from './chain/chain-dialog';
import { NoThreads } from './no-threads';
import { CANVAS_NODES_MAX, ConstellationCanvas } from './sky/constellation-canvas';
import { SkyLegend } from './sky/sky-legend';
import { ThreadDialog } from './thread-dialog';
import { ThreadList } from './thread-list';
import type { PersonalThread } from './thread-types';
import { useThreads } from './use-threads';

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
          {/* As high as the sky beside it, however long. */}
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
