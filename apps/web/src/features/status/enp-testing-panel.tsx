import { useState } from 'react';
import { Button, Card } from '@/shared/ui';
import { BurnDialog } from './burn-dialog';
import type { Dashboard } from './status-types';
import { useCreateTestPerks } from './use-status';

/** Trying the Earned Nova Protocol out: something to burn, and burning (rule status-4). */
export function EnpTestingPanel({ dashboard }: { dashboard: Dashboard | undefined }) {
  const perks = useCreateTestPerks();
  const [isBurning, setBurning] = useState(false);
  const mayCreate = dashboard?.testPerksAllowed === true;
  return (
    <Card title="ENP System Testing">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-xl text-sm text-ink-muted">
          Burning turns earned Nova, Karma and Influence into Seyvn for good.
          {dashboard !== undefined && !mayCreate && ' Test perks are switched off in this installation.'}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button disabled={!mayCreate} pending={perks.isPending} onClick={() => perks.mutate()}>
            Create Test Perks
          </Button>
          <Button disabled={dashboard === undefined} onClick={() => setBurning(true)}>
            Burn for Seyvn
          </Button>
        </div>
      </div>
      {dashboard !== undefined && isBurning && <BurnDialog dashboard={dashboard} onClose={() => setBurning(false)} />}
    </Card>
  );
}
