import { Check, Lock, Plus, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { errorSentence, formatCount } from '@/shared/api';
import { Badge, Button, Card, Dialog, EmptyState, ErrorNote, Field, Select } from '@/shared/ui';
import { sectionPath } from '../admin-sections';
import { DialogForm } from '../dialog-form';
import { SkeletonRows } from '../list-body';
import { useAddressFilters } from '../use-address-filters';
import { AdjustmentDialog } from './adjustment-dialog';
import { ControlTotalsCard } from './control-totals';
import { financePath } from './finance-address';
import { isMonth, lastDay, monthAfter, monthLabel, monthOfDay, monthOptions } from './fiscal-period';
import { UtcTime } from './moment-note';
import { OpenSubjectsCard } from './open-subjects';
import { PolicyCard } from './policy-card';
import { useDayNow } from './use-day-now';
import { type ClosedMonth, useClosedMonths, useCloseMonth, useOpenSubjects } from './use-general-ledger';

/** The month-end close (`docs/finance.md`): what must be in order, what is open, and what was closed. */
export function CloseView() {
  const state = useAddressFilters(['month']);
  const closed = useClosedMonths();
  const today = useDayNow(closed.data?.timeZone ?? 'UTC');
  const current = monthOfDay(today);
  const chosen = state.filters.month;
  const month = isMonth(chosen) ? chosen : monthToClose(closed.data?.periods[0], current);
  const [isAdjusting, setAdjusting] = useState(false);
  return (
    <div className="grid grid-cols-1 gap-6">
      <Card
        title="Close a month"
        description="After the close, nothing is posted before the end of the month. Later movements go into the next one."
        actions={
          <Button icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setAdjusting(true)}>
            Post an adjustment
          </Button>
        }
      >
        <Field label="Month" className="mb-4 max-w-56">
          <Select
            options={monthOptions(current, month)}
            value={month}
            onChange={({ target }) => state.set('month', target.value)}
          />
        </Field>
        {closed.error !== null && (
          <ErrorNote onRetry={() => void closed.refetch()} retrying={closed.isFetching}>
            {errorSentence(closed.error, 'The closed months could not be loaded.')}
          </ErrorNote>
        )}
        {closed.data !== undefined && <Checklist key={month} month={month} closed={closed.data} />}
      </Card>
      <OpenSubjectsCard month={month} />
      <ControlTotalsCard month={month} />
      <PolicyCard current={current} firstOpen={firstOpenMonth(closed.data?.periods[0], current)} />
      <Card title="Closed months" flush>
        {closed.isPending && <SkeletonRows label="Loading closed months" count={3} />}
        {closed.data?.periods.length === 0 && (
          <EmptyState icon={Lock} title="No month is closed yet" text="The first close covers everything before it." />
        )}
        {closed.data !== undefined && closed.data.periods.length > 0 && <ClosedMonths months={closed.data.periods} />}
      </Card>
      <AdjustmentDialog
        open={isAdjusting}
        date={month < current ? lastDay(month) : today}
        onClose={() => setAdjusting(false)}
      />
    </div>
  );
}

/** The month after the last closed one; before the first close, last month. */
const firstOpenMonth = (last: ClosedMonth | undefined, current: string): string =>
  monthAfter(last?.month ?? monthAfter(current, -2));

/** The first open month, but none that is still running. */
function monthToClose(last: ClosedMonth | undefined, current: string): string {
  const [next, previous] = [firstOpenMonth(last, current), monthAfter(current, -1)];
  return next < previous ? next : previous;
}

interface ChecklistProps {
  month: string;
  closed: { periods: readonly ClosedMonth[]; providerReadUntil: string | null };
}

/** What the close needs. The server checks it again. */
function Checklist({ month, closed: { periods, providerReadUntil } }: ChecklistProps) {
  const open = useOpenSubjects(month);
  const [isClosing, setClosing] = useState(false);
  const seal = periods.find((period) => period.month >= month);
  if (seal !== undefined) {
    return (
      <p className="flex flex-wrap items-center gap-2 text-sm text-ink-muted">
        <Badge tone="gain">Closed</Badge>
        {monthLabel(month)} is closed.
        <Link to={financePath({ view: 'dollars', month })} className={LINK}>
          Open its statements
        </Link>
      </p>
    );
  }
  const end = open.data?.period.to;
  const isProviderRead = end !== undefined && providerReadUntil !== null && providerReadUntil > end;
  const [clearing, disputes] = open.data?.accounts ?? [];
  return (
    <>
      {open.isPending && <SkeletonRows label="Loading the checklist" count={3} />}
      {open.error !== null && (
        <ErrorNote onRetry={() => void open.refetch()} retrying={open.isFetching}>
          {errorSentence(open.error, 'The checklist could not be loaded.')}
        </ErrorNote>
      )}
      {end !== undefined && (
        <ul aria-label="Checklist" className="mb-5 grid gap-2.5 text-sm">
          <Point isDone={Date.parse(end) < open.dataUpdatedAt}>
            {Date.parse(end) < open.dataUpdatedAt ? 'The month is over.' : 'The month is not over yet.'} It ends{' '}
            <UtcTime iso={end} />.
          </Point>
          <Point isDone={isProviderRead}>
            {providerReadUntil === null ? (
              <span>The payment provider was not looked at yet. </span>
            ) : (
              <span>
                The payment provider was looked at until <UtcTime iso={providerReadUntil} />.{' '}
              </span>
            )}
            {!isProviderRead && (
              <span>
                It must be later than the end of the month: press “Reconcile now” in{' '}
                <Link to={sectionPath('reconciliation')} className={LINK}>
                  Reconciliation
                </Link>
                .
              </span>
            )}
          </Point>
          <Point isDone={clearing?.unsettled === 0}>{differencesText(clearing?.unsettled ?? 0, isProviderRead)}</Point>
          {disputes !== undefined && disputes.unsettled > 0 && (
            <Point isDone>
              {disputes.unsettled === 1 ? 'One dispute is' : `${formatCount(disputes.unsettled)} disputes are`} open.
              That does not keep the month open; you may post the loss that you expect as an adjustment.
            </Point>
          )}
        </ul>
      )}
      <Button variant="primary" icon={<Lock aria-hidden="true" className="size-4" />} onClick={() => setClosing(true)}>
        Close the month
      </Button>
      <CloseDialog open={isClosing} month={month} onClose={() => setClosing(false)} />
    </>
  );
}

const LINK = '-my-3 py-3 text-ink underline decoration-line-strong underline-offset-4';

function differencesText(count: number, isProviderRead: boolean): string {
  if (count === 0) return 'No difference is open.';
  const open = count === 1 ? 'One difference is open.' : `${formatCount(count)} differences are open.`;
  const next = isProviderRead
    ? 'Settle or explain each below.'
    : 'Look at the payment provider first, then settle or explain what is left.';
  return `${open} ${next}`;
}

function Point({ isDone, children }: { isDone: boolean; children: ReactNode }) {
  const Mark = isDone ? Check : TriangleAlert;
  return (
    <li className="flex items-start gap-2.5 text-ink-muted">
      <Mark aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${isDone ? 'text-gain' : 'text-hold'}`} />
      <span className="min-w-0">
        <span className="sr-only">{isDone ? 'Done: ' : 'To do: '}</span>
        {children}
      </span>
    </li>
  );
}

function CloseDialog({ open, month, onClose }: { open: boolean; month: string; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Close ${monthLabel(month)}`}
      description="This cannot be undone. Everything up to the end of the month is closed, earlier months too."
    >
      {open && <CloseForm month={month} onDone={onClose} />}
    </Dialog>
  );
}

function CloseForm({ month, onDone }: { month: string; onDone: () => void }) {
  const close = useCloseMonth(onDone);
  return (
    <DialogForm
      submitText={`Close ${monthLabel(month)}`}
      onSubmit={async () => close.mutate(month)}
      isPending={close.isPending}
      problem={close.error && errorSentence(close.error, 'The month could not be closed.')}
    >
      {null}
    </DialogForm>
  );
}

function ClosedMonths({ months }: { months: readonly ClosedMonth[] }) {
  return (
    <ul aria-label="Closed months" className="divide-y divide-line border-t border-line">
      {months.map(({ number, month, endsAt }) => (
        <li key={number}>
          <Link
            to={financePath({ view: 'dollars', month })}
            className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 px-4 py-2 text-sm hover:bg-sky-700/40 focus-visible:-outline-offset-2 sm:px-6"
          >
            <span className="font-medium text-ink">{monthLabel(month)}</span>
            <span className="text-xs text-ink-faint">
              Close {number}, up to <UtcTime iso={endsAt} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
