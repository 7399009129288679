import { ReceiptText } from 'lucide-react';
import { useState } from 'react';
import { errorSentence } from '@/shared/api';
import { EmptyState, ErrorNote, LoadMore } from '@/shared/ui';
import { SkeletonRows } from '../list-body';
import { EventDialog } from '../transactions/event-dialog';
import { balanceLabel } from './account-kinds';
import { CurrencyAmount } from './currency-amount';
import { UtcTime } from './moment-note';
import { useEntries, type BookEntry, type EntriesAsked } from './use-finance';

const SKELETON_ROWS = 10;
const HASH_SHOWN = 8;

/** Entries, newest first, each with the balance after it; pressing one opens the event with its hash. */
export function EntryList({ asked }: { asked: EntriesAsked }) {
  const list = useEntries(asked);
  const [openEventId, setOpenEventId] = useState<string | null>(null);
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? [];
  const failure = list.error === null ? null : errorSentence(list.error, 'The entries could not be loaded.');
  return (
    <>
      {failure !== null && entries.length === 0 && (
        <ErrorNote className="mx-4 mb-4 sm:mx-6" onRetry={() => void list.refetch()} retrying={list.isFetching}>
          {failure}
        </ErrorNote>
      )}
      {list.isPending && <SkeletonRows label="Loading entries" count={SKELETON_ROWS} />}
      {list.isSuccess && entries.length === 0 && (
        <EmptyState icon={ReceiptText} title="No entries" text="No movements in this period." />
      )}
      {entries.length > 0 && (
        <ul aria-label="Entries" className="divide-y divide-line border-t border-line">
          {entries.map((entry) => (
            <li key={`${entry.revision} ${entry.account}`}>
              <EntryRow
                entry={entry}
                isOfMany={asked.account === undefined}
                onOpen={() => setOpenEventId(entry.eventId)}
              />
            </li>
          ))}
        </ul>
      )}
      <LoadMore list={list} failure={entries.length > 0 ? failure : null} />
      <EventDialog eventId={openEventId} onClose={() => setOpenEventId(null)} />
    </>
  );
}

/** `isOfMany`: the list covers several accounts, so each entry names its own. */
function EntryRow({ entry, isOfMany, onOpen }: { entry: BookEntry; isOfMany: boolean; onOpen: () => void }) {
  const { revision, description, createdAt, account, currency, amount, balanceAfter, hash } = entry;
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex min-h-14 w-full items-center justify-between gap-4 px-4 py-2 text-left text-sm hover:bg-sky-700/40 focus-visible:-outline-offset-2 sm:px-6"
    >
      <span className="min-w-0">
        <span className="line-clamp-2 text-ink">
          <bdi dir="ltr">{description}</bdi>
        </span>
        <span className="block text-xs text-ink-faint tabular-nums">
          {isOfMany && <span className="text-ink-muted">{balanceLabel(account)} · </span>}
          <UtcTime iso={createdAt} />
          <span> · #{revision} · </span>
          <code title={hash}>{hash.slice(0, HASH_SHOWN)}</code>
        </span>
      </span>
      <span className="grid shrink-0 justify-items-end">
        <CurrencyAmount value={amount} currency={currency} signed className="font-semibold" />
        <span className="text-xs text-ink-faint">
          <span className="sr-only">, balance after </span>
          <CurrencyAmount value={balanceAfter} currency={currency} />
        </span>
      </span>
    </button>
  );
}
