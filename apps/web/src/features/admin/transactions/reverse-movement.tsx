import { REVERSIBLE_TYPES } from '@app/domain';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { api, errorSentence, queryKeys, refreshMoney, sayAmount, type Schemas } from '@/shared/api';
import { Amount, Button, ErrorNote, Skeleton, toast } from '@/shared/ui';
import { isWaiting, WAITING_TITLE } from '../approvals/use-approvals';
import { WaitingNote } from '../approvals/waiting-note';
import { accountLabel } from '../../wallet/account-label';
import { ReasonForm } from '../reason-form';

const keyOf = (eventId: string) => [...queryKeys.admin, 'events', eventId, 'reversal'];

const canBeReversed = ({ type, reversal }: Schemas['EventDetailsDto']): boolean =>
  reversal === null && REVERSIBLE_TYPES.some((reversible) => reversible === type);

/** Takes the movement of an event back, after a look at what that would do (rule ledger-38). */
export function ReverseMovement({ event }: { event: Schemas['EventDetailsDto'] }) {
  const [isOpen, setOpen] = useState(false);
  if (!canBeReversed(event)) return null;
  if (isOpen) return <ReversalPanel eventId={event.eventId} onClose={() => setOpen(false)} />;
  return (
    <Button
      className="justify-self-start"
      icon={<Undo2 aria-hidden="true" className="size-4" />}
      onClick={() => setOpen(true)}
    >
      Reverse
    </Button>
  );
}

function ReversalPanel({ eventId, onClose }: { eventId: string; onClose: () => void }) {
  const preview = useQuery({
    queryKey: keyOf(eventId),
    queryFn: ({ signal }) => api.get('/api/admin/events/{id}/reversal', { path: { id: eventId }, signal }),
    refetchOnMount: 'always',
  });
  return (
    <section aria-label="Reverse this movement" className="grid grid-cols-1 gap-4 rounded-md border border-line p-4">
      {preview.error !== null && (
        <ErrorNote onRetry={() => void preview.refetch()} retrying={preview.isFetching}>
          {errorSentence(preview.error, 'What a reversal would do could not be found out.')}
        </ErrorNote>
      )}
      {preview.error === null && preview.data === undefined && <Skeleton className="h-24" />}
      {preview.data !== undefined && <ReversalPreview preview={preview.data} />}
      {(preview.data?.state === 'whole' || preview.data?.state === 'part') && (
        <ReversalForm eventId={eventId} preview={preview.data} />
      )}
      <Button size="sm" variant="ghost" className="justify-self-start" onClick={onClose}>
        Cancel
      </Button>
    </section>
  );
}

function ReversalPreview({ preview }: { preview: Schemas['ReversalPreviewDto'] }) {
  const { state, amount, returned, parts, obstacle } = preview;
  if (state === 'impossible') return <ErrorNote>{obstacle}</ErrorNote>;
  return (
    <>
      <p className="text-sm text-ink">
        {state === 'reversed' && <span>This movement was reversed.</span>}
        {state === 'whole' && <span>All {sayAmount(amount)} come back.</span>}
        {state === 'part' && (
          <span>
            Only {sayAmount(returned)} of {sayAmount(amount)} can come back: the rest is no longer there.
          </span>
        )}
      </p>
      <ul aria-label="What moves" className="divide-y divide-line border-y border-line text-sm">
        {parts.map(({ account, holder, amount: moved }) => (
          <li key={account} className="flex items-baseline justify-between gap-4 py-2">
            <span className="min-w-0 text-ink-muted">
              {holder !== null && (
                <span>
                  <bdi className="text-ink">{holder}</bdi>:{' '}
                </span>
              )}
              <span>{accountLabel(account, null)}</span>
            </span>
            <Amount value={moved} signed className="shrink-0" />
          </li>
        ))}
      </ul>
    </>
  );
}

function useReverse(eventId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['ReverseMovementDto']) =>
      api.post('/api/admin/events/{id}/reverse', { path: { id: eventId }, body }),
    onSuccess: (answer) =>
      toast({ title: isWaiting(answer) ? WAITING_TITLE : 'Movement Reversed', description: answer.message }),
    onSettled: (done) => refreshMoney(client, done && 'projected' in done ? done : undefined),
  });
}

function ReversalForm({ eventId, preview }: { eventId: string; preview: Schemas['ReversalPreviewDto'] }) {
  const { state, returned } = preview;
  const reverse = useReverse(eventId);
  if (reverse.data !== undefined && isWaiting(reverse.data)) {
    return <WaitingNote act={reverse.data} onDone={reverse.reset} />;
  }
  return (
    <ReasonForm
      label="Reason"
      hint="Both sides see it with the event. A movement can be reversed only once."
      submitText={state === 'part' ? `Reverse a part: ${sayAmount(returned)}` : `Reverse ${sayAmount(returned)}`}
      variant="danger"
      isPending={reverse.isPending}
      problem={reverse.error && errorSentence(reverse.error, 'The movement could not be reversed.')}
      onReason={(reason) => reverse.mutate({ reason, partly: state === 'part' })}
    />
  );
}
