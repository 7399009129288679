import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { ChevronDown, Lock } from 'lucide-react';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { api, errorSentence, formatCount, queryKeys, type Schemas } from '@/shared/api';
import { Button, Card, CopyButton, Dialog, Field, RelativeTime, TextInput, toast } from '@/shared/ui';
import { DialogForm } from '../dialog-form';
import { doerName } from '../doer-name';
import { kindLabel } from '../finance/account-kinds';
import { CurrencyAmount } from '../finance/currency-amount';
import { fromFieldTime } from '../finance/finance-address';
import { UtcTime } from '../finance/moment-note';
import { ListBody, SkeletonRows } from '../list-body';
import { Pager } from '../pager';
import { useAddressFilters } from '../use-address-filters';
import { reasonBody, ReasonField } from '../reason-field';

/** The books up to a moment, sealed (`docs/receipts.md`). */
type Period = Schemas['PeriodDto'];

const PERIOD_PAGE_SIZE = 20;

const periodsKey = [...queryKeys.admin, 'periods'];

const usePeriods = (page: number) =>
  useQuery({
    queryKey: [...periodsKey, page],
    queryFn: ({ signal }) => api.get('/api/admin/periods', { query: { page, limit: PERIOD_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

function useClosePeriod(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['ClosePeriodDto']) => api.post('/api/admin/periods', { body }),
    onSuccess({ number }) {
      toast({ title: 'Period Closed', description: `Period ${number} is sealed.` });
      onDone();
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin }),
  });
}

/** Closed periods with their seals, and a way to close one. */
export function PeriodsSection() {
  const state = useAddressFilters([]);
  const periods = usePeriods(state.page);
  const [isClosing, setClosing] = useState(false);
  return (
    <Card
      title="Closed periods"
      description="Each day is closed after midnight (UTC). After that, nothing can be dated into the period. Keep its seal somewhere else: it proves later that nothing was changed."
      flush
      aria-busy={periods.isFetching}
      actions={
        <Button icon={<Lock aria-hidden="true" className="size-4" />} onClick={() => setClosing(true)}>
          Close a period
        </Button>
      }
    >
      <ListBody
        list={periods}
        failure="The periods could not be loaded."
        empty={{ icon: Lock, title: 'No closed periods yet', text: 'The first day is closed after midnight (UTC).' }}
        isFiltered={false}
        onClear={state.clearAll}
        onFirstPage={() => state.goTo(1)}
        skeleton={<SkeletonRows label="Loading periods" count={PERIOD_PAGE_SIZE / 4} />}
      >
        {(page) => (
          <ul className="divide-y divide-line border-t border-line">
            {page.periods.map((period) => (
              <PeriodItem key={period.number} period={period} />
            ))}
          </ul>
        )}
      </ListBody>
      {periods.data !== undefined && (
        <Pager label="Pages of periods" pagination={periods.data.pagination} onGoTo={state.goTo} />
      )}
      <ClosePeriodDialog open={isClosing} onClose={() => setClosing(false)} />
    </Card>
  );
}

function ClosePeriodDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Close a period"
      description="It begins where the last one ended. This cannot be undone."
    >
      {open && <ClosePeriodForm onDone={onClose} />}
    </Dialog>
  );
}

function ClosePeriodForm({ onDone }: { onDone: () => void }) {
  const form = useForm({ mode: 'onTouched', defaultValues: { endsAt: '', reason: '' } });
  const close = useClosePeriod(onDone);
  const submit = form.handleSubmit(({ endsAt, reason }) =>
    close.mutate({ endsAt: fromFieldTime(endsAt), ...reasonBody(reason) }),
  );
  return (
    <DialogForm
      submitText="Close the period"
      onSubmit={submit}
      isPending={close.isPending}
      problem={close.error && errorSentence(close.error, 'The period could not be closed.')}
    >
      <Field
        label="Last moment that belongs to it (UTC)"
        hint="The whole second is included. It must be in the past."
        error={form.formState.errors.endsAt?.message}
      >
        <TextInput
          type="datetime-local"
          step={1}
          {...form.register('endsAt', {
            validate: (text) => fromFieldTime(text) !== '' || 'Choose a date and a time.',
          })}
        />
      </Field>
      <ReasonField registration={form.register('reason')} />
    </DialogForm>
  );
}

/** A closed period; pressing it shows its seal and trial balance. */
function PeriodItem({ period }: { period: Period }) {
  const { number, endsAt, events, closedAt, closedBy, actor } = period;
  const [isOpen, setOpen] = useState(false);
  const panelId = useId();
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-16 w-full items-center gap-3 px-4 py-3 text-left transition-colors hover:bg-sky-700/40 focus-visible:-outline-offset-2 sm:px-6"
      >
        <span className="min-w-0 flex-1">
          <span className="block text-sm font-medium text-ink">
            Period {number}, up to <UtcTime iso={endsAt} />
          </span>
          <span className="block text-xs text-ink-faint">
            {formatCount(events)} {events === 1 ? 'event' : 'events'} · closed <RelativeTime iso={closedAt} /> by{' '}
            <bdi>{doerName({ actor, by: closedBy })}</bdi>
          </span>
        </span>
        <ChevronDown
          aria-hidden="true"
          className={clsx('size-4 shrink-0 text-ink-faint transition-transform', isOpen && 'rotate-180')}
        />
      </button>
      {isOpen && (
        <div id={panelId} className="grid animate-appear grid-cols-1 gap-5 bg-sky-950/40 px-4 pt-2 pb-5 sm:px-6">
          <Totals period={period} />
          <Hashes period={period} />
        </div>
      )}
    </li>
  );
}

function Totals({ period: { totals } }: { period: Period }) {
  if (totals.length === 0) return <p className="text-sm text-ink-muted">Every account stood at zero.</p>;
  return (
    <table className="w-full text-sm">
      <caption className="mb-1 text-left text-xs font-medium text-ink-muted">Trial balance at the end</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Accounts</th>
          <th scope="col">Balance</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line border-y border-line">
        {totals.map(({ kind, currency, amount }) => (
          <tr key={`${kind} ${currency}`}>
            <td className="py-2 pr-4 text-ink">
              {kindLabel(kind)} <code className="text-xs text-ink-faint">{kind}</code>
            </td>
            <td className="py-2 text-right whitespace-nowrap text-ink">
              <CurrencyAmount value={amount} currency={currency} />{' '}
              <span aria-hidden="true" className="text-xs text-ink-faint">
                {currency}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Hashes({ period }: { period: Period }) {
  const { seal, root, chainHash, firstRevision, lastRevision } = period;
  return (
    <dl className="grid grid-cols-1 gap-3">
      <Hash label="Seal" value={seal} />
      <Hash label="Root of the tree over its events" value={root} />
      <Hash label={`Chain hash at revision ${formatCount(lastRevision)}`} value={chainHash} />
      <div>
        <dt className="text-xs font-medium text-ink-muted">Revisions</dt>
        <dd className="mt-0.5 text-sm text-ink tabular-nums">
          {formatCount(firstRevision)} to {formatCount(lastRevision)}
        </dd>
      </div>
    </dl>
  );
}

function Hash({ label, value }: { label: string; value: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs font-medium text-ink-muted">{label}</dt>
      <dd className="mt-0.5 flex items-center gap-1">
        <code className="min-w-0 text-xs break-all text-ink">{value}</code>
        <CopyButton text={value} label={`Copy: ${label}`} className="-my-2" />
      </dd>
    </div>
  );
}
