import { useMutation } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { ChevronDown, FileCheck } from 'lucide-react';
import { useId, useState } from 'react';
import {
  api,
  errorSentence,
  formatCount,
  hasStatus,
  queryKeys,
  sayShortfall,
  type Schemas,
  useCurrentUser,
} from '@/shared/api';
import { Amount, Avatar, Badge, Button, ErrorNote, LoadMore, RelativeTime, Skeleton } from '@/shared/ui';
import { EventTrail } from './event-trail';
import { ACCRUED_TYPE, isTransactionType, transactionKind } from './transaction-kinds';
import { type StatementFilter, useStatement } from './use-statement';

interface StatementRowProps {
  transaction: Schemas['TransactionDto'];
  /** By which a row of several movements lists them. */
  filter?: StatementFilter;
}

/** One movement, or small ones of a day; pressing it opens its event, or them, in place (rules wallet-7, wallet-24). */
export function StatementRow({ transaction, filter = {} }: StatementRowProps) {
  const [isOpen, setOpen] = useState(false);
  const panelId = useId();
  const { type, amount, balanceAfter, isReversed, createdAt } = transaction;
  const isGroup = transaction.count > 1;
  const description = isGroup
    ? `${transaction.description} × ${formatCount(transaction.count)}`
    : transaction.description;
  const isAccrued = type === ACCRUED_TYPE;
  const kind = transactionKind(type).label;
  const shortfall = sayShortfall(transaction);
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-18 w-full items-center gap-3 px-4 py-3 text-left cramped:flex-wrap transition-colors hover:bg-sky-700/40 focus-visible:-outline-offset-2 sm:px-6"
      >
        <KindMark transaction={transaction} />
        <span className="min-w-0 flex-1 cramped:basis-full">
          <span className="line-clamp-2 text-sm font-medium text-ink">
            <bdi>{description}</bdi>
          </span>
          {shortfall !== undefined && <span className="mt-0.5 block text-xs text-ink-muted">{shortfall}</span>}
          <span className="mt-0.5 block text-xs text-ink-faint">
            {isReversed && (
              <span className="mr-1.5">
                <Badge>Reversed</Badge>
              </span>
            )}
            {kind !== transaction.description && <span className="hidden sm:inline">{kind} · </span>}
            {isAccrued ? <span>as of now</span> : <RelativeTime iso={createdAt} />}
          </span>
        </span>
        <span className="grid shrink-0 justify-items-end">
          <Amount value={amount} signed bare className="text-sm font-semibold" {...(isAccrued && { tone: 'hold' })} />
          {isGroup ? (
            <span className="text-xs text-ink-faint">in one day</span>
          ) : (
            <span className="text-xs text-ink-faint">
              <span className="sr-only">, balance after </span>
              <Amount value={balanceAfter} bare />
            </span>
          )}
        </span>
        <ChevronDown
          aria-hidden="true"
          className={clsx('size-4 shrink-0 text-ink-faint transition-transform', isOpen && 'rotate-180')}
        />
      </button>
      {isOpen && isGroup && (
        <div id={panelId} className="animate-appear bg-sky-950/40 sm:pl-10">
          <Movements filter={{ ...filter, ...groupOf(transaction) }} />
        </div>
      )}
      {isOpen && !isGroup && (
        <div id={panelId} className="animate-appear bg-sky-950/40 px-4 pt-2 pb-5 sm:pr-6 sm:pl-19">
          {isAccrued ? <AccruedNote /> : <OwnEvent id={transaction.id} />}
        </div>
      )}
    </li>
  );
}

/** The filter that finds the movements of a row of several. */
function groupOf({ type, createdAt }: Schemas['TransactionDto']): StatementFilter {
  const day = createdAt.slice(0, 'yyyy-mm-dd'.length);
  return { startDate: day, endDate: day, ...(isTransactionType(type) && { type }) };
}

function Movements({ filter }: { filter: StatementFilter }) {
  const list = useStatement(filter, { single: true });
  const failure = list.isError ? errorSentence(list.error, 'These movements could not be loaded.') : null;
  if (list.data === undefined) {
    return failure === null ? (
      <div aria-busy="true" aria-label="Loading movements" className="p-4">
        <Skeleton className="h-12" />
      </div>
    ) : (
      <ErrorNote className="m-4" onRetry={() => void list.refetch()} retrying={list.isFetching}>
        {failure}
      </ErrorNote>
    );
  }
  return (
    <>
      <ul className="divide-y divide-line border-t border-line">
        {list.data.pages.flatMap(({ transactions }) =>
          transactions.map((movement) => <StatementRow key={movement.id} transaction={movement} />),
        )}
      </ul>
      <LoadMore list={list} failure={list.isFetchNextPageError ? failure : null} />
    </>
  );
}

/** The other party's picture with the kind's icon on it; the icon alone if nobody else takes part. */
function KindMark({ transaction: { type, counterparty } }: { transaction: Schemas['TransactionDto'] }) {
  const Icon = transactionKind(type).icon;
  if (counterparty === null) {
    return (
      <span className="grid size-10 shrink-0 place-items-center rounded-full border border-line bg-sky-700 text-ink-muted">
        <Icon aria-hidden="true" className="size-5" />
      </span>
    );
  }
  return (
    <span className="relative shrink-0">
      <Avatar name={counterparty.displayName} src={counterparty.profileImageUrl} />
      <span className="absolute -right-1 -bottom-1 grid size-5 place-items-center rounded-full border border-line bg-sky-950 text-ink-muted">
        <Icon aria-hidden="true" className="size-3" />
      </span>
    </span>
  );
}

function AccruedNote() {
  return (
    <p className="max-w-prose text-sm text-ink-muted">
      What the reward pools owe you right now. It is part of your balance and becomes a row of its own when you spend it
      or when your shares change.
    </p>
  );
}

function OwnEvent({ id }: { id: string }) {
  const { data: user } = useCurrentUser();
  return (
    <div className="grid grid-cols-1 gap-4">
      <EventTrail startId={id} ownUserId={user?.id ?? null} source={OWN_EVENTS} />
      <ReceiptDownload id={id} />
    </div>
  );
}

const OWN_EVENTS = { keyOf: queryKeys.event, path: '/api/nova/transactions/{id}' } as const;

/** Saves the proof that this row's event is in the sealed journal (`docs/receipts.md`). */
function ReceiptDownload({ id }: { id: string }) {
  const download = useMutation({
    mutationFn: () => api.get('/api/nova/transactions/{id}/receipt', { path: { id } }),
    onSuccess: saveReceipt,
  });
  const { error } = download;
  return (
    <div className="grid grid-cols-1 gap-2">
      <Button
        size="sm"
        className="justify-self-start"
        icon={<FileCheck aria-hidden="true" className="size-4" />}
        pending={download.isPending}
        onClick={() => download.mutate()}
      >
        Download receipt
      </Button>
      {error !== null && hasStatus(error, 409) && (
        <output className="block max-w-prose text-sm text-ink-muted">
          {errorSentence(error, 'The receipt is available once the day is over.')}
        </output>
      )}
      {error !== null && !hasStatus(error, 409) && (
        <ErrorNote>{errorSentence(error, 'The receipt could not be loaded.')}</ErrorNote>
      )}
    </div>
  );
}

function saveReceipt(receipt: Schemas['ReceiptDto']): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(receipt, null, 2)], { type: 'application/json' }));
  link.download = `nova-receipt-${receipt.event.revision}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
