import { errorSentence } from '@/shared/api';
import { ErrorNote, PageHeader } from '@/shared/ui';
import { DashboardTiles } from './dashboard-tiles';
import { EarnedNovaPanel } from './earned-nova-panel';
import { EnpTestingPanel } from './enp-testing-panel';
import { InboundChatsCard } from './inbound-chats-card';
import { NovaBreakdownPanel } from './nova-breakdown-panel';
import { OpenChatsCard } from './open-chats-card';
import { PendingRatingsCard } from './pending-ratings-card';
import { useDashboard } from './use-status';

/** What waits for me, and what my tokens are worth (rule status-1). */
export function StatusTab() {
  const dashboard = useDashboard();
  const { data } = dashboard;
  const isFailed = dashboard.isError && data === undefined;
  return (
    <>
      <PageHeader title="Status" />
      <div className="grid grid-cols-1 gap-4 sm:gap-6">
        {isFailed ? (
          <ErrorNote onRetry={() => void dashboard.refetch()} retrying={dashboard.isFetching}>
            {errorSentence(dashboard.error, 'Your dashboard could not be loaded.')}
          </ErrorNote>
        ) : (
          <DashboardTiles dashboard={data} />
        )}
        <InboundChatsCard />
        <div className="grid grid-cols-1 gap-4 sm:gap-6 lg:grid-cols-2">
          <OpenChatsCard />
          <PendingRatingsCard rewards={data?.pendingRewardItems} />
          {!isFailed && <EarnedNovaPanel dashboard={data} />}
          <NovaBreakdownPanel />
        </div>
        {!isFailed && <EnpTestingPanel dashboard={data} />}
      </div>
    </>
  );
}
