import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useCurrentUser } from '@/shared/api';
import { Badge, type BadgeProps, Button, Card, Dialog, RelativeTime } from '@/shared/ui';
import { Choice } from '../choice';
import { ListBody, SkeletonRows } from '../list-body';
import { Pager } from '../pager';
import { ReasonForm } from '../reason-form';
import { useAddressFilters } from '../use-address-filters';
import { AdminsCard } from './admins-card';
import { ApprovalOutcome } from './approval-outcome';
import { ApprovalWords } from './approval-words';
import { ControlsCard } from './controls-card';
import { type Approval, APPROVAL_PAGE_SIZE, type ApprovalStatus, useApprovals, useDecide } from './use-approvals';
import { WaitingFile } from './waiting-file';

/** Acts that need a second admin, the limits that say which, and who is an admin (rules admin-18 to admin-21). */
export function ApprovalsSection() {
  return (
    <div className="grid grid-cols-1 gap-6">
      <ApprovalList />
      <ControlsCard />
      <AdminsCard />
    </div>
  );
}

const OPTIONS = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'all', label: 'All' },
] as const;

const EMPTY = {
  waiting: { title: 'Nothing waits', text: 'Acts that need a second admin wait here.' },
  all: { title: 'No acts yet', text: 'Acts that needed a second admin are kept here.' },
};

function ApprovalList() {
  const state = useAddressFilters(['status']);
  const status = state.filters.status === 'all' ? 'all' : 'waiting';
  const approvals = useApprovals(status, state.page);
  return (
    <Card
      title="Approvals"
      description="What another admin asked for. Nothing happens before a second admin approves it."
      flush
      aria-busy={approvals.isFetching}
      actions={
        <Choice
          label="Which acts"
          options={OPTIONS}
          value={status}
          onChange={(next) => state.set('status', next === 'waiting' ? '' : next)}
        />
      }
    >
      <ListBody
        list={approvals}
        failure="The acts could not be loaded."
        empty={{ icon: ShieldCheck, ...EMPTY[status] }}
        isFiltered={false}
        onClear={state.clearAll}
        onFirstPage={() => state.goTo(1)}
        skeleton={<SkeletonRows label="Loading acts" count={APPROVAL_PAGE_SIZE / 4} />}
      >
        {(page) => (
          <ul className="divide-y divide-line border-t border-line">
            {page.approvals.map((approval) => (
              <ApprovalItem key={approval.id} approval={approval} />
            ))}
          </ul>
        )}
      </ListBody>
      {approvals.data !== undefined && (
        <Pager label="Pages of acts" pagination={approvals.data.pagination} onGoTo={state.goTo} />
      )}
    </Card>
  );
}

const STATUS: Record<ApprovalStatus, { label: string; tone: NonNullable<BadgeProps['tone']> }> = {
  waiting: { label: 'Waiting', tone: 'hold' },
  expired: { label: 'Expired', tone: 'neutral' },
  approved: { label: 'Being done', tone: 'hold' },
  declined: { label: 'Declined', tone: 'loss' },
  done: { label: 'Done', tone: 'gain' },
  refused: { label: 'Not done', tone: 'loss' },
};

/** Who asked for what and why, and what became of it or can. */
function ApprovalItem({ approval }: { approval: Approval }) {
  const { id, kind, status, admin, reason, requestedAt } = approval;
  return (
    <li aria-label={`Act of ${admin.displayName}`} className="flex flex-col gap-3 p-4 text-sm sm:flex-row sm:px-6">
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-1.5">
        <p className="flex flex-wrap items-center gap-2 font-medium text-ink">
          <span className="min-w-0 wrap-anywhere">
            <ApprovalWords approval={approval} />
          </span>
          <Badge tone={STATUS[status].tone}>{STATUS[status].label}</Badge>
        </p>
        {reason !== null && (
          <p dir="auto" className="max-w-prose wrap-anywhere text-ink-muted">
            {reason}
          </p>
        )}
        <p className="text-xs text-ink-faint">
          Asked by <bdi>{admin.displayName}</bdi> <RelativeTime iso={requestedAt} />
        </p>
        <p className="text-xs text-ink-muted">
          <ApprovalOutcome approval={approval} />
        </p>
        {kind === 'bulk' && status === 'waiting' && <WaitingFile id={id} />}
      </div>
      {status === 'waiting' && <ApprovalActions approval={approval} />}
    </li>
  );
}

function ApprovalActions({ approval }: { approval: Approval }) {
  const { id, admin } = approval;
  const { data: me } = useCurrentUser();
  const approve = useDecide(id);
  const [isDeclining, setDeclining] = useState(false);
  const isOwn = me?.id === admin.id;
  return (
    <div className="flex flex-wrap items-start gap-2">
      <Button size="sm" disabled={approve.isPending} onClick={() => setDeclining(true)}>
        {isOwn ? 'Withdraw' : 'Decline'}
      </Button>
      {!isOwn && (
        <Button size="sm" variant="primary" pending={approve.isPending} onClick={() => approve.mutate(null)}>
          Approve
        </Button>
      )}
      <Dialog
        open={isDeclining}
        onOpenChange={setDeclining}
        title={isOwn ? 'Withdraw' : 'Decline'}
        description={<ApprovalWords approval={approval} />}
      >
        {isDeclining && <DeclineForm id={id} isOwn={isOwn} onDone={() => setDeclining(false)} />}
      </Dialog>
    </div>
  );
}

function DeclineForm({ id, isOwn, onDone }: { id: string; isOwn: boolean; onDone: () => void }) {
  const decline = useDecide(id, onDone);
  return (
    <ReasonForm
      label="Reason"
      hint="Whoever asked for it reads this."
      submitText={isOwn ? 'Withdraw' : 'Decline'}
      variant="danger"
      onReason={(reason) => decline.mutate(reason)}
      isPending={decline.isPending}
      problem={null}
    />
  );
}
