import { DOLLAR_ACCOUNTS, type DollarAccount } from '@app/domain';
import { Scale } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { errorSentence, formatUsdCents } from '@/shared/api';
import { Badge, Button, Card, Dialog, ErrorNote, Field, RelativeTime, Skeleton } from '@/shared/ui';
import { eventPath } from '../admin-sections';
import { Choice } from '../choice';
import { doerName } from '../doer-name';
import { AccountSelect } from '../finance/account-select';
import { UtcTime } from '../finance/moment-note';
import { ListBody, SkeletonRows } from '../list-body';
import { Pager } from '../pager';
import { ReasonForm } from '../reason-form';
import { ReceivablesCard } from '../receivables/receivables-card';
import { useAddressFilters } from '../use-address-filters';
import {
  LINE_PAGE_SIZE,
  LINE_STATUSES,
  type LineStatus,
  type ReconciliationLine,
  type ReconciliationRun,
  useBeginRun,
  useExplain,
  useLastRun,
  useReconciliationLines,
  useSettle,
} from './use-reconciliation';

const OPTIONS = [
  { value: 'flagged', label: 'Flagged' },
  { value: 'explained', label: 'Explained' },
  { value: 'matched', label: 'Matched' },
  { value: 'all', label: 'All' },
] as const satisfies readonly { value: LineStatus; label: string }[];
const EMPTY: Record<LineStatus, { title: string; text: string }> = {
  flagged: { title: 'Nothing is flagged', text: 'Every difference is explained.' },
  explained: { title: 'Nothing to explain', text: 'Fees, disputes and payments in transit are listed here.' },
  matched: { title: 'Nothing matched yet', text: 'Payments and refunds with their events are listed here.' },
  all: {
    title: 'Nothing has been compared yet',
    text: 'Nova compares the provider’s books with the ledger once a day.',
  },
};

/** Compares the payment provider's books with ours (`docs/reconciliation.md`). */
export function ReconciliationSection() {
  const state = useAddressFilters(['status']);
  const status = LINE_STATUSES.find((name) => name === state.filters.status) ?? 'flagged';
  const lines = useReconciliationLines(status, state.page);
  const [explaining, setExplaining] = useState<ReconciliationLine | null>(null);
  const [settling, setSettling] = useState<ReconciliationLine | null>(null);
  return (
    <div className="grid grid-cols-1 gap-6">
      <LastRun />
      <Card
        title="Movements at the payment provider"
        flush
        aria-busy={lines.isFetching}
        actions={
          <Choice
            label="Which movements"
            options={OPTIONS}
            value={status}
            onChange={(next) => state.set('status', next === 'flagged' ? '' : next)}
          />
        }
      >
        <ListBody
          list={lines}
          failure="The movements could not be loaded."
          empty={{ icon: Scale, ...EMPTY[status] }}
          isFiltered={false}
          onClear={state.clearAll}
          onFirstPage={() => state.goTo(1)}
          skeleton={<SkeletonRows label="Loading movements" count={LINE_PAGE_SIZE / 4} />}
        >
          {(page) => (
            <ul className="divide-y divide-line border-t border-line">
              {page.lines.map((line) => (
                <LineItem
                  key={line.id}
                  line={line}
                  onExplain={() => setExplaining(line)}
                  onSettle={() => setSettling(line)}
                />
              ))}
            </ul>
          )}
        </ListBody>
        {lines.data !== undefined && (
          <Pager label="Pages of movements" pagination={lines.data.pagination} onGoTo={state.goTo} />
        )}
      </Card>
      <ReceivablesCard />
      <ExplainDialog line={explaining} onClose={() => setExplaining(null)} />
      <SettleDialog line={settling} onClose={() => setSettling(null)} />
    </div>
  );
}

/** Explains why a difference is right. */
function ExplainDialog({ line, onClose }: { line: ReconciliationLine | null; onClose: () => void }) {
  return (
    <Dialog
      open={line !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Explain the difference"
      description={line?.note ?? undefined}
    >
      {line !== null && <ExplainForm id={line.id} onDone={onClose} />}
    </Dialog>
  );
}

function ExplainForm({ id, onDone }: { id: string; onDone: () => void }) {
  const explain = useExplain(onDone);
  const [takenBy, setTakenBy] = useState<DollarAccount | ''>('');
  return (
    <ReasonForm
      label="Why the difference is right"
      hint="Kept for audits. The difference stays explained until the books agree."
      submitText="Explain"
      isPending={explain.isPending}
      problem={explain.error && errorSentence(explain.error, 'The difference could not be explained.')}
      onReason={(reason) => explain.mutate({ id, reason, ...(takenBy !== '' && { takenBy }) })}
    >
      <Field label="Account that takes it" hint="What is open in the dollar books is posted to it, with today’s date.">
        <AccountSelect
          none="As usual: a loss, or receipts not yet applied"
          value={takenBy}
          onChange={({ target }) => setTakenBy(DOLLAR_ACCOUNTS.find((account) => account === target.value) ?? '')}
        />
      </Field>
    </ReasonForm>
  );
}

/** Lets the ledger settle a difference: a payment is credited, or a reversal undone (rule ledger-39). */
function SettleDialog({ line, onClose }: { line: ReconciliationLine | null; onClose: () => void }) {
  return (
    <Dialog
      open={line !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Settle the difference"
      description={line?.code === 'NOT_CREDITED' ? 'The member gets the Nova that was paid for.' : GIVES_BACK}
    >
      {line !== null && <SettleForm id={line.id} onDone={onClose} />}
    </Dialog>
  );
}

const GIVES_BACK = 'The member gets back the Nova that the reversal took, and owes nothing of it any more.';

function SettleForm({ id, onDone }: { id: string; onDone: () => void }) {
  const settle = useSettle(onDone);
  return (
    <ReasonForm
      label="Reason"
      hint="Kept for audits. Nova looks at the provider’s books again first."
      submitText="Settle"
      isPending={settle.isPending}
      problem={settle.error && errorSentence(settle.error, 'The difference could not be settled.')}
      onReason={(reason) => settle.mutate({ id, reason })}
    />
  );
}

/** The last comparison, its result, and a way to start one now. */
function LastRun() {
  const last = useLastRun();
  const begin = useBeginRun();
  const run = last.data?.runs[0];
  return (
    <Card
      title="Reconciliation"
      description="Once a day Nova compares the payment provider’s balance with the ledger: the last seven days, and every open difference from before."
      actions={
        <Button
          icon={<Scale aria-hidden="true" className="size-4" />}
          pending={begin.isPending || run?.state === 'running'}
          onClick={() => begin.mutate()}
        >
          Reconcile now
        </Button>
      }
    >
      {last.error !== null && (
        <ErrorNote onRetry={() => void last.refetch()} retrying={last.isFetching}>
          {errorSentence(last.error, 'The last run could not be loaded.')}
        </ErrorNote>
      )}
      {last.error === null && last.data === undefined && <Skeleton className="h-16" />}
      {last.data !== undefined && run === undefined && (
        <p className="text-sm text-ink-muted">There has been no run yet.</p>
      )}
      {run !== undefined && <Found run={run} />}
    </Card>
  );
}

const RUN_WORDS = {
  running: 'Going on since',
  failed: 'The last run did not finish. It started',
  done: 'Last look:',
} as const;

function Found({ run }: { run: ReconciliationRun }) {
  const { from, until, startedAt, state, matched, explained, flagged, grossCents, feeCents, netCents } = run;
  const figures = [
    ['Matched', String(matched)],
    ['Explained', String(explained)],
    ['Flagged', String(flagged)],
    ['Moved', formatUsdCents(grossCents)],
    ['Fees', formatUsdCents(feeCents)],
    ['Net', formatUsdCents(netCents)],
  ] as const;
  return (
    <>
      <p className="mb-4 text-sm text-ink-muted">
        {RUN_WORDS[state]} <RelativeTime iso={startedAt} />, by <bdi>{doerName(run)}</bdi>: <UtcTime iso={from} /> to{' '}
        <UtcTime iso={until} />.
      </p>
      {state === 'done' && (
        <dl className="grid grid-cols-3 gap-x-4 gap-y-3 cramped:grid-cols-1 lg:grid-cols-6">
          {figures.map(([label, value]) => (
            <div key={label} className="min-w-0">
              <dt className="text-xs font-medium text-ink-muted">{label}</dt>
              <dd className="mt-0.5 text-base font-semibold text-ink tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

const KINDS: Readonly<Record<string, string>> = {
  payment: 'Payment',
  refund: 'Refund',
  'refund-failed': 'Failed refund',
  dispute: 'Dispute',
  'dispute-won': 'Dispute won',
  fee: 'Fee',
  payout: 'Payout',
  'other-currency': 'Movement in another currency',
};
const STATES = {
  matched: { tone: 'gain', label: 'Matched' },
  explained: { tone: 'neutral', label: 'Explained' },
  flagged: { tone: 'loss', label: 'Flagged' },
} as const;

interface LineItemProps {
  line: ReconciliationLine;
  onExplain: () => void;
  onSettle: () => void;
}

/** One movement, and what our books say about it. */
function LineItem({ line, onExplain, onSettle }: LineItemProps) {
  const { id, side, kind, cents, feeCents, at, status, note, eventId, explanation, isSettleable } = line;
  const state = STATES[status];
  const name = KINDS[kind] ?? 'Other movement';
  return (
    <li
      aria-label={`${name} ${id}`}
      className="flex flex-col gap-3 px-4 py-3 text-sm sm:flex-row sm:items-start sm:gap-6 sm:px-6"
    >
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium text-ink">
          {name}
          <Badge tone={state.tone}>{state.label}</Badge>
          {side === 'ledger' && <Badge>Ours only</Badge>}
        </p>
        <p className="mt-1 font-mono text-xs break-all text-ink-faint">{line.providerId ?? id}</p>
        {explanation === null && note !== null && <p className="mt-1 max-w-prose text-ink-muted">{note}</p>}
        {explanation !== null && (
          <p dir="auto" className="mt-1 max-w-prose wrap-anywhere text-ink-muted">
            <bdi>{explanation.by}</bdi>: {explanation.reason ?? 'the reason was erased'}
          </p>
        )}
        <p className="mt-1 text-xs text-ink-faint">
          <UtcTime iso={at} />
          {eventId !== null && (
            <span>
              {' · '}
              <Link
                to={eventPath(eventId)}
                className="-my-3 py-3 text-ink-muted underline decoration-line-strong underline-offset-4"
              >
                Open the event
              </Link>
            </span>
          )}
        </p>
      </div>
      <div className="flex items-center justify-between gap-4 sm:flex-col sm:items-end sm:gap-2">
        <p className="text-ink tabular-nums sm:text-right">
          {formatUsdCents(cents)}
          {feeCents !== 0 && <span className="block text-xs text-ink-faint">fee {formatUsdCents(feeCents)}</span>}
        </p>
        {status === 'flagged' && (
          <span className="flex flex-wrap justify-end gap-2">
            {isSettleable && (
              <Button size="sm" variant="primary" onClick={onSettle} aria-label={`Settle ${name} ${id}`}>
                Settle
              </Button>
            )}
            <Button size="sm" onClick={onExplain} aria-label={`Explain ${name} ${id}`}>
              Explain
            </Button>
          </span>
        )}
      </div>
    </li>
  );
}
