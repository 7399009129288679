import { Link } from 'react-router-dom';
import { Button, buttonClasses, formatDateTime } from '@/shared/ui';
import { sectionPath } from '../admin-sections';
import { ApprovalOutcome } from './approval-outcome';
import { useApproval, type WaitingAct } from './use-approvals';

/** Where an act was made that waits for a second admin: what becomes of it, as it happens. */
export function WaitingNote({ act, onDone }: { act: WaitingAct; onDone: () => void }) {
  const { data } = useApproval(act.id);
  const isOver = data !== undefined && data.status !== 'waiting';
  return (
    <div className="grid grid-cols-1 gap-4">
      <output className="block rounded-sm border border-hold/30 bg-hold/12 px-3 py-2 text-sm text-ink">
        {isOver ? (
          <ApprovalOutcome approval={data} />
        ) : (
          `${act.message} It ends ${formatDateTime(act.expiresAt)} if nobody approves it.`
        )}
      </output>
      <div className="flex flex-wrap gap-3">
        <Link to={sectionPath('approvals')} className={buttonClasses()}>
          Open Approvals
        </Link>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
