import { HandCoins } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { errorSentence, formatCount, sayAmount } from '@/shared/api';
import { Amount, Badge, Button, Card, Dialog, RelativeTime } from '@/shared/ui';
import { eventPath } from '../admin-sections';
import { ListBody, SkeletonRows } from '../list-body';
import { MemberLink } from '../member-link';
import { Pager } from '../pager';
import { ReasonForm } from '../reason-form';
import { RECEIVABLE_PAGE_SIZE, type Receivable, useReceivables, useWriteOff } from './use-receivables';

/** What members owe for reversed purchases (rule ledger-40). */
export function ReceivablesCard() {
  const [page, setPage] = useState(1);
  const [writingOff, setWritingOff] = useState<Receivable | null>(null);
  const list = useReceivables(page);
  return (
    <Card
      title="What members owe"
      description={list.data && <Summary totalOpen={list.data.totalOpen} repaysItself={list.data.repaysItself} />}
      flush
      aria-busy={list.isFetching}
    >
      <ListBody
        list={list}
        failure="The receivables could not be loaded."
        empty={{
          icon: HandCoins,
          title: 'Nobody owes anything',
          text: 'Refunds that found too little Nova are listed here.',
        }}
        isFiltered={false}
        onClear={() => setPage(1)}
        onFirstPage={() => setPage(1)}
        skeleton={<SkeletonRows label="Loading receivables" count={RECEIVABLE_PAGE_SIZE / 4} />}
      >
        {({ receivables }) => (
          <ul aria-label="Receivables" className="divide-y divide-line border-t border-line">
            {receivables.map((each) => (
              <ReceivableItem key={each.reversalId} receivable={each} onWriteOff={() => setWritingOff(each)} />
            ))}
          </ul>
        )}
      </ListBody>
      {list.data !== undefined && (
        <Pager label="Pages of receivables" pagination={list.data.pagination} onGoTo={setPage} />
      )}
      <WriteOffDialog receivable={writingOff} onClose={() => setWritingOff(null)} />
    </Card>
  );
}

function Summary({ totalOpen, repaysItself }: { totalOpen: number; repaysItself: boolean }) {
  return (
    <>
      {sayAmount(totalOpen)} that refunds and lost disputes could not take.{' '}
      {repaysItself ? 'A member’s next Nova repays it.' : 'Nothing repays it by itself.'}
    </>
  );
}

function ReceivableItem({ receivable, onWriteOff }: { receivable: Receivable; onWriteOff: () => void }) {
  const { reversalId, userName, reason, shortfall, repaid, open, eventId, openedAt, ageDays } = receivable;
  return (
    <li
      aria-label={`${userName}, ${reversalId}`}
      className="flex flex-col gap-3 px-4 py-3 text-sm sm:flex-row sm:items-start sm:gap-6 sm:px-6"
    >
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium text-ink">
          <MemberLink name={userName} />
          <Badge>{reason === 'refund' ? 'Refund' : 'Dispute lost'}</Badge>
        </p>
        <p className="mt-1 font-mono text-xs break-all text-ink-faint">{reversalId}</p>
        <p className="mt-1 text-xs text-ink-faint">
          <RelativeTime iso={openedAt} /> · {ageDays > 0 && <span>{formatCount(ageDays)} days old · </span>}
          <Link
            to={eventPath(eventId)}
            className="-my-3 py-3 text-ink-muted underline decoration-line-strong underline-offset-4"
          >
            Open the event
          </Link>
        </p>
      </div>
      <div className="flex items-center justify-between gap-4 sm:flex-col sm:items-end sm:gap-2">
        <p className="text-ink sm:text-right">
          <Amount value={open} className="font-semibold" />
          {repaid > 0 && (
            <span className="block text-xs text-ink-faint">
              of <Amount value={shortfall} bare />
            </span>
          )}
        </p>
        <Button size="sm" onClick={onWriteOff} aria-label={`Write off what ${userName} owes`}>
          Write off
        </Button>
      </div>
    </li>
  );
}

function WriteOffDialog({ receivable, onClose }: { receivable: Receivable | null; onClose: () => void }) {
  return (
    <Dialog
      open={receivable !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Write off"
      description={
        receivable && (
          <span>
            <bdi>{receivable.userName}</bdi> will no longer owe {sayAmount(receivable.open)}. No Nova moves.
          </span>
        )
      }
    >
      {receivable !== null && <WriteOffForm receivable={receivable} onDone={onClose} />}
    </Dialog>
  );
}

function WriteOffForm({ receivable, onDone }: { receivable: Receivable; onDone: () => void }) {
  const writeOff = useWriteOff(receivable.reversalId, onDone);
  return (
    <ReasonForm
      label="Reason"
      hint="Kept with the event, for audits. A write-off cannot be undone."
      submitText={`Write off ${sayAmount(receivable.open)}`}
      variant="danger"
      isPending={writeOff.isPending}
      problem={writeOff.error && errorSentence(writeOff.error, 'It could not be written off.')}
      onReason={(reason) => writeOff.mutate({ reason })}
    />
  );
}
